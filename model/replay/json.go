package replay

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"

	"hindcast/model"
)

// Values are compact canonical JSON: as encoding/json writes it without HTML
// escaping, numbers as the source wrote them.

var null = model.Value{JSON: []byte("null")}

// leaf is the value of a cell that is a text or null.
func leaf(text *string) model.Value {
	if text == nil {
		return null
	}
	return model.Value{JSON: appendString(nil, *text)}
}

func leafInt(n *int64) model.Value {
	if n == nil {
		return null
	}
	return model.Value{JSON: strconv.AppendInt(nil, *n, 10)}
}

// leafCost rounds to a billionth: sums of decimals leave noise behind.
func leafCost(usd *float64) model.Value {
	if usd == nil {
		return null
	}
	sum := math.Round(*usd*1e9) / 1e9
	if size := math.Abs(sum); size >= 1e-6 && size < 1e21 {
		return model.Value{JSON: strconv.AppendFloat(make([]byte, 0, 16), sum, 'f', -1, 64)} // as below
	}
	text, err := json.Marshal(sum)
	if err != nil {
		return null
	}
	return model.Value{JSON: text}
}

// object appends members to a JSON object in the order of the calls.
type object struct{ b []byte }

func (o *object) name(key string) {
	sep := byte(',')
	if len(o.b) == 0 {
		sep = '{'
	}
	o.b = append(o.b, sep, '"')
	o.b = append(o.b, key...)
	o.b = append(o.b, '"', ':')
}

func (o *object) text(key, s string) {
	o.name(key)
	o.b = appendString(o.b, s)
}

func (o *object) textOrNull(key, s string) {
	if s == "" {
		o.raw(key, "null")
		return
	}
	o.text(key, s)
}

func (o *object) int(key string, n int64) {
	o.name(key)
	o.b = strconv.AppendInt(o.b, n, 10)
}

func (o *object) intOrNull(key string, n *int64) {
	o.name(key)
	o.b = append(o.b, leafInt(n).JSON...)
}

func (o *object) raw(key, value string) {
	o.name(key)
	o.b = append(o.b, value...)
}

func (o *object) value() model.Value { return model.Value{JSON: append(o.b, '}')} }

// appendString appends s as a JSON string.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return append(b, encode(s)...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// encode is json.Marshal without HTML escaping, of what cannot fail.
func encode(v any) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return []byte("null")
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}

// decode reads JSON with numbers as written.
func decode(text []byte) (any, bool) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil || dec.InputOffset() != int64(len(bytes.TrimRight(text, " \t\r\n"))) {
		return nil, false
	}
	return v, true
}
