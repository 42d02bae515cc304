package command

import (
	"bytes"
	"io"

	"hindcast/model/answer"
)

// jsonList writes a JSON object whose last member is a list, item by item, as
// the encoder would write it whole.
type jsonList struct {
	w     io.Writer
	count int
}

// begin opens the object; members stand before the list's name, each a line
// without its comma.
func (l *jsonList) begin(name string, members ...string) error {
	var b bytes.Buffer
	b.WriteString("{\n")
	for _, m := range members {
		b.WriteString("  " + m + ",\n")
	}
	b.WriteString("  \"" + name + "\": [")
	_, err := l.w.Write(b.Bytes())
	return err
}

func (l *jsonList) add(v any) error {
	var buf bytes.Buffer
	if err := answer.Encode(&buf, v); err != nil {
		return err
	}
	lead := "\n    "
	if l.count++; l.count > 1 {
		lead = ",\n    "
	}
	body := bytes.ReplaceAll(bytes.TrimRight(buf.Bytes(), "\n"), []byte("\n"), []byte("\n    "))
	_, err := l.w.Write(append([]byte(lead), body...))
	return err
}

func (l *jsonList) end() error {
	tail := "\n  ]\n}\n"
	if l.count == 0 {
		tail = "]\n}\n"
	}
	_, err := io.WriteString(l.w, tail)
	return err
}
