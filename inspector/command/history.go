package command

import (
	"bytes"
	"context"
	"strings"

	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/render"
)

func historyCommand() *Command {
	return &Command{
		Name: "history", Args: "PATH", Min: 1, Max: 1, Complete: CompletePath,
		Short: "list every write of a value",
		Long:  "PATH is a place in the state: /status/execution, usage.cost_usd, file:config/app.yaml. The oldest write comes first.",
		Examples: []Example{
			{"hindcast history file:config/app.yaml run.jsonl", "how a file came to be"},
			{"hindcast history status.execution --json run.jsonl", "the same for a program"},
		},
		Validate: func(a Args) error {
			if _, err := wholePath("history", a.At(0)); err != nil {
				return err
			}
			_, err := partPath("history", a.At(0))
			return err
		},
		Run: runHistory,
	}
}

func runHistory(ctx context.Context, env *Env, a Args) (Answer, error) {
	path, err := wholePath("history", a.At(0))
	if err != nil {
		return nil, err
	}
	s, err := env.session(ctx, "")
	if err != nil {
		return nil, err
	}
	if path, err = env.named(ctx, model.Event{Session: s.ID, Pos: s.LastPos}, path); err != nil {
		return nil, err
	}
	return stream(func(ctx context.Context, o *Output) error {
		w := &historyWriter{o: o, path: path.Pointer}
		if err := env.Index.History(ctx, s.ID, path.Pointer, w.add); err != nil {
			return refusal(err)
		}
		return w.end()
	}), nil
}

// historyWriter writes a history as it comes, holding a batch of it.
type historyWriter struct {
	o     *Output
	path  string
	batch []answer.HistoryWrite
	bytes int // of the values in the batch
	count int
	begun bool
	json  jsonList
}

// Bounds of a batch: rows, the first ones sooner, and bytes of values.
const (
	firstHistory = 100
	historyRows  = 500
	historyBytes = 1 << 20
)

func (w *historyWriter) add(v answer.HistoryWrite) error {
	w.count++
	if w.o.Format != Human {
		if err := w.beginJSON(); err != nil {
			return err
		}
		return w.json.add(v)
	}
	w.batch = append(w.batch, v)
	w.bytes += len(v.Old) + len(v.New)
	rows := historyRows
	if !w.begun {
		rows = firstHistory
	}
	if len(w.batch) < rows && w.bytes < historyBytes {
		return nil
	}
	return w.flush()
}

func (w *historyWriter) beginJSON() error {
	if w.begun {
		return nil
	}
	w.begun = true
	var path bytes.Buffer
	if err := answer.EncodeLine(&path, w.path); err != nil {
		return err
	}
	w.json = jsonList{w: w.o.W}
	return w.json.begin("writes", `"path": `+strings.TrimSpace(path.String()))
}

// flush draws what waits; what is still to come is not known yet.
func (w *historyWriter) flush() error {
	var lines []render.Line
	if !w.begun {
		lines = render.HistoryHead(w.path, w.o.Width)
	}
	w.begun = true
	lines = append(lines, render.HistoryWrites(answer.History{Path: w.path, Writes: w.batch}, w.o.Width)...)
	w.batch, w.bytes = nil, 0
	if err := w.o.Lines(lines); err != nil {
		return err
	}
	return w.o.Show()
}

func (w *historyWriter) end() error {
	switch {
	case w.o.Format != Human:
		if err := w.beginJSON(); err != nil {
			return err
		}
		return w.json.end()
	case !w.begun:
		return w.o.Lines(render.History(answer.History{Path: w.path, Writes: w.batch}, w.o.Width))
	case len(w.batch) > 0:
		if err := w.flush(); err != nil {
			return err
		}
	}
	return w.o.Lines(render.HistoryEnd(w.path, w.count, w.o.Width))
}
