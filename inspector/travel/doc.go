// Package travel is where a reader stands in time, and how keys move them: the
// cursor, filter, visibility, marks, jump history and search as one value, and
// a Step that turns a state and an action into the next state. It is pure: it
// knows no screen, no index and no clock, so every journey can be replayed in
// a test.
package travel
