package bisect

import (
	"context"
	"errors"
	"slices"
	"testing"

	"hindcast/model"
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
		`tasks[0].status == "done"`:                 {"/tasks"},
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
	for _, text := range []string{"errors.count >", "nothing > 0", "(", "", `files["a"].text == "x"`, "checkpoint.name == 1", "now().Year() > 1"} {
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
	if _, err := x.Holds(context.Background(), NewState()); err == nil {
		t.Error("a number was taken for a truth")
	}
}

func TestHolds(t *testing.T) {
	state := NewState()
	text := "a\nb\nc\n"
	for path, v := range map[string]model.Value{
		"/errors/count": {JSON: []byte("2")},
		"/files/x":      {JSON: []byte(`{"certainty":"known","lines":3,"sha256":null,"written_by":1,"written_pos":1}`), Text: &text},
		"/tasks/1":      {JSON: []byte(`{"id":"1","title":"t","status":"done"}`)},
		"/tasks":        {JSON: []byte(`["1"]`)},
		"/pending/b":    {JSON: []byte(`{"call":"b","seq":9,"pos":9,"tool":null}`)},
		"/pending/c":    {JSON: []byte(`{"call":"c","seq":8,"pos":8,"tool":null}`)},
	} {
		state.Write(model.Write{Path: path, New: v})
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
		`files["x"].content contains "b"`:     true,
		`map(pending, .call) == ["c", "b"]`:   true,
		`len(context.messages) == 0`:          true,
		`shell.exit_code == nil`:              true,
		`"x" in files and errors.count < 3.5`: true,
	} {
		x, err := Compile(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got, err := x.Holds(context.Background(), state)
		if err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}

// What does not end is left alone; what is too much is said.
func TestBounds(t *testing.T) {
	forever, err := Compile("let a = 1..900; sum(a, sum(a, sum(a, sum(a, #)))) > 0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := forever.Holds(ctx, NewState()); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	much, err := Compile(`sum(map(1..1000000, 1)) > 0`)
	if err != nil {
		t.Fatal(err)
	}
	var syntax *SyntaxError
	if _, err := much.Holds(context.Background(), NewState()); !errors.As(err, &syntax) {
		t.Errorf("%v", err)
	}
}
