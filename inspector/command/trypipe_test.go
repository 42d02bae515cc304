//go:build unix

package command_test

import (
	"os"
	"syscall"
	"testing"
)

// TestTryWaitsForNoPipe: a mapping that becomes a named pipe is told, and read
// again once it is a file.
func TestTryWaitsForNoPipe(t *testing.T) {
	f := newFollowing(t, followed, hello)
	f.until(`"title":"a word=hello"`)
	if err := syscall.Mkfifo(f.file+".pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(f.file+".pipe", f.file); err != nil {
		t.Fatal(err)
	}
	f.until("it is a named pipe")
	f.save(f.file, followed+"title = \"/word\"\n")
	f.until(`"title":"hello"`)
}
