//go:build !unix

package inspector

import "github.com/gdamore/tcell/v2"

// newTerminal is the screen of the terminal that the program runs in.
func newTerminal() (tcell.Screen, error) { return tcell.NewScreen() }
