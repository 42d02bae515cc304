package mapping_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hindcast/index/mapping"
)

// head is a mapping to which the wrong things are added.
const head = `name = "shop"

[event]
id = "/id"
type = "/type"
`

func TestWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		name, text string
		line       int
		key, says  string
		hint       string
	}{
		{"no TOML", head + "session = \n", 6, "", "", "TOML"},
		{"unknown key", head + "sesion = \"/s\"\n", 6, "event.sesion", "no such key", "session"},
		{"unknown key at the top", "kind = 1\n" + head, 1, "kind", "no such key", "detect"},
		{"no name", "[event]\ntype = \"/t\"\n", 0, "name", "names no dialect", "my-agent"},
		{"a name of the program's own", strings.Replace(head, "shop", "codex", 1), 1, "name", "the program's own", "another"},
		{"no type", "name = \"a\"\n\n[event]\nid = \"/id\"\n", 3, "event.type", "missing", `type = "/type"`},
		{"a path with dots", head + "session = \"meta.stream\"\n", 6, "event.session", "the same for every record", "/meta/stream"},
		{"a bad escape", head + "session = \"/a~2b\"\n", 6, "event.session", "~0", "/data/items/0/id"},
		{"a brace", head + "title = \"{/a\"\n", 6, "event.title", "without its }", "{/data/id}"},
		{"a pointer in braces", head + "title = \"{a}\"\n", 6, "event.title", "no JSON Pointer", "{/data/id}"},
		{"a wrong kind", head + "\n[[rule]]\nkind = \"info\"\n", 8, "rule[0].kind", `"info"`, "observation"},
		{"an unknown effect", head + "\n[[rule]]\n[[rule]]\neffects = [\n{ do = \"set\", path = \"/vars/a\", value = 1 },\n{ do = \"say\" }]\n", 11, "rule[1].effects[1].do", `"say"`, "message"},
		{"nothing done", head + "\n[[rule]]\neffects = [{ text = \"/a\" }]\n", 8, "rule[0].effects[0]", "does not say what it does", "do ="},
		{"an argument too few", head + "\n[[rule]]\neffects = [{ do = \"message\", text = \"/a\" }]\n", 8, "rule[0].effects[0]", "needs role", "user"},
		{"an argument too many", head + "\n[[rule]]\neffects = [\n{ do = \"delete\",  path = \"/a\", txt = \"/b\" }]\n", 9, "rule[0].effects[0].txt", "takes no txt", "path"},
		{"not under /vars", head + "\n[[rule]]\neffects = [{ do = \"set\", path = \"/x/a\", value = \"/b\" }]\n", 8, "rule[0].effects[0].path", "/vars/", "/vars/orders"},
		{"a map without a place", head + "\n[[rule]]\ntitle = { map = { a = \"b\" } }\n", 8, "rule[0].title", "does not say where", "at ="},
		{"a condition on no pointer", head + "\n[detect.values]\nschema = \"a\"\n", 8, "detect.values.schema", "no JSON Pointer", "/data/items/0/id"},
		{"failed, but where", head + "failed = { is = \"x\" }\n", 6, "event.failed", "no JSON Pointer", "/data/items/0/id"},
		{"a list for a table", head + "\n[detect]\nvalues = [1]\n", 8, "detect.values", "no table", "{ key = value }"},
		{"a number for a text", "name = [1]\n", 1, "name", "no text", "quotes"},
		{"tasks of no list", head + "\n[[rule]]\neffects = [{ do = \"tasks\", title = \"/a\", status = \"/b\" }]\n", 8, "rule[0].effects[0]", "needs a list", "each"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := mapping.Parse([]byte(c.text))
			var wrong *mapping.Error
			if !errors.As(err, &wrong) {
				t.Fatalf("got %v", err)
			}
			if wrong.Line != c.line || wrong.Key != c.key || !strings.Contains(wrong.Message, c.says) || !strings.Contains(wrong.Hint, c.hint) {
				t.Errorf("line %d, key %s: %s (%s)", wrong.Line, wrong.Key, wrong.Message, wrong.Hint)
			}
		})
	}
}

func TestByteOrderMarks(t *testing.T) {
	if m, err := mapping.Parse([]byte("\ufeff" + head)); err != nil || m.Name != "shop" {
		t.Errorf("behind a mark: %+v, %v", m, err)
	}
	wide := func(text string) string {
		return strings.Join(strings.Split(text, ""), "\x00")
	}
	for _, text := range []string{"\xff\xfe" + wide(head) + "\x00", "\xfe\xff\x00" + wide(head), wide(head) + "\x00", "\x00" + wide(head)} {
		_, err := mapping.Parse([]byte(text))
		var wrong *mapping.Error
		if !errors.As(err, &wrong) || wrong.Message != "it is UTF-16 text" || !strings.Contains(wrong.Hint, "UTF-8") {
			t.Errorf("%q: %v", text[:6], err)
		}
	}
}

func TestLoad(t *testing.T) {
	folder, named := t.TempDir(), filepath.Join(t.TempDir(), "mine.toml")
	for file, text := range map[string]string{
		filepath.Join(folder, "a.toml"):    head,
		filepath.Join(folder, "b.toml"):    strings.Replace(head, "shop", "agent", 1),
		filepath.Join(folder, "c.toml"):    strings.Replace(head, "shop", "agent", 1),
		filepath.Join(folder, "d.toml"):    "name = 1",
		filepath.Join(folder, "README.md"): "words",
		named:                              head + "title = \"/mine\"\n",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, left, err := mapping.Load([]string{named}, folder)
	if err != nil || len(all) != 2 || all[0].Name != "shop" || all[0].Event.Title.At != "/mine" || all[1].Name != "agent" {
		t.Errorf("%v: %+v", err, all)
	}
	if len(left) != 2 || !strings.Contains(left[0].Error(), "c.toml: name: \"agent\" is the name in") || !strings.Contains(left[1].Error(), "d.toml") {
		t.Errorf("left out: %v", left)
	}
	if _, _, err := mapping.Load([]string{named, filepath.Join(folder, "a.toml")}, ""); err == nil {
		t.Error("one name may stand twice")
	}
	if all, _, err := mapping.Load([]string{named, named}, ""); err != nil || len(all) != 1 {
		t.Errorf("a file that is named twice: %v", err)
	}
	if _, _, err := mapping.Load([]string{filepath.Join(folder, "none.toml")}, ""); err == nil || !strings.Contains(err.Error(), "none.toml: no such file") {
		t.Errorf("a file that is not there: %v", err)
	}
	if all, left, err := mapping.Load(nil, filepath.Join(folder, "nowhere")); len(all)+len(left) > 0 || err != nil {
		t.Errorf("a folder that is not there: %v %v %v", all, left, err)
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range []string{"agent", "orders"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "fixtures", "mappings", name+".toml"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("[[a]]\nb=[{c.d=1}]\n[a.e]\nf.g=2\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		_, err := mapping.Parse(text)
		var wrong *mapping.Error
		if err != nil && !errors.As(err, &wrong) {
			t.Errorf("%T: %v", err, err)
		}
	})
}
