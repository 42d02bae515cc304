package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"hindcast/inspector/command"
	"hindcast/model/dialect"
	"hindcast/model/dialect/mapped"
	"hindcast/model/query"
)

// TestTables fills what stands in a page between <!-- NAME --> and
// <!-- end NAME --> from the tables of the program.
func TestTables(t *testing.T) {
	tables := map[string]string{
		"verbs": verbs(), "formats": formats(), "fields": fields(t), "keys": keys(t), "mapping effects": effects(),
	}
	used := map[string]bool{}
	for _, name := range pages(t) {
		have := read(t, name)
		want := have
		for table, body := range tables {
			open, shut := "<!-- "+table+" -->\n", "<!-- end "+table+" -->"
			from := strings.Index(want, open)
			if from < 0 {
				continue
			}
			from += len(open)
			to := strings.Index(want[from:], shut)
			if to < 0 {
				t.Fatalf("%s: the table %s does not end", name, table)
			}
			used[table] = true
			want = want[:from] + body + want[from+to:]
		}
		settle(t, name, have, want)
	}
	for table := range tables {
		if !used[table] {
			t.Errorf("no page shows the table %s", table)
		}
	}
}

// cell is a text in a table of Markdown.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// plain is a text of the program in which nothing is Markdown.
var plain = strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "`", "\\`")

func verbs() string {
	var b strings.Builder
	b.WriteString("| verb | does |\n|---|---|\n")
	for _, c := range command.All() {
		b.WriteString("| `" + cell(c.Usage()) + "` | " + cell(c.Short) + " |\n")
	}
	return b.String()
}

func formats() string {
	var b strings.Builder
	b.WriteString("| dialect | program | packagings |\n|---|---|---|\n")
	for _, d := range dialect.All() {
		i := d.Info()
		packs := make([]string, len(i.Packs))
		for n, p := range i.Packs {
			packs[n] = plain.Replace(p)
		}
		b.WriteString("| [`" + i.Name + "`](docs/dialects/" + i.Name + ".md) | " + cell(i.Title) + ": " + cell(i.Versions) + " | " + strings.Join(packs, "; ") + " |\n")
	}
	return b.String()
}

// effects lists what a rule of a mapping may have.
func effects() string {
	var b strings.Builder
	b.WriteString("| `do` | means | takes |\n|---|---|---|\n")
	for _, v := range mapped.Verbs() {
		var args []string
		for _, a := range v.Args {
			needed := ""
			if a.Needed {
				needed = " (needed)"
			}
			args = append(args, "`"+a.Name+"`"+needed+": "+a.About)
		}
		b.WriteString("| `" + v.Do + "` | " + cell(v.About) + " | " + cell(strings.Join(args, "; ")) + " |\n")
	}
	return b.String()
}

// fieldHelp explains each field of the filter language; one that is missing
// here, or left over, fails the test.
var fieldHelp = []struct{ name, takes, matches string }{
	{"text", "words", "the record's decoded text: every string in it, escapes resolved"},
	{"re", "a regular expression", "a match in the decoded text or in the title (RE2 syntax)"},
	{"title", "words, or a pattern", "the one-line title that lists show"},
	{"type", "patterns", "the dialect's own type name"},
	{"kind", "names", "hindcast's kind: " + kinds()},
	{"tool", "patterns", "the tool of a call or of its result"},
	{"source", "patterns", "who wrote the event: user, agent, ..."},
	{"session", "patterns", "the session's id"},
	{"id", "patterns", "the event's id, or another id that its record carries"},
	{"call", "patterns", "the id of the call"},
	{"origin", "names", "recorded, derived, inherited, copied"},
	{"failed", "names", "true, false, null (not known)"},
	{"seq", "numbers", "the number that people type for an event"},
	{"pos", "numbers", "the place in replay order, from 1"},
	{"bytes", "sizes", "the length of the record: 512, 10k, 1.5m, 4ki"},
	{"time", "times", "2026-03-01, 2026-03-01T10:00, with or without a zone"},
	{"since", "a time or a span", "not before it; a span (10m, 2h) counts back from the last event"},
	{"until", "a time or a span", "not after it"},
}

func kinds() string {
	return "message, action, observation, error, checkpoint, session, state, hook, delta, other"
}

func fields(t *testing.T) string {
	t.Helper()
	known := map[string]bool{}
	for _, n := range query.FieldNames() {
		known[n] = true
	}
	var b strings.Builder
	b.WriteString("| field | takes | matches |\n|---|---|---|\n")
	for _, f := range fieldHelp {
		if !known[f.name] {
			t.Errorf("the filter language has no field %s", f.name)
		}
		delete(known, f.name)
		b.WriteString("| `" + f.name + ":` | " + f.takes + " | " + f.matches + " |\n")
	}
	for n := range known {
		t.Errorf("the field %s is not explained", n)
	}
	return b.String()
}

// keys reads the key table from the inspector's source: it is data, and the
// functions beside it are nobody's business here.
func keys(t *testing.T) string {
	t.Helper()
	name := filepath.Join("..", "inspector", "keymap.go")
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	titles := rowsOf(t, file, "groupTitles", 2)
	rows := rowsOf(t, file, "bindings", 4)
	if len(titles) < 5 || len(rows) < 30 {
		t.Fatalf("%s: found %d groups and %d keys", name, len(titles), len(rows))
	}
	var b strings.Builder
	for _, g := range titles {
		b.WriteString("### " + g[1] + "\n\n| key | name | |\n|---|---|---|\n")
		for _, r := range rows {
			if r[2] != g[0] {
				continue
			}
			b.WriteString("| " + keyCaps(r[0]) + " | " + keyCaps(r[1]) + " | " + plain.Replace(r[3]) + " |\n")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func keyCaps(keys string) string {
	list := strings.Fields(keys)
	for i, k := range list {
		list[i] = "`" + cell(k) + "`"
	}
	return strings.Join(list, " ")
}

// rowsOf finds the composite literals with at least n leading string literals
// in the declaration of a name, and gives these strings.
func rowsOf(t *testing.T, file *ast.File, name string, n int) [][]string {
	t.Helper()
	var rows [][]string
	collect := func(node ast.Node) bool {
		lit, ok := node.(*ast.CompositeLit)
		if !ok || len(lit.Elts) < n {
			return true
		}
		row := make([]string, 0, n)
		for _, e := range lit.Elts[:n] {
			basic, ok := e.(*ast.BasicLit)
			if !ok || basic.Kind != token.STRING {
				return true
			}
			s, err := strconv.Unquote(basic.Value)
			if err != nil {
				t.Fatal(err)
			}
			row = append(row, s)
		}
		rows = append(rows, row)
		return false
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.Name == name {
				ast.Inspect(d, collect)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok && v.Names[0].Name == name {
					ast.Inspect(v, collect)
				}
			}
		}
	}
	return rows
}
