package tomlfile

import (
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Line is the line of a key, as errors write it (rule[2].effects[0].text), or of
// the nearest above it that the text has; 0 where there is none.
func (d Document) Line(key string) int {
	lines := keyLines(d.text)
	for key != "" {
		if n := lines[key]; n > 0 {
			return n
		}
		key = key[:max(strings.LastIndexAny(key, ".["), 0)]
	}
	return 0
}

// liner notes the lines of keys.
type liner struct {
	p     unstable.Parser
	lines map[string]int
	count map[string]int // elements so far of the lists that [[...]] makes
}

// keyLines finds the line of every key of a TOML text, by the key as errors
// write it: rule[2].effects[0].text.
func keyLines(text []byte) map[string]int {
	l := liner{lines: map[string]int{}, count: map[string]int{}}
	l.p.Reset(text)
	table := ""
	for l.p.NextExpression() {
		switch e := l.p.Expression(); e.Kind {
		case unstable.Table:
			table = l.path("", e.Key(), false)
		case unstable.ArrayTable:
			table = l.path("", e.Key(), true)
		case unstable.KeyValue:
			l.member(table, e)
		}
	}
	return l.lines
}

// path joins the steps of a key to the table that it stands in, and notes where
// each is seen first. A step that names a list of tables means its last
// element; grow: the last step makes a new one.
func (l *liner) path(table string, steps unstable.Iterator, grow bool) string {
	for steps.Next() {
		step := steps.Node()
		if table != "" {
			table += "."
		}
		table += string(step.Data)
		if grow && steps.IsLast() {
			l.count[table]++
		}
		if n := l.count[table]; n > 0 {
			table = fmt.Sprintf("%s[%d]", table, n-1)
		}
		l.note(table, step)
	}
	return table
}

func (l *liner) note(key string, n *unstable.Node) {
	if l.lines[key] == 0 && n.Raw.Length > 0 {
		l.lines[key] = l.p.Shape(n.Raw).Start.Line
	}
}

func (l *liner) member(table string, e *unstable.Node) {
	l.value(l.path(table, e.Key(), false), e.Value())
}

// value notes what stands in inline tables and lists.
func (l *liner) value(key string, v *unstable.Node) {
	inner := v.Children()
	switch v.Kind {
	case unstable.InlineTable:
		for inner.Next() {
			l.member(key, inner.Node())
		}
	case unstable.Array:
		for i := 0; inner.Next(); i++ {
			at := fmt.Sprintf("%s[%d]", key, i)
			l.value(at, inner.Node())
			l.first(at, inner.Node())
		}
	}
}

// first notes the line of an element by what stands in it.
func (l *liner) first(at string, v *unstable.Node) {
	l.note(at, v)
	if v.Kind != unstable.InlineTable {
		return
	}
	if inner := v.Children(); inner.Next() {
		if key := inner.Node().Key(); key.Next() {
			l.note(at, key.Node())
		}
	}
}
