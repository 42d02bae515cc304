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
		return st.Ctimespec.Nano(), st.Ino
	}
	return 0, 0
}

// readable tells whether a file may be read. The system is asked only where
// mode and owner do not say so: a listing may hold a million files.
func readable(path string, fi fs.FileInfo) bool {
	mode := fi.Mode()
	st, ok := fi.Sys().(*syscall.Stat_t)
	owned := ok && mode&0o400 != 0 && int64(st.Uid) == int64(syscall.Geteuid())
	return mode&0o444 == 0o444 || owned || syscall.Access(path, 4) == nil
}
