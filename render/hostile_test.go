package render

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"hindcast/model"
	"hindcast/render/theme"
)

// hostile holds what must never reach a terminal as it is: one string for each
// way to steer it or to hide from its reader.
var hostile = map[string]string{
	"screen":        "\x1b[2J\x1b[H\x1b[31mFAKE",
	"clipboard":     "\x1b]52;c;ZXZpbA==\x07\x1b]52;c;?\x07",
	"hyperlink":     "\x1b]8;;https://evil.example/\x1b\\x\x1b]8;;\x07",
	"less bypass":   "\x1b]8;;\x1b0m\x1b[>0q",
	"open osc":      "end \x1b]8;;",
	"c1":            "\u009b31m\u009d52;c;x\u009c",
	"raw c1":        "a\x9b31mb",
	"dcs apc pm":    "\x1bP1$r\x1b\\\x1b_Gx\x1b\\\x1b^x\x1b\\\x1bXy",
	"queries":       "\x1b[6n\x1b]10;?\x07\x1b[>0q",
	"cut sequence":  "title\x1b",
	"its other end": "[2Jnext",
	"tags of tview": `[red][::b]["r1"]x[""][-][#ff0000]`,
	"url tag":       "A[:::https://evil.example/x]click[:::-]B",
	"bidi":          "\u202e\u2066gpj.exe\u2069\u202c\u061c\u200e\u200f",
	"hidden tags":   "ok\U000e0069\U000e0067\U000e006e\U000e006f\U000e007f",
	"invisible":     "\u200b\u200c\u200d\u2060\ufeff\u00ad\u3164\ufe00\U000e0101",
	"homoglyph":     "pаyment.go",
	"marks":         "A" + strings.Repeat("\u0301", 5000),
	"jamo":          strings.Repeat("\u1100", 500) + strings.Repeat("\u1161", 500),
	"wide":          "👩‍👩‍👧‍👦🇩🇪﷽漢字☁️",
	"controls":      "real\rfake\b\b\v\f\x7f\t\u0085\u2028\u2029\x00",
	"conceal":       "\x1b[8mhidden\x1b[28m",
	"newlines":      "one\ntwo\r\nthree",
	"interlinear":   "\ufff9a\ufffab\ufffb",
	"invalid":       "a\xff\xc0\xaf\xed\xa0\x80",
}

// checkLines fails on anything in drawn lines that a terminal might act on, a
// reader not see, or a layout not expect.
func checkLines(t *testing.T, what string, lines []Line, width int) {
	t.Helper()
	for _, sgr := range []*theme.Theme{nil, theme.Dark} {
		var b bytes.Buffer
		if err := WriteLines(&b, lines, sgr); err != nil {
			t.Fatal(err)
		}
		out := stripOwn(b.String(), sgr)
		if n := strings.Count(out, "\n"); n != len(lines) {
			t.Errorf("%s: %d newlines for %d lines", what, n, len(lines))
		}
		if !utf8.ValidString(out) {
			t.Errorf("%s: invalid UTF-8", what)
		}
		for _, r := range out {
			if r != '\n' && (model.Deceptive(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)) {
				t.Errorf("%s: %U comes out", what, r)
				return
			}
		}
	}
	within(t, lines, width)
}

// stripOwn takes a theme's own sequences out of its output.
func stripOwn(s string, sgr *theme.Theme) string {
	for _, r := range theme.Roles() {
		on, off := sgr.SGR(r)
		if on != "" {
			s = strings.ReplaceAll(strings.ReplaceAll(s, on, ""), off, "")
		}
	}
	return s
}

// poison puts s into every string that v holds, at any depth.
func poison(v reflect.Value, s string) {
	switch v.Kind() {
	case reflect.String:
		if v.CanSet() {
			v.SetString(s)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			poison(v.Elem(), s)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			poison(v.Field(i), s)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		for i := range v.Len() {
			poison(v.Index(i), s)
		}
	}
}

func poisoned[T any](v T, s string) T {
	poison(reflect.ValueOf(&v).Elem(), s)
	return v
}

// poisonedRows is the story with a string in every field; the results are
// copies, since poison writes through pointers.
func poisonedRows(s string) []row {
	rows := story()
	for i := range rows {
		rows[i].event = poisoned(rows[i].event, s)
		if rows[i].result != nil {
			r := poisoned(*rows[i].result, s)
			rows[i].result = &r
		}
	}
	return rows
}

func TestHostileTextInAnswers(t *testing.T) {
	for name, s := range hostile {
		t.Run(name, func(t *testing.T) {
			for _, width := range []int{80, 30, 0} {
				var events []model.Event
				for _, r := range poisonedRows(s) {
					events = append(events, r.event)
					for _, clock := range []TimeColumn{TimeRelative, TimeDelta, TimeClock, TimeNone} {
						o := RowOptions{Width: width, Time: clock, Session: true, Start: at(0), Before: at(0)}
						checkLines(t, "row", []Line{EventRow(r.event, r.result, o)}, width)
					}
				}
				checkLines(t, "events", Events(events, width), width)
				checkLines(t, "header", Header(events[6], events[:2], width), width)
				checkLines(t, "why", Why(poisoned(whyAnswer(storyEvents()), s), width), width)
				checkLines(t, "effects", Effects(poisoned(effectsAnswer(storyEvents()), s), width), width)
				checkLines(t, "sessions", Sessions(poisoned(sessionsAnswer(), s), width), width)
				installed := poisoned(installedAnswer(), s)
				checkLines(t, "installed", Installed(installed, installedOpens(installed), listed, width), width)
				checkLines(t, "installed rows", installedRows(installed, max(width, 1)), max(width, 1))
				checkLines(t, "installed nowhere", Installed(poisoned(installedNowhere(), s), nil, listed, width), width)
				checkLines(t, "stats", Stats(poisoned(statsAnswer(), s), width), width)
				checkLines(t, "import", Import(poisoned(importAnswer(), s), width), width)
				checkLines(t, "dialects", Dialects(poisoned(dialectList(), s), width), width)
				checkLines(t, "one", []Line{Of(s, theme.Plain)}, 0)
			}
		})
	}
}

func TestBrokenLinksAreDrawnSafely(t *testing.T) {
	for name, s := range hostile {
		e := storyEvents()[3]
		for _, b := range []model.Broken{model.LinkMissing, model.LinkLater, model.LinkSelf} {
			e.Links = append(e.Links, model.Link{ToID: s, Broken: b}, model.Link{To: model.Ref{Pos: 1, Session: s, ID: s}, Inferred: true})
		}
		e.Cause = &e.Links[1]
		checkLines(t, name, Header(e, nil, 80), 80)
	}
}

func TestHostilePayloads(t *testing.T) {
	for name, s := range hostile {
		s = s[:min(len(s), 601)] // the long ones again and again cost time and tell nothing new
		quoted, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		inner, _ := json.Marshal(`{"k":` + string(quoted) + `,"pad":"` + strings.Repeat("x", 120) + `"}`)
		long, _ := json.Marshal(strings.Repeat(s+" ", 1+600/len(s)))
		block, _ := json.Marshal("line\n" + s)
		raws := map[string]string{
			"record":  `{"id":` + string(quoted) + `,` + string(quoted) + `:{"a":[` + string(quoted) + `]},"text":` + string(block) + `,"long":` + string(long) + `,"json":` + string(inner) + `}`,
			"code":    `{"path":"a.go","content":` + string(block) + `,"command":` + string(long) + `}`,
			"scalar":  string(quoted),
			"array":   `[` + string(quoted) + `,` + string(block) + `]`,
			"no json": s,
			"broken":  `{"a":"` + s,
			"bytes":   `{"a":"` + strings.NewReplacer("\x1b", `\u001b`, "\n", `\n`, "\r", `\r`).Replace(s) + `"}`,
		}
		for what, raw := range raws {
			for _, width := range []int{80, 13, 0} {
				d := Payload([]byte(raw))
				checkLines(t, name+" in "+what, d.Lines(0, d.Len(width), width), width)
				d = d.Colour()
				checkLines(t, name+" in coloured "+what, d.Lines(0, d.Len(width), width), width)
				d = Raw([]byte(raw))
				checkLines(t, name+" in raw "+what, d.Lines(0, d.Len(width), width), width)
			}
		}
	}
}

// TestHiddenTextIsShown checks that neutralising does not mean hiding.
func TestHiddenTextIsShown(t *testing.T) {
	e := model.Event{Seq: 1, Title: hostile["hidden tags"] + hostile["bidi"] + hostile["conceal"]}
	got := Plain(EventRow(e, nil, RowOptions{}))
	for _, want := range []string{"⟦tag: igno⟧", "‹202E›", "␛[8mhidden"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q does not show %q", got, want)
		}
	}
}

func FuzzPayload(f *testing.F) {
	f.Add([]byte(record))
	f.Add([]byte(`[[[{"a":["x",{}]}]]]`))
	f.Add([]byte(`{"path":"x.py","content":"def f():\n  return '\u001b'\n"}`))
	f.Add([]byte("\x1b[31m"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, width := range []int{20, 0} {
			for _, d := range []*Doc{Payload(raw), Raw(raw)} {
				n := d.Len(width)
				lines := d.Lines(0, n, width)
				if len(lines) != n {
					t.Fatalf("%d lines of %d", len(lines), n)
				}
				checkLines(t, "fuzz", lines, width)
			}
		}
	})
}
