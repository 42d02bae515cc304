package source

import (
	"io/fs"
	"syscall"
)

// openFlags keep a swapped-in FIFO from blocking and a swapped-in link from
// being followed.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// identity gives the time of the last change of the inode (ns since 1970) and
// its number; zero where the file system tells neither.
func identity(fi fs.FileInfo) (changed int64, inode uint64) {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return st.Ctim.Nano(), st.Ino
	}
	return 0, 0
}

// readable asks the system whether the file may be read, where its mode does
// not say so of everyone.
func readable(path string, mode fs.FileMode) bool {
	return mode&0o444 == 0o444 || syscall.Access(path, 4) == nil
}
