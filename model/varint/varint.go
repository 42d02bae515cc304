// Package varint reads packed bytes: numbers as varints, and texts behind their
// length. Working states and columns of the index are made of them. It knows
// nothing of what they mean.
package varint

import "encoding/binary"

// Reader reads packed bytes from their start on. An index file may hold
// anything: once something is not there, Bad is set, nothing is left, and all
// that is read is empty.
type Reader[T string | []byte] struct {
	Rest T // what is not read yet
	Bad  bool
}

// Of reads b.
func Of[T string | []byte](b T) Reader[T] { return Reader[T]{Rest: b} }

// Fail says that the bytes are not what the writer made.
func (r *Reader[T]) Fail() {
	var none T
	r.Rest, r.Bad = none, true
}

// More reports that bytes are left.
func (r *Reader[T]) More() bool { return len(r.Rest) > 0 }

// Byte reads one byte.
func (r *Reader[T]) Byte() byte {
	if len(r.Rest) == 0 {
		r.Fail()
		return 0
	}
	c := r.Rest[0]
	r.Rest = r.Rest[1:]
	return c
}

// Uint reads a number that AppendUvarint of encoding/binary wrote.
func (r *Reader[T]) Uint() uint64 {
	if len(r.Rest) > 0 && r.Rest[0] < 0x80 {
		c := r.Rest[0]
		r.Rest = r.Rest[1:]
		return uint64(c)
	}
	var v uint64
	for i := 0; i < len(r.Rest) && i < binary.MaxVarintLen64; i++ {
		c := r.Rest[i]
		if i == binary.MaxVarintLen64-1 && c > 1 {
			break // more than 64 bits
		}
		v |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			r.Rest = r.Rest[i+1:]
			return v
		}
	}
	r.Fail()
	return 0
}

// Count is Uint of what an int64 holds.
func (r *Reader[T]) Count() int64 {
	v := r.Uint()
	if v > 1<<63-1 {
		r.Fail()
		return 0
	}
	return int64(v)
}

// Int reads a number that AppendVarint of encoding/binary wrote.
func (r *Reader[T]) Int() int64 {
	v := r.Uint()
	return int64(v>>1) ^ -int64(v&1)
}

// Take gives the next n bytes, as part of the whole.
func (r *Reader[T]) Take(n int64) T {
	if n < 0 || n > int64(len(r.Rest)) {
		r.Fail()
		n = 0
	}
	b := r.Rest[:n]
	r.Rest = r.Rest[n:]
	return b
}

// Text reads what AppendText wrote, as part of the whole.
func (r *Reader[T]) Text() T { return r.Take(r.Count()) }

// AppendText writes the length of a text in bytes, and the text.
func AppendText[T string | []byte](dst []byte, text T) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}
