package store

import (
	"encoding/binary"
	"errors"

	"hindcast/model/varint"
)

// errPacked says that packed bytes are not what the writer made.
var errPacked = errors.Join(ErrCorrupt, errors.New("a packed column cannot be read"))

// unpacker reads a packed column.
type unpacker struct{ varint.Reader[[]byte] }

func unpack(b []byte) unpacker { return unpacker{varint.Of(b)} }

func (u *unpacker) err() error {
	if u.Bad {
		return errPacked
	}
	return nil
}

func packUint(dst []byte, v int64) []byte { return binary.AppendUvarint(dst, uint64(v)) }
func packInt(dst []byte, v int64) []byte  { return binary.AppendVarint(dst, v) }
