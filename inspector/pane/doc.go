// Package pane holds the panes of the inspector, one file each: what a pane
// shows and how it answers to its data, given to it by the inspector. Panes ask
// an index for nothing themselves; where they need more they say so through a
// function, and get it when it has come.
package pane
