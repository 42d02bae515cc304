// Package inspector is the terminal UI: wiring, life cycle, layout and keys
// over the panes. It asks everything of an index.API and owns nothing but what
// is on the screen.
//
//	key ──▶ travel.Keys ──▶ keymap ──▶ travel.Step ──▶ panes ──▶ frame
//	                          │                          ▲
//	                          └──▶ lane (worker) ──▶ pump ┘
//	index.Changed ──▶ watcher ───────────────────────▲
//
// The UI goroutine belongs to tview. Whatever takes time runs in a lane, a
// worker that keeps only the newest request of each topic; its answers go
// through the pump, which alone wakes the UI goroutine, at most once a tick, and
// alone stops it. Drawing asks for nothing.
package inspector
