package mapped_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
	"hindcast/model/dialect/mapped"
)

// at, say and con are the three forms of a value.
func at(pointer string) mapped.Value { return mapped.Value{At: pointer} }
func say(text string) mapped.Value   { return mapped.Value{Text: text} }
func con(json string) mapped.Value   { return mapped.Value{Const: json} }

type args = map[string]mapped.Value

// shop is a mapping with rules for the records of a test.
func shop(rules ...mapped.Rule) mapped.Mapping {
	return mapped.Mapping{
		Name:   "shop",
		Detect: mapped.Detect{Present: []string{"/type"}},
		Event:  mapped.Event{ID: at("/id"), Sequence: at("/n"), Type: at("/type"), Session: at("/run"), Fields: mapped.Fields{Cause: at("/cause"), Parent: at("/parent"), Failed: &mapped.Failed{At: "/error"}}},
		Rules:  rules,
	}
}

// run imports records by a mapping, and gives their session.
func run(t *testing.T, m mapped.Mapping, records ...string) *trial.Session {
	t.Helper()
	d, err := mapped.New(m)
	if err != nil {
		t.Fatal(err)
	}
	im := trial.Import(t, d, trial.NewDump(map[string]string{"a.jsonl": strings.Join(records, "\n")}))
	if len(im.Sessions) != 1 || len(im.Broken) > 0 {
		t.Fatalf("%d sessions, broken: %q", len(im.Sessions), im.Broken)
	}
	return im.Sessions[0]
}

func does(do, each string, a args) mapped.Rule {
	return mapped.Rule{Effects: []mapped.Effect{{Do: do, Each: each, Args: a}}}
}

func TestPointersLeadAnywhere(t *testing.T) {
	s := run(t, shop(
		does("set", "", args{"path": at("/vars/second"), "value": at("/list/1/x")}),
		does("set", "", args{"path": at("/vars/packed"), "value": at("/packed/deep/0")}),
		does("set", "", args{"path": at("/vars/escaped"), "value": at("/a~1b/~0")}),
		does("set", "", args{"path": at("/vars/{/odd}/x"), "value": con("true")}),
		does("set", "", args{"path": at("/vars/lost/{/nothing}"), "value": con("1")}),
		does("set", "", args{"path": at("/vars/none"), "value": at("/nothing")}),
		does("set", "", args{"path": at("/vars/null"), "value": at("/null")}),
		does("set", "", args{"path": at("/vars/text"), "value": say("{/type} of {{{/nothing}}}")}),
		does("set", "/list", args{"path": at("/vars/each/{@key}"), "value": at("@/x")}),
		does("set", "/a~1b", args{"path": at("/vars/member/{@key}"), "value": at("@")}),
		does("set", "", args{"path": at("/vars/word"), "value": mapped.Value{At: "/type", Map: map[string]string{"A": "first"}}}),
		does("set", "", args{"path": at("/vars/other"), "value": mapped.Value{At: "/nothing", Otherwise: "else"}}),
	), `{"type":"A","list":[{"x":1},{"x":2}],"packed":"{\"deep\":\"[7]\"}","a/b":{"~":"t"},"odd":"p/q","null":null}`)
	for path, want := range map[string]any{
		"/vars/second": 2, "/vars/packed": 7, "/vars/escaped": "t", "/vars/p~1q": "map[x:true]", "/vars/text": "A of {}",
		"/vars/each": "map[0:1 1:2]", "/vars/member": "map[~:t]", "/vars/word": "first", "/vars/other": "else", "/vars/lost": nil, "/vars/none": nil, "/vars/null": nil,
	} {
		if got := s.Cell(t, 1, path); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
	if _, there := s.Log.At(1)["/vars/null"]; !there {
		t.Error("a null that is recorded is a value")
	}
}

func TestRulesAddUpAndTheFirstWordCounts(t *testing.T) {
	bad := &mapped.Failed{At: "/status", Not: []string{"ok*"}}
	s := run(t, shop(
		mapped.Rule{Type: []string{"tool.*"}, Kind: "action", Fields: mapped.Fields{Title: say("a tool: {/type}"), Failed: bad}},
		mapped.Rule{Has: []string{"/x/y"}, Kind: "state", Hidden: true, Fields: mapped.Fields{Title: at("/x/y"), Source: say("robot")}},
		mapped.Rule{Values: map[string][]string{"/x/y": {"4", "5?"}}, Effects: []mapped.Effect{{Do: "status", Args: args{"execution": at("/type")}}}},
	),
		`{"type":"tool.a","n":3,"id":"c","x":{"y":55},"status":"okay"}`,
		`{"type":"tool.b","n":1,"id":"a","status":"bad","error":null}`,
		`{"type":"else","n":2,"id":"b","x":{"y":44},"error":{"code":1}}`,
		`{"type":"plain","n":4,"word":"w","deep":{"in":[1],"it":true}}`)
	var got []string
	for _, e := range s.Events {
		got = append(got, fmt.Sprintf("%d %s %s %q %d %v %s", e.Seq, e.ID, e.Kind, e.Title, e.Outcome, e.Noise, e.Source))
	}
	want := []string{
		`1 a action "a tool: tool.b" 2 false `, `2 b state "44" 2 true robot`, `3 c action "a tool: tool.a" 1 true robot`, `4  other "plain word=w it=true" 0 false `,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := s.Cell(t, 3, "/status/execution"); got != "tool.a" {
		t.Errorf("execution %v", got)
	}
}

func TestLinks(t *testing.T) {
	m := shop(
		mapped.Rule{Type: []string{"ask"}, Fields: mapped.Fields{Call: at("/call"), Tool: at("/tool")}, Effects: []mapped.Effect{{Do: "call"}}},
		mapped.Rule{Type: []string{"answer"}, Fields: mapped.Fields{Call: at("/call")}, Effects: []mapped.Effect{{Do: "return"}}},
		mapped.Rule{Type: []string{"several"}, Effects: []mapped.Effect{{Do: "call", Each: "/calls", Args: args{"id": at("@/id"), "tool": at("@/tool")}}}},
	)
	s := run(t, m,
		`{"type":"start","id":"a"}`,
		`{"type":"ask","id":"b","parent":"a","call":"c1","tool":"bash"}`,
		`{"type":"several","id":"c","calls":[{"id":"c2","tool":"x"},{"id":"c3","tool":"y"}]}`,
		`{"type":"answer","id":"d","call":"c3","cause":["a","b"],"parent":"c"}`,
		`{"type":"answer","id":"e","call":"c1","cause":"nowhere"}`)
	var got []string
	for _, e := range s.Events {
		for _, l := range e.Links {
			got = append(got, fmt.Sprintf("%s %s %d", e.ID, l.Reason, l.To.Pos))
		}
	}
	want := []string{"b source 1", "d source 1", "d source 2", "d parent 3", "d action 3", "e source 0", "e action 2"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if e := s.Events[4]; e.Kind != model.KindObservation || e.Tool != "bash" {
		t.Errorf("the answer is %s of %s", e.Kind, e.Tool)
	}
	if sum := s.Linker.Summary(); sum.OpenCalls != 1 {
		t.Errorf("%d open calls", sum.OpenCalls)
	}
}

func TestFiles(t *testing.T) {
	s := run(t, shop(
		mapped.Rule{Has: []string{"/write"}, Effects: []mapped.Effect{{Do: "write", Args: args{"path": at("/write"), "text": at("/text")}}}},
		mapped.Rule{Has: []string{"/edit"}, Effects: []mapped.Effect{{Do: "edit", Args: args{"path": at("/edit"), "old": at("/old"), "new": at("/new"), "line": at("/line")}}}},
		mapped.Rule{Has: []string{"/gone"}, Effects: []mapped.Effect{{Do: "delete", Args: args{"path": at("/gone")}}}},
		mapped.Rule{Has: []string{"/from"}, Effects: []mapped.Effect{{Do: "move", Args: args{"from": at("/from"), "to": at("/to")}}}},
	),
		`{"type":"f","write":"a.txt","text":"one\ntwo\n"}`, `{"type":"f","edit":"a.txt","old":"two","new":"three"}`,
		`{"type":"f","edit":"a.txt","line":0,"new":"zero\n"}`, `{"type":"f","from":"a.txt","to":"b.txt"}`, `{"type":"f","gone":"b.txt"}`, `{"type":"f","edit":"a.txt"}`)
	for pos, want := range []string{"", "map[a.txt:one\ntwo\n]", "map[a.txt:one\nthree\n]", "map[a.txt:zero\none\nthree\n]", "map[b.txt:zero\none\nthree\n]", "map[]"} {
		if got := fmt.Sprint(s.Texts(int64(pos))); pos > 0 && got != want {
			t.Errorf("after %d: %q", pos, got)
		}
	}
}

func TestDetection(t *testing.T) {
	lines := `{"type":"a","id":1,"schema":"shop/2"}` + "\n" + `{"type":"b","id":2,"schema":"shop/2"}` + "\n"
	for _, c := range []struct {
		name   string
		detect mapped.Detect
		force  bool
		want   int // confidence; 0: not claimed
	}{
		{"nothing said", mapped.Detect{}, false, 40},
		{"present", mapped.Detect{Present: []string{"/schema"}}, false, 99},
		{"absent", mapped.Detect{Present: []string{"/schema", "/no"}}, false, 0},
		{"absent but forced", mapped.Detect{Present: []string{"/no"}}, true, 99},
		{"a value", mapped.Detect{Values: map[string][]string{"/schema": {"shop/*"}}}, false, 99},
		{"another value", mapped.Detect{Values: map[string][]string{"/schema": {"store/*"}}}, false, 0},
		{"a name", mapped.Detect{Files: []string{"*.jsonl"}}, false, 99},
		{"another name", mapped.Detect{Files: []string{"*.log"}}, false, 0},
	} {
		m := shop()
		m.Event.Sequence, m.Detect = mapped.Value{}, c.detect
		d, err := mapped.New(m)
		if err != nil {
			t.Fatal(err)
		}
		got := 0
		for _, s := range d.Claim(trial.NewDump(map[string]string{"run/a.jsonl": lines, "run/notes.txt": "words\n"}), c.force) {
			got = s.Confidence
		}
		if got != c.want {
			t.Errorf("%s: confidence %d, want %d", c.name, got, c.want)
		}
	}
}

func TestUnread(t *testing.T) {
	d, err := mapped.New(shop(mapped.Rule{Type: []string{"a"}, Effects: []mapped.Effect{{Do: "tasks", Each: "/list", Args: args{"title": at("@/t"), "status": at("@/s")}}}}))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	d.Unread([]byte(`{"type":"a","id":1,"list":[{"t":1,"s":2,"u":3}],"more":{"x":[1,2],"none":null,"empty":{}},"packed":"{\"y\":3}","braced":"{x}"}`), func(at string, v []byte) bool {
		got = append(got, at+" "+string(v))
		return true
	})
	if want := []string{"/list/*/u 3", "/more/x/* 1", "/more/x/* 2", "/more/empty {}", "/packed/y 3", `/braced "{x}"`}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if typ, ruled := d.Ruled([]byte(`{"type":"b"}`)); typ != "b" || ruled {
		t.Errorf("%s %v", typ, ruled)
	}
}

func TestErrorsNameTheirKey(t *testing.T) {
	m := shop(mapped.Rule{Kind: "nothing"})
	_, err := mapped.New(m)
	var wrong *mapped.Error
	if !errors.As(err, &wrong) || wrong.Key != "rule[0].kind" {
		t.Errorf("%v", err)
	}
}

// every has a rule for every effect, with each of its arguments.
func every() mapped.Mapping {
	m := shop()
	m.Records = []string{"events"}
	m.Event.SpawnedBy, m.Event.SessionParent, m.Event.SessionTitle = at("/by"), at("/up"), say("{/type}: {/id}")
	for _, v := range mapped.Verbs() {
		a := args{}
		for _, arg := range v.Args {
			a[arg.Name] = at("/" + arg.Name)
		}
		if v.Do == "set" || v.Do == "unset" {
			a["path"] = at("/vars/{/path}")
		}
		x := mapped.Effect{Do: v.Do, Args: a}
		inner := mapped.Effect{Do: v.Do, Each: "/each", Args: args{}}
		for name, value := range a {
			inner.Args[name] = value
			if strings.HasPrefix(value.At, "/") && name != "path" {
				inner.Args[name] = at("@" + value.At)
			}
		}
		if v.Do == "tasks" {
			x = inner
		}
		m.Rules = append(m.Rules, mapped.Rule{Has: []string{"/" + v.Do}, Effects: []mapped.Effect{x, inner}})
	}
	return m
}

func FuzzMapped(f *testing.F) {
	d, err := mapped.New(every())
	if err != nil {
		f.Fatal(err)
	}
	var all []string
	for _, v := range mapped.Verbs() {
		all = append(all, `"`+v.Do+`":1`)
	}
	trial.Fuzz(f, d, "run.jsonl",
		`{"type":"a","id":1,"n":1,`+strings.Join(all, ",")+`,"path":"p","text":"t","role":"user","old":"t","new":"u","from":"p","to":"q","command":"c","exit":1,"title":"x","status":"done","each":[{"id":"e","text":"t","title":"y","state":{"a":1},"forget":"all"}]}`,
		`{"events":[{"type":"a","by":"c","up":"s","cause":[1,2],"each":{"k":{"value":[1]}}}]}`, `{"type":"a","each":"[{\"x\":1}]"}`)
}

// A word of the mapping's own that means nothing is refused, one that records
// say is not known before.
func TestWordsThatMeanNothing(t *testing.T) {
	for _, role := range []mapped.Value{say("robot"), {At: "/by", Map: map[string]string{"x": "robot"}}, {At: "/by", Otherwise: "robot"}} {
		_, err := mapped.New(shop(does("message", "", args{"text": at("/text"), "role": role})))
		var wrong *mapped.Error
		if !errors.As(err, &wrong) || wrong.Key != "rule[0].effects[0].role" || !strings.Contains(wrong.Message, "robot") {
			t.Errorf("%+v: %v", role, err)
		}
	}
	for _, rule := range []mapped.Rule{does("message", "", args{"text": at("/text"), "role": say("tool")}), does("message", "", args{"text": at("/text"), "role": at("/by")})} {
		if _, err := mapped.New(shop(rule)); err != nil {
			t.Error(err)
		}
	}
	if _, err := mapped.New(shop(does("task", "", args{"id": at("/n"), "status": say("open")}))); err == nil {
		t.Error("a status open is none")
	}
}

// A title that is made of fields has the one that is the session's title.
func TestTheSessionsTitleIsAField(t *testing.T) {
	m := shop()
	m.Event.SessionTitle = at("/data/title")
	s := run(t, m, `{"id":"1","type":"Opened","data":{"title":"a jam","prio":3}}`)
	if got := s.Events[0].Title; got != "Opened title=a jam prio=3" {
		t.Errorf("%q", got)
	}
}
