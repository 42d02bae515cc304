package render

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hindcast/model"
	"hindcast/model/answer"
)

// blameAnswer is the tax file of the story: written, edited, and changed by a
// command between two looks at it.
func blameAnswer() answer.BlameFile {
	events := []model.Event{
		moment(34, 510, model.KindAction, "agent", "Write", "Write src/tax.js 27 lines", model.OutcomeOK),
		moment(63, 1870, model.KindAction, "agent", "Edit", "src/tax.js +1 for the 書籍 rate that the rules ask for", model.OutcomeOK),
		moment(69, 2100, model.KindAction, "agent", "Bash", "Bash: sed -i s/19/20/ src/tax.js", model.OutcomeUnknown),
		moment(71, 2200, model.KindAction, "agent", "Bash", "npm run format", model.OutcomeUnknown),
		moment(74, 2280, model.KindObservation, "environment", "Read", "27 lines", model.OutcomeOK),
	}
	b := answer.BlameFile{Path: "/srv/shop/src/tax.js", Certainty: "derived", Events: map[int64]answer.Event{}}
	ref := map[int64]answer.Ref{}
	for _, e := range events {
		b.Events[e.Pos] = answer.NewEvent(e)
		ref[e.Seq] = answer.NewRef(model.Ref{Session: e.Session, Seq: e.Seq, Pos: e.Pos, ID: e.ID})
	}
	child := answer.Ref{Session: "agent-7", Seq: 5, Pos: 32}
	for i, text := range strings.Split(taxOld, "\n") {
		l := answer.BlameLine{N: int64(i + 1), Text: text, Suspects: []answer.Ref{}}
		by := ref[34]
		switch {
		case i == 0:
		case i == 1:
			l.Between, l.Suspects = &[2]answer.Ref{ref[34], ref[63]}, nil
		case i == 3 || i == 6 || i == 7:
			by = ref[63]
			l.By = &by
		case i == 9 || i == 10:
			l.Between, l.Suspects = &[2]answer.Ref{ref[63], ref[74]}, []answer.Ref{ref[69]}
		case i == 11:
			l.Between, l.Suspects = &[2]answer.Ref{ref[34], ref[74]}, []answer.Ref{ref[69], ref[71], child, ref[63], ref[34]}
		case i == 22:
			l.By = &child
		default:
			l.By = &by
		}
		b.Lines = append(b.Lines, l)
	}
	return b
}

func TestBlameGolden(t *testing.T) {
	for _, width := range []int{80, 140} {
		lines := BlameFile(blameAnswer(), width)
		within(t, lines, width)
		golden(t, fmt.Sprintf("blame-%d.txt", width), lines)
		golden(t, fmt.Sprintf("blame-dark-%d.txt", width), inDark(t, lines))
	}
	for _, width := range []int{1, 2, 5, 12, 20, 39, 40, 60, 100} {
		within(t, BlameFile(blameAnswer(), width), width)
	}
}

func TestBlameOfSeveralDaysShowsDates(t *testing.T) {
	b := blameAnswer()
	for pos, e := range b.Events {
		if e.Seq == 63 {
			late := "2026-03-02T00:10:00Z"
			e.Time = &late
			b.Events[pos] = e
		}
	}
	got := plain(BlameFile(b, 140))
	if !strings.Contains(got, "03-01 09:05") || !strings.Contains(got, "03-02 00:10") {
		t.Error(got)
	}
}

func TestBlameWithoutEvents(t *testing.T) {
	ref := answer.Ref{Session: "s", Seq: 7, Pos: 7}
	b := answer.BlameFile{Path: "x", Certainty: "known", Lines: []answer.BlameLine{
		{N: 1, Text: "a\r\n", By: &ref}, {N: 2, Text: "b", By: &ref}, {N: 3, Text: "c", Between: &[2]answer.Ref{ref, ref}},
	}}
	want := "x  known, 3 lines\n7  session s │1 a\n             │2 b\n⇠ between 7 and 7, no command is known to have run there\n⇠            │3 c\n"
	if got := plain(BlameFile(b, 0)); got != want {
		t.Errorf("%s\nnot\n%s", got, want)
	}
	b.Lines = b.Lines[1:2]
	if got := plain(BlameFile(b, 0)); !strings.HasPrefix(got, "x  known, line 2\n") {
		t.Error(got)
	}
	if got := plain(BlameFile(answer.BlameFile{Path: "x", Certainty: "unknown"}, 80)); got != "x  unknown\n its text is not known: no record holds it whole\n its history lists who wrote it; show has an edit as its record tells it\n" {
		t.Error(got)
	}
}

func TestHostileTextInBlame(t *testing.T) {
	for name, s := range hostile {
		b := poisoned(blameAnswer(), s)
		for pos, e := range b.Events {
			b.Events[pos] = poisoned(e, s)
		}
		for _, path := range []string{s, s + "/x.js"} {
			b.Path = path
			for _, width := range []int{140, 80, 30, 0} {
				checkLines(t, name, BlameFile(b, width), width)
			}
		}
	}
}

func TestBlameIsQuick(t *testing.T) {
	b := blameAnswer()
	for len(b.Lines) < 10_000 {
		b.Lines = append(b.Lines, b.Lines[:27]...)
	}
	begun := time.Now()
	lines := BlameFile(b, 140)
	if took := time.Since(begun); took > 2*time.Second || len(lines) < 10_000 {
		t.Errorf("%d lines took %v", len(lines), took)
	}
}
