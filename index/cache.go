package index

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"hindcast/index/source"
	"hindcast/index/store"
)

// schemaEpoch names what decoders and linkers of this program make of a dump.
// An index of another epoch is built again.
const schemaEpoch = "1"

// ErrNoPlace is wrapped where there is no folder to keep an index in.
var ErrNoPlace = errors.New("no place for the index")

// CacheDir is the folder of the indexes: $XDG_CACHE_HOME/hindcast, else the
// platform's own.
func CacheDir() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoPlace, err)
	}
	return filepath.Join(base, "hindcast"), nil
}

// place decides where the index of a dump of that identity lives. temporary
// says that nothing can find it again.
func place(id string, o Options) (path string, temporary bool, err error) {
	if o.IndexPath != "" {
		if _, err := os.Stat(filepath.Dir(o.IndexPath)); err != nil {
			return "", false, fmt.Errorf("%w %s: its folder cannot be used: %w", ErrNoPlace, o.IndexPath, err)
		}
		return o.IndexPath, false, nil
	}
	dir, err := CacheDir()
	if err != nil {
		return "", false, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", false, fmt.Errorf("%w: make the cache folder: %w", ErrNoPlace, err)
	}
	if id == "" {
		f, err := os.CreateTemp(dir, "pipe-*.db")
		if err != nil {
			return "", false, fmt.Errorf("%w: make one for the pipe: %w", ErrNoPlace, err)
		}
		return f.Name(), true, f.Close()
	}
	return filepath.Join(dir, indexName(id, o)), false, nil
}

// indexName is what the index of a dump of that identity is called in the cache.
func indexName(id string, o Options) string {
	key := id + "\x00" + o.Dialect
	if len(o.Mappings) > 0 {
		key += "\x00" + mappingsText(o.Mappings)
	}
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:12]) + ".db"
}

// current reports that an index was made by this program, in the way that is
// asked for now.
func current(meta map[string]string, o Options) bool {
	return meta["epoch"] == schemaEpoch && meta["dialect"] == o.Dialect && meta["mappings"] == mappingsText(o.Mappings)
}

// fit says how an index that exists suits the dump as it is now.
type fit uint8

const (
	fitStale fit = iota // another dump, or one that changed: build anew
	fitGrown            // the dump is longer, or the import was not finished
	fitWhole            // nothing new
)

// compare looks whether an index still belongs to its dump. Size, inode and
// both times unchanged mean unchanged; else the bytes at head and tail of what
// was indexed decide.
func compare(meta map[string]string, sources []store.Source, skipped int, d *source.Dump, o Options) fit {
	if !current(meta, o) || len(sources) == 0 {
		return fitStale
	}
	byName := make(map[string]int)
	for i, f := range d.Files() {
		byName[f.Name] = i
	}
	result := fitWhole
	if meta["complete"] == "" || len(sources)+skipped < len(byName)+len(d.Skipped()) {
		result = fitGrown
	}
	for _, s := range sources {
		i, ok := byName[s.Name]
		if !ok {
			return fitStale
		}
		switch compareFile(s, d, i) {
		case fitStale:
			return fitStale
		case fitGrown:
			result = fitGrown
		}
	}
	return result
}

func compareFile(s store.Source, d *source.Dump, i int) fit {
	e := d.Entry(i)
	if e.Gone {
		return fitWhole // what is indexed still answers
	}
	if !s.Done {
		return fitGrown
	}
	same := e.ModTime == s.ModTime && e.ChangeTime == s.ChangeTime && e.Inode == s.Inode
	if e.Addressable {
		if e.Size < s.Indexed {
			return fitStale
		}
		if !same {
			head, tail, err := d.Fingerprint(i, s.Indexed)
			if err != nil || head != s.Head || tail != s.Tail {
				return fitStale
			}
		}
		if e.Size != s.Size {
			return fitGrown
		}
		return fitWhole
	}
	if same && !e.Database {
		return fitWhole
	}
	if e.Database && !same {
		return fitStale // a page in its middle may be another
	}
	head, tail, err := d.Fingerprint(i, e.Packed)
	if err != nil || head != s.Head || tail != s.Tail {
		return fitStale
	}
	return fitWhole
}

// removeIndex deletes an index that is ours, with its side files.
func removeIndex(path string) error {
	for _, suffix := range []string{"", "-wal", "-shm", "-journal", ".lock"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("remove the old index: %w", err)
		}
	}
	return nil
}
