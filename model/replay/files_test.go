package replay_test

import (
	"testing"

	"hindcast/model"
)

func write(path, text string) model.Effect {
	return model.WriteFile{Path: path, Content: text, Certainty: model.CertaintyKnown}
}

func TestFiles(t *testing.T) {
	for _, c := range []struct {
		name   string
		before []model.Effect // an event each
		effect model.Effect
		writes []string
		notes  []model.NoteKind
	}{
		{name: "write", effect: write("a~/b", "x\n"), writes: []string{"/files/a~0~1b - -> known[x|] by 1"}},
		{
			name: "write again", before: []model.Effect{write("a", "x")}, effect: write("a", "x"),
			writes: []string{"/files/a known[x] by 1 -> known[x] by 2"},
		},
		{
			name: "edit the first", before: []model.Effect{write("a", "x x")}, effect: model.EditFile{Path: "a", Old: "x", New: "y"},
			writes: []string{"/files/a known[x x] by 1 -> derived[y x] by 2"}, notes: []model.NoteKind{model.NoteAmbiguous},
		},
		{
			name: "edit all", before: []model.Effect{write("a", "x x")}, effect: model.EditFile{Path: "a", Old: "x", New: "y", All: true},
			writes: []string{"/files/a known[x x] by 1 -> derived[y y] by 2"},
		},
		{
			name: "edit without a match", before: []model.Effect{write("a", "x")}, effect: model.EditFile{Path: "a", Old: "z", New: "y"},
			writes: []string{"/files/a known[x] by 1 -> unknown by 2"}, notes: []model.NoteKind{model.NoteNoMatch},
		},
		{name: "edit what nobody tracks", effect: model.EditFile{Path: "a", Old: "z", New: "y"}, writes: []string{"/files/a - -> unknown by 1"}},
		{
			name: "edit a range", before: []model.Effect{model.SeeFile{Path: "a", Content: "z"}}, effect: model.EditFile{Path: "a", Old: "z", New: "y"},
			writes: []string{"/files/a partial -> unknown by 2"},
		},
		{
			name: "edit a doubtful text", before: []model.Effect{write("a", "x"), model.Run{Command: "sed -i s/1/2/ a"}}, effect: model.EditFile{Path: "a", Old: "x", New: "y"},
			writes: []string{"/files/a unknown[x] by 1 -> unknown[y] by 3"},
		},
		{
			name: "edit a doubtful text without a match", before: []model.Effect{write("a", "x"), model.Run{Command: "sed -i s/1/2/ a"}}, effect: model.EditFile{Path: "a", Old: "z", New: "y"},
			writes: []string{"/files/a unknown[x] by 1 -> unknown by 3"},
		},
		{
			name: "edit a text that changed outside", before: []model.Effect{write("a", "x")}, effect: model.EditFile{Path: "a", Old: "z", New: "y", Before: ptr("z z")},
			writes: []string{"/files/a known[x] by 1 -> known[z z] by 2", "/files/a known[z z] by 2 -> derived[y z] by 2"},
			notes:  []model.NoteKind{model.NoteOutside, model.NoteAmbiguous},
		},
		{
			name: "edit at first sight", effect: model.EditFile{Path: "a", Old: "z", New: "y", Before: ptr("z z")},
			writes: []string{"/files/a - -> known[z z] by 1", "/files/a known[z z] by 1 -> derived[y z] by 1"},
			notes:  []model.NoteKind{model.NoteAmbiguous},
		},
		{
			name: "a change outside that a command explains", before: []model.Effect{write("a", "x"), model.Run{Command: "mv b a"}}, effect: model.WriteFile{Path: "a", Content: "y", Certainty: model.CertaintyKnown, Before: ptr("z")},
			writes: []string{"/files/a unknown[x] by 1 -> known[z] by 3", "/files/a known[z] by 3 -> known[y] by 3"},
		},
		{
			name: "a claim that holds", before: []model.Effect{write("a", "x"), model.Run{Command: "mv b a"}}, effect: model.EditFile{Path: "a", Old: "x", New: "y", Before: ptr("x")},
			writes: []string{"/files/a unknown[x] by 1 -> derived[y] by 3"},
		},
		{name: "a new file", effect: model.WriteFile{Path: "a", Content: "y", Certainty: model.CertaintyKnown, Before: ptr("")}, writes: []string{"/files/a - -> known[y] by 1"}},
		{
			name: "doubt", before: []model.Effect{write("a", "x"), write("b", "y")}, effect: model.DoubtFiles{Paths: []string{"b", "c", "b"}},
			writes: []string{"/files/b known[y] by 2 -> unknown[y] by 2"},
		},
		{name: "delete", before: []model.Effect{write("a", "x")}, effect: model.DeleteFile{Path: "a"}, writes: []string{"/files/a known[x] by 1 -> -"}},
		{name: "delete what nobody tracks", effect: model.DeleteFile{Path: "a"}},
		{
			name: "delete what the record tells of", effect: model.DeleteFile{Path: "a", Before: ptr("x")},
			writes: []string{"/files/a - -> known[x] by 1", "/files/a known[x] by 1 -> -"},
		},
		{
			name: "delete what changed outside", before: []model.Effect{write("a", "x")}, effect: model.DeleteFile{Path: "a", Before: ptr("y")},
			writes: []string{"/files/a known[x] by 1 -> known[y] by 2", "/files/a known[y] by 2 -> -"}, notes: []model.NoteKind{model.NoteOutside},
		},
		{
			name: "move", before: []model.Effect{write("a", "x"), write("b", "y")}, effect: model.MoveFile{From: "a", To: "b"},
			writes: []string{"/files/a known[x] by 1 -> -", "/files/b known[y] by 2 -> known[x] by 1"},
		},
		{name: "move what nobody tracks", before: []model.Effect{write("b", "y")}, effect: model.MoveFile{From: "a", To: "b"}},
		{name: "move to itself", before: []model.Effect{write("b", "y")}, effect: model.MoveFile{From: "b", To: "b"}},
		{name: "see", effect: model.SeeFile{Path: "a", Content: "x", Whole: true}, writes: []string{"/files/a - -> known[x] by 1"}},
		{name: "see a range", effect: model.SeeFile{Path: "a", Content: "x"}, writes: []string{"/files/a - -> partial"}},
		{name: "see a range of a known text", before: []model.Effect{write("a", "x")}, effect: model.SeeFile{Path: "a", Content: "z"}},
		{
			name: "see what an edit left unknown", before: []model.Effect{model.EditFile{Path: "a"}}, effect: model.SeeFile{Path: "a", Content: "z"},
			writes: []string{"/files/a unknown by 1 -> partial by 1"},
		},
		{
			name: "see the tracked text again", before: []model.Effect{write("a", "x"), model.EditFile{Path: "a", Old: "x", New: "y"}}, effect: model.SeeFile{Path: "a", Content: "y", Whole: true},
			writes: []string{"/files/a derived[y] by 2 -> known[y] by 2"},
		},
		{
			name: "see another text", before: []model.Effect{write("a", "x")}, effect: model.SeeFile{Path: "a", Content: "y", Whole: true},
			writes: []string{"/files/a known[x] by 1 -> known[y] by 2"}, notes: []model.NoteKind{model.NoteOutside},
		},
		{
			name: "see what a command made", before: []model.Effect{write("a", "x"), model.Run{Command: "sed -i s/x/y/ a"}}, effect: model.SeeFile{Path: "a", Content: "y", Whole: true},
			writes: []string{"/files/a unknown[x] by 1 -> known[y] by 3"}, notes: []model.NoteKind{model.NoteSeen},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := begin(t)
			for _, x := range c.before {
				r.do(x)
			}
			want(t, r.do(c.effect), c.writes...)
			r.wantNotes(c.notes...)
		})
	}
}

func TestInsert(t *testing.T) {
	for _, c := range []struct {
		text string
		line int64
		new  string
		want string // of the file; a dash where the edit does not fit
	}{
		{"a\nb\n", 0, "x", "x|a|b|"},
		{"a\nb\n", 1, "x\n", "a|x|b|"},
		{"a\nb\n", 2, "x\ny", "a|b|x|y|"},
		{"a\nb", 2, "x", "a|b|x"},
		{"a\nb", 1, "x", "a|x|b"},
		{"", 0, "x", "x|"},
		{"a\n", 1, "", "a|"},
		{"a\n", 2, "x", "-"},
		{"a\n", -1, "x", "-"},
	} {
		r := begin(t)
		r.do(write("a", c.text))
		got := r.do(model.EditFile{Path: "a", New: c.new, Insert: true, InsertLine: c.line})
		after := "derived[" + c.want + "] by 2"
		if c.want == "-" {
			after = "unknown by 2"
			r.wantNotes(model.NoteNoMatch)
		}
		text := brief("/files/a", r.log.At(1)["/files/a"])
		want(t, got, "/files/a "+text+" -> "+after)
	}
}

func TestViewOfFiles(t *testing.T) {
	r := begin(t)
	r.do(write("a", "x"), model.SeeFile{Path: "b"})
	view := r.fold.View(nil)
	if text, c, ok := view.File("a"); !ok || text == nil || *text != "x" || c != model.CertaintyKnown {
		t.Error("the view does not see a written file")
	}
	if text, c, ok := view.File("b"); !ok || text != nil || c != model.CertaintyPartial {
		t.Error("the view does not see a file that was seen in part")
	}
	if _, _, ok := view.File("c"); ok {
		t.Error("the view sees a file that nobody tracks")
	}
}

func TestLinesOfAFile(t *testing.T) {
	for text, lines := range map[string]string{"": "0", "a": "1", "a\n": "1", "a\nb": "2", "\n\n": "2"} {
		r := begin(t)
		r.do(write("a", text))
		if got := lookup(t, r, "/files/a/lines"); got != lines {
			t.Errorf("%q has %s lines, want %s", text, got, lines)
		}
	}
}
