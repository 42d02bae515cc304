package main

import (
	"fmt"
	"os"

	"hindcast/index"
	"hindcast/inspector"
)

// keepStack writes the stack of a crash to a file that only its owner can
// read: it may hold text of the dump, which does not belong on a terminal or in
// a mail by accident. It returns the hint for the message.
func keepStack(crash *inspector.CrashError) string {
	dir, err := index.CacheDir()
	if err != nil || os.MkdirAll(dir, 0o700) != nil {
		return ""
	}
	f, err := os.CreateTemp(dir, "crash-*.txt") // 0600
	if err != nil {
		return ""
	}
	defer f.Close()
	if _, err := fmt.Fprintf(f, "%v\n\n%s", crash, crash.Stack); err != nil {
		return ""
	}
	return "this is a fault of hindcast; the stack is in " + f.Name() + " (it may hold text of the dump)"
}
