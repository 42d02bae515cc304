package check

import (
	"context"
	"strings"

	"hindcast/model"
	"hindcast/model/answer"
)

// outsideChange: a record shows a text of a file that the events before it do
// not lead to.
func outsideChange(ctx context.Context, r Reader) ([]answer.Finding, error) {
	return fromNotes(ctx, r, model.NoteOutside, func(n model.Note, seq int64) answer.Finding {
		file := fileOf(n)
		return answer.Finding{
			Severity: Warning, Title: file + " changed without an event that did it",
			Next: "hindcast blame " + quoted("file:"+file) + " --at " + text(seq) + " shows which lines, and what ran in between",
		}
	})
}

// editNoMatch: an edit that the run took for done does not fit the text that
// the events before it lead to.
func editNoMatch(ctx context.Context, r Reader) ([]answer.Finding, error) {
	return fromNotes(ctx, r, model.NoteNoMatch, func(n model.Note, seq int64) answer.Finding {
		file := fileOf(n)
		return answer.Finding{
			Severity: Warning, Title: "an edit of " + file + " does not fit its text; what stands there now is not known",
			Next: "hindcast state " + quoted("file:"+file) + " --at " + text(seq-1) + " shows the text before it",
		}
	})
}

// editAmbiguous: the old text of an edit stands in the file more than once, and
// the edit does not say that all of these are meant.
func editAmbiguous(ctx context.Context, r Reader) ([]answer.Finding, error) {
	return fromNotes(ctx, r, model.NoteAmbiguous, func(n model.Note, seq int64) answer.Finding {
		file := fileOf(n)
		return answer.Finding{
			Severity: Warning, Title: "an edit of " + file + " may have changed another place than was meant",
			Next: "hindcast diff " + text(seq-1) + " " + text(seq) + " " + quoted("file:"+file) + " shows where it went",
		}
	})
}

// forgetsUnknown: what should leave the context was not in it.
func forgetsUnknown(ctx context.Context, r Reader) ([]answer.Finding, error) {
	return fromNotes(ctx, r, model.NoteForgetsUnknown, func(_ model.Note, seq int64) answer.Finding {
		return answer.Finding{
			Severity: Note, Title: "messages that were not in view are taken out of it",
			Next: "hindcast context --at " + text(seq) + " --lost shows what did leave",
		}
	})
}

func fromNotes(ctx context.Context, r Reader, kind model.NoteKind, finding func(n model.Note, seq int64) answer.Finding) ([]answer.Finding, error) {
	notes, err := r.Notes(ctx)
	if err != nil {
		return nil, err
	}
	var out []answer.Finding
	for _, n := range notes {
		if n.Kind != kind {
			continue
		}
		e, err := r.Event(ctx, n.Pos)
		if err != nil {
			return nil, err
		}
		f := finding(n, e.Seq)
		f.Detail = n.Text
		positions := []int64{n.Pos}
		if strings.HasPrefix(n.Path, model.PathFiles+"/") {
			before, err := r.WriterBefore(ctx, n.Path, n.Pos)
			if err != nil {
				return nil, err
			}
			positions = append(positions, before)
		}
		if f.Events, err = refs(ctx, r, positions...); err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

func fileOf(n model.Note) string {
	return model.UnescapePointer(strings.TrimPrefix(n.Path, model.PathFiles+"/"))
}

// quoted makes a word of a text for a shell.
func quoted(word string) string {
	const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+,="
	if strings.Trim(word, safe) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
