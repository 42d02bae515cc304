package inspector

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hindcast/index"
	"hindcast/inspector/travel"
	"hindcast/model"
	"hindcast/model/query"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// names is the first thing that a text names as a provider's error does, such as
// toolu_01A or messages[7]; empty where it names nothing, or is no more than
// that one word.
func (k seeking) names(s string) string {
	parts := pastedParts(s)
	if k.pattern || len(parts) == 0 || !strings.ContainsAny(strings.TrimSpace(s), " {\"'") {
		return ""
	}
	return parts[0]
}

// pastedParts are what a pasted error names, in the order in which they are
// tried: ids, then messages as it spells them.
func pastedParts(s string) []string {
	parts, messages := model.Pasted(s)
	for _, n := range messages {
		for _, spelled := range []string{"messages.%d", "messages[%d]", "input.%d", "input[%d]"} {
			if part := fmt.Sprintf(spelled, n); strings.Contains(s, part) {
				parts = append(parts, part)
				break
			}
		}
	}
	return parts
}

// errNamesNothing says that none of what a text names is here.
type errNamesNothing []string

// Error lists what was tried.
func (e errNamesNothing) Error() string {
	return "nothing here has " + strings.Join(e, ", ")
}

// findPasted finds the event that a pasted error names, and the part of the
// error that names it: by ids of this session, then by its messages, then by ids
// of other sessions, then by ids that stand in the text of a record.
func (u *ui) findPasted(ctx context.Context, session, s string) (e model.Event, part string, err error) {
	parts := pastedParts(s)
	elsewhere := map[string]string{}
	for _, part = range parts {
		address := part
		if !strings.HasPrefix(part, "messages") && !strings.HasPrefix(part, "input") {
			address = "id:" + part
		}
		e, err = resolve(ctx, u.idx, session, address)
		var missing *index.AddressError
		switch {
		case err == nil:
			return e, part, nil
		case !errors.As(err, &missing):
			return e, part, err
		}
		if len(missing.Nearest) > 0 && strings.Contains(missing.Nearest[0], "@@") {
			elsewhere[part] = missing.Nearest[0]
		}
	}
	for _, part = range parts {
		if to, ok := elsewhere[part]; ok {
			e, err = resolve(ctx, u.idx, session, to)
			return e, part, err
		}
	}
	ids, _ := model.Pasted(s)
	for _, part = range ids {
		where := query.Term{Field: query.FieldText, Op: query.OpContains, Text: part}
		e, ok, err := u.idx.Next(ctx, session, 0, false, where)
		if err != nil || ok {
			return e, part, err
		}
	}
	return e, "", errNamesNothing(parts)
}

// goPasted goes to the event that a pasted error names and says by which part of
// it; where it names none that is here, otherwise does what is left to do.
func (u *ui) goPasted(s string, from travel.Place, otherwise func(error)) {
	session := u.session.ID
	u.hold("jump", func(ctx context.Context) func() {
		e, part, err := u.findPasted(ctx, session, s)
		return func() {
			if err != nil {
				otherwise(err)
				return
			}
			if !from.Nowhere() {
				u.step(travel.Move{To: from}) // looking at hits was no step
			}
			u.jump(eventPlace(e))
			u.say("of the pasted text: "+text.CleanCut(part, 60)+" is "+itoa(e.Seq), theme.Prompt)
		}
	})
}
