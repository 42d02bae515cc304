//go:build !unix

package inspector

import "github.com/gdamore/tcell/v2"

// newTerminal is the screen of the terminal that the program runs in. It cannot
// be asked for its background.
func newTerminal() (tcell.Screen, asker, error) {
	s, err := tcell.NewScreen()
	return s, nil, err
}
