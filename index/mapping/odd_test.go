//go:build unix

package mapping_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"hindcast/index/mapping"
)

// TestOddFiles: what is no regular file is refused, and not waited for; the
// size that counts is what can be read.
func TestOddFiles(t *testing.T) {
	dir := t.TempDir()
	pipe, link, large := filepath.Join(dir, "pipe.toml"), filepath.Join(dir, "link.toml"), filepath.Join(dir, "large.toml")
	for _, err := range []error{
		syscall.Mkfifo(pipe, 0o600), os.Symlink("pipe.toml", link), os.Mkdir(filepath.Join(dir, "folder.toml"), 0o700),
		os.WriteFile(large, []byte(strings.Repeat("#", 5<<20)), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for file, says := range map[string]string{
		pipe: "it is a named pipe", link: "it is a named pipe", large: "it has more than 4194304 bytes",
		filepath.Join(dir, "folder.toml"): "it is a folder", "/dev/zero": "it is a device",
	} {
		if _, err := mapping.Read(file); err == nil || err.Error() != "mapping "+file+": "+says {
			t.Errorf("%s: %v, want %s", file, err, says)
		}
	}
	all, left, err := mapping.Load(nil, dir)
	if len(all) > 0 || len(left) != 4 || err != nil {
		t.Errorf("of the folder: %v, %v, %v", all, left, err)
	}
	if _, left, err := mapping.Load(nil, pipe); len(left) != 1 || err != nil {
		t.Errorf("a pipe for the folder: %v, %v", left, err)
	}
}
