//go:build !linux && !darwin

package source

import "io/fs"

// openFlags: nothing more than read-only can be asked for everywhere.
const openFlags = 0

// identity knows no inodes here: changes show by size and time alone.
func identity(fs.FileInfo) (changed int64, inode uint64) { return 0, 0 }

// readable cannot be asked here; opening the file tells.
func readable(string, fs.FileInfo) bool { return true }
