package index

import (
	"path"
	"strings"

	"hindcast/model"
	"hindcast/model/answer"
)

const pathCwd = "/shell/cwd"

// folder follows an error that misses a file to what chose the folder that it
// was looked for in: the failed call itself where that names it, else the last
// change of folder. The folder in which a session began was chosen by none.
func (s *suspector) folder(call model.Event, places []model.NamedPlace) error {
	if _, ran, err := s.command(call); err != nil || !ran {
		return err
	}
	w, ok, err := s.x.st.Reader().WriteAt(s.ctx, s.key, pathCwd, s.fault.Pos)
	if err != nil || !ok || stringOf(w.Old.JSON) == "" {
		return err
	}
	cwd := stringOf(w.New.JSON)
	missed, ok := missedIn(cwd, places)
	if cwd == "" || !ok {
		return nil
	}
	by, err := s.x.eventAt(s.ctx, s.key, w.Pos)
	if err != nil {
		return err
	}
	if by, err = s.callOf(by); err != nil {
		return err
	}
	evidence := answer.Evidence{Path: &cwd, Text: &missed.Text}
	raw, err := s.x.Raw(s.ctx, call)
	if err != nil {
		return s.ctx.Err()
	}
	if by.Pos == call.Pos || strings.Contains(DecodedText(raw), cwd) {
		s.add(call, chosenFolder, "it ran in "+cwd+", where the error misses "+path.Base(missed.Path), evidence)
		return nil
	}
	if by.Kind == model.KindAction {
		s.accuse(by, chosenFolder, "changed the folder to "+cwd+", where the error misses "+path.Base(missed.Path), evidence)
	}
	return nil
}

// missedIn finds a place in a folder that the error says is not there.
func missedIn(folder string, places []model.NamedPlace) (model.NamedPlace, bool) {
	for _, p := range places {
		if inFolder := !path.IsAbs(p.Path) || strings.HasPrefix(p.Path, folder+"/"); inFolder && misses(p.Text) {
			p.Text = shortened(p.Text)
			return p, true
		}
	}
	return model.NamedPlace{}, false
}

// misses: a line says that something is not there.
func misses(line string) bool {
	line = strings.ToLower(line)
	for _, phrase := range [...]string{"no such file", "enoent", "does not exist", "cannot find", "could not find", "could not read", "can't open", "not found", "no package.json"} {
		if strings.Contains(line, phrase) {
			return true
		}
	}
	return false
}
