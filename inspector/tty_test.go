//go:build unix

package inspector

import (
	"bytes"
	"io"
	"testing"
	"testing/iotest"

	"github.com/gdamore/tcell/v2"
)

// fakeTty is a terminal of which only the input counts.
type fakeTty struct {
	tcell.Tty
	in io.Reader
}

func (f *fakeTty) Read(p []byte) (int, error) { return f.in.Read(p) }

func TestInputIsWholeCharacters(t *testing.T) {
	for in, want := range map[string]string{
		"jk\x1b[A":                 "jk\x1b[A",
		"a\xffb":                   "ab",
		"\xe9q":                    "q",
		"\xc3(":                    "(",
		"\x1b[200~a\xffb\x1b[201~": "\x1b[200~ab\x1b[201~",
		"größe 数据 🙂":               "größe 数据 🙂",
		"\xf0\x9f\x99":             "",
		"\x80\x80\x80x":            "x",
	} {
		for name, r := range map[string]io.Reader{"whole": bytes.NewReader([]byte(in)), "bytes": iotest.OneByteReader(bytes.NewReader([]byte(in)))} {
			got, err := io.ReadAll(&cleanTty{Tty: &fakeTty{in: r}})
			if err != nil || string(got) != want {
				t.Errorf("%q read %s gives %q, %v; want %q", in, name, got, err, want)
			}
		}
	}
}
