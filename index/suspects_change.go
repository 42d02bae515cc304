package index

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/answer"
)

const (
	commandSteps = 200 // changes of the shell's command that are looked back on
	writeWindow  = 400 // events whose writes are read at once
	writeWindows = 10
)

// changes looks at what changed before a command failed: since it succeeded the
// last time, or since the user asked for it.
func (s *suspector) changes(call model.Event) error {
	command, ok, err := s.command(call)
	if err != nil || !ok {
		return err
	}
	since, err := s.lastSuccess(command)
	if err != nil {
		return err
	}
	if since > 0 {
		e, err := s.x.eventAt(s.ctx, s.key, since)
		if err != nil {
			return err
		}
		return s.changed(since, sinceSuccess, fmt.Sprintf("changed since the command last succeeded at %d", e.Seq))
	}
	turn, ok, err := s.x.Next(s.ctx, s.fault.Session, s.fault.Pos, true, turnEvents)
	if err != nil || !ok {
		return err
	}
	return s.changed(turn.Pos, sinceTurn, fmt.Sprintf("changed since the user's message %d", turn.Seq))
}

const (
	pathCommand = "/shell/command"
	pathExit    = "/shell/exit_code"
)

// command is what the failed call ran, as the state has it; ok is false where
// it ran nothing.
func (s *suspector) command(call model.Event) (json []byte, ok bool, err error) {
	w, ok, err := s.x.st.Reader().WriteAt(s.ctx, s.key, pathCommand, s.fault.Pos)
	if err != nil || !ok {
		return nil, false, err
	}
	raw, err := s.x.Raw(s.ctx, call)
	if err != nil {
		return nil, false, s.ctx.Err()
	}
	command := stringOf(w.New.JSON)
	return w.New.JSON, command != "" && strings.Contains(DecodedText(raw), command), nil
}

func stringOf(v []byte) string {
	var text string
	if json.Unmarshal(v, &text) != nil {
		return ""
	}
	return text
}

// lastSuccess is the pos of the latest event before the failure at which the
// same command is known to have ended well; 0: none. Each stretch in which the
// shell's command was this one is asked for its exit codes.
func (s *suspector) lastSuccess(command []byte) (int64, error) {
	r := s.x.st.Reader()
	for until, steps := s.fault.Pos-1, 0; until > 0 && steps < commandSteps; steps++ {
		w, ok, err := r.WriteAt(s.ctx, s.key, pathCommand, until)
		if err != nil || !ok {
			return 0, err
		}
		for bytes.Equal(w.New.JSON, command) && until >= w.Pos {
			exit, ok, err := r.WriteAt(s.ctx, s.key, pathExit, until)
			if err != nil || !ok {
				return 0, err
			}
			if string(exit.New.JSON) == "0" {
				return max(exit.Pos, w.Pos), nil
			}
			until = exit.Pos - 1
		}
		until = w.Pos - 1
	}
	return 0, nil
}

// changed accuses the last writers of the files that changed after since.
func (s *suspector) changed(since int64, g ground, because string) error {
	latest, err := s.changedFiles(since)
	if err != nil {
		return err
	}
	byTime := slices.SortedFunc(maps.Values(latest), func(a, b model.Write) int { return cmp.Or(cmp.Compare(b.Pos, a.Pos), strings.Compare(a.Path, b.Path)) })
	for _, w := range byTime[:min(len(byTime), maxSuspects)] {
		if err := s.x.fillTexts(s.ctx, s.key, &w); err != nil {
			return err
		}
		written, err := s.authored(w)
		if err != nil {
			return err
		}
		if !written {
			continue
		}
		path := fileName(w.Path)
		if err := s.accuseCall(w.Pos, g, because, answer.Evidence{Path: &path}); err != nil {
			return err
		}
	}
	return nil
}

// changedFiles gives the last change of each file after since, looking back
// from the failure until there are enough.
func (s *suspector) changedFiles(since int64) (map[string]model.Write, error) {
	latest := make(map[string]model.Write)
	to := s.fault.Pos - 1
	for range writeWindows {
		from := max(since, to-writeWindow)
		window := make(map[string]model.Write)
		err := s.x.st.Reader().Writes(s.ctx, s.key, from, to, func(w model.Write) bool {
			if isFile(w.Path) && (w.New.Absent() || writtenPos(w.New) == w.Pos) {
				window[w.Path] = w
			}
			return true
		})
		if err != nil {
			return nil, err
		}
		for path, w := range window {
			if _, later := latest[path]; !later {
				latest[path] = w
			}
		}
		if to = from; to <= since || len(latest) >= 2*maxSuspects {
			break
		}
	}
	return latest, nil
}

// writtenPos is the pos of the event that wrote a file's content; 0: not known.
func writtenPos(v model.Value) int64 {
	var file struct {
		By int64 `json:"written_pos"`
	}
	if json.Unmarshal(v.JSON, &file) != nil {
		return 0
	}
	return file.By
}

func fileName(cell string) string {
	return model.UnescapePointer(strings.TrimPrefix(cell, model.PathFiles+"/"))
}
