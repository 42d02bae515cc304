package bisect

import (
	"errors"
	"slices"
	"testing"

	"hindcast/model"
	"hindcast/model/replay"
)

func TestReads(t *testing.T) {
	for text, want := range map[string][]string{
		`errors.count > 0`:                          {"/errors/count"},
		`errors.count > 0 and errors.last_seq == 7`: {"/errors/count", "/errors/last_seq"},
		`files["a/b.go"].lines > 3`:                 {"/files/a~1b.go/lines"},
		`any(tasks, .status == "done")`:             {"/tasks"},
		`len(context.messages) > 3`:                 {"/context/messages"},
		`errors.count > 0 or errors != nil`:         {"/errors", "/errors/count"},
		`checkpoint?.id == "snap_1"`:                {"/checkpoint/id"},
		`true`:                                      nil,
	} {
		x, err := Compile(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if !slices.Equal(x.Reads(), want) {
			t.Errorf("%s reads %v, want %v", text, x.Reads(), want)
		}
	}
}

func TestCompileErrors(t *testing.T) {
	for _, text := range []string{"errors.count >", "nothing > 0", "(", "", `files["a"].text == "x"`, "checkpoint.name == 1"} {
		_, err := Compile(text)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestNotBool(t *testing.T) {
	x, err := Compile("errors.count")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Holds(replay.Cells{}); err == nil {
		t.Error("a number was taken for a truth")
	}
}

func TestHolds(t *testing.T) {
	cells := replay.Cells{
		"/errors/count": model.Value{JSON: []byte("2")},
		"/files/x":      model.Value{JSON: []byte(`{"certainty":"known","lines":3,"sha256":null,"written_by":1,"written_pos":1}`)},
		"/tasks/1":      model.Value{JSON: []byte(`{"id":"1","title":"t","status":"done"}`)},
	}
	for text, want := range map[string]bool{
		`errors.count == 2`:                   true,
		`errors.count > 2`:                    false,
		`files["x"].lines == 3`:               true,
		`files["y"]?.lines == 3`:              false,
		`files["y"].lines == 3`:               false,
		`all(tasks, .status == "done")`:       true,
		`checkpoint == nil`:                   true,
		`checkpoint.id == "x"`:                false,
		`shell.exit_code == nil`:              true,
		`"x" in files and errors.count < 3.5`: true,
	} {
		x, err := Compile(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got, err := x.Holds(cells)
		if err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}
