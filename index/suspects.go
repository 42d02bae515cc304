package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/answer"
)

// ground is what speaks for an event being the cause of an error.
type ground uint8

const (
	sinceTurn    ground = iota // it changed a file after the user's last message
	firstSeen                  // it first saw a file that the error speaks of, and that nothing wrote
	spokenFile                 // it was the last to write such a file
	namedFrame                 // it wrote the rule that a build tool was at
	firstUse                   // it was the first to use a literal of the error
	firstWrite                 // it was the first to write such a literal to a file
	sinceSuccess               // it changed a file after the command had last succeeded
	lastSeen                   // it was the last to see or write a file in which an edit does not find its text
	namedFile                  // it was the last to write a file that the error names
	chosenFolder               // it chose the folder in which the error misses a file
	namedRecord                // the error names it
	namedLine                  // it was the last to write a line that the error names
	grounds
)

// weights rank the grounds. Each further one for the same event adds a little,
// so that several weak ones outweigh the next better alone.
var weights = [grounds]int{
	sinceTurn: 10, firstSeen: 20, spokenFile: 22, namedFrame: 25, firstUse: 30, firstWrite: 40, sinceSuccess: 50, lastSeen: 55, namedFile: 60, chosenFolder: 70,
	namedRecord: 80, namedLine: 100,
}

const (
	furtherGround = 8
	maxSuspects   = 5
	maxRoots      = 2 // suspects that stand for the chain's end
)

// suspicion is what speaks against one event.
type suspicion struct {
	event    model.Event
	best     ground
	has      [grounds]bool
	because  []string
	evidence answer.Evidence
}

func (s *suspicion) weight() int {
	n := 0
	for _, has := range s.has {
		if has {
			n++
		}
	}
	return weights[s.best] + (n-1)*furtherGround
}

// told: something in the error's own text leads to it.
func (s *suspicion) told() bool {
	return s.best != sinceTurn && s.best != firstSeen && s.best != spokenFile && s.best != sinceSuccess && s.best != namedFrame
}

// suspector looks for the causes of one error.
type suspector struct {
	x     *Index
	ctx   context.Context
	key   int64
	fault model.Event    // the failing event that the search is about
	text  string         // what it says
	own   map[int64]bool // pos of events that are the failure, not its cause
	found map[int64]*suspicion
}

// suspects finds the events that probably caused a failed event; chain is what
// led to it, nearest first. All of it is inferred. roots are those of them that
// may stand for the chain's end.
func (x *Index) suspects(ctx context.Context, e model.Event, chain []model.Event) (list []answer.Suspect, roots []answer.Event, err error) {
	list = []answer.Suspect{}
	if !e.Outcome.Failed() {
		return list, nil, nil
	}
	key, err := x.key(ctx, e.Session)
	if err != nil {
		return list, nil, err
	}
	s := &suspector{x: x, ctx: ctx, key: key, fault: e, own: map[int64]bool{e.Pos: true}, found: make(map[int64]*suspicion)}
	if err := s.search(chain); err != nil {
		return list, nil, err
	}
	for i, f := range s.ranked() {
		event := answer.NewEvent(f.event)
		list = append(list, answer.Suspect{Event: event, Because: strings.Join(f.because, "; "), Evidence: f.evidence, Rank: i + 1})
		if i == 0 || i < maxRoots && f.told() {
			roots = append(roots, event)
		}
	}
	return list, roots, nil
}

// search looks at the text of the failure, then at what changed before it.
func (s *suspector) search(chain []model.Event) error {
	clues, err := s.clues(chain)
	if err != nil {
		return err
	}
	call, err := s.callOf(s.fault)
	if err != nil {
		return err
	}
	s.own[call.Pos] = true
	if err := s.records(clues); err != nil {
		return err
	}
	_, folded := s.x.folded(s.ctx, s.fault.Session, s.fault.Pos)
	if folded != nil {
		if s.ctx.Err() != nil {
			return folded
		}
		return s.literals(clues) // an index without states still holds the text
	}
	tracked, err := s.tracked()
	if err != nil {
		return err
	}
	if err := s.files(clues.Places, tracked); err != nil {
		return err
	}
	if err := s.folder(call, clues.Places); err != nil {
		return err
	}
	if err := s.lookedFor(call, tracked); err != nil {
		return err
	}
	if err := s.changes(call); err != nil {
		return err
	}
	if err := s.literals(clues); err != nil {
		return err
	}
	return s.spoken(call, tracked)
}

// hasLead: something is suspected for more than that it changed a file in the
// same turn, which says little and is no lead of its own.
func (s *suspector) hasLead() bool {
	for _, f := range s.found {
		if f.best != sinceTurn {
			return true
		}
	}
	return false
}

// ranked lists the suspects, the best first; of equals the latest.
func (s *suspector) ranked() []*suspicion {
	var all []*suspicion
	for _, f := range s.found {
		all = append(all, f)
	}
	if !s.hasLead() {
		return nil
	}
	slices.SortFunc(all, func(a, b *suspicion) int {
		return cmp.Or(cmp.Compare(b.weight(), a.weight()), cmp.Compare(b.event.Pos, a.event.Pos))
	})
	return all[:min(len(all), maxSuspects)]
}

// accuse adds a ground against the event at pos. What only reports the failure,
// or came after it, caused nothing.
func (s *suspector) accuse(e model.Event, g ground, because string, evidence answer.Evidence) {
	if !s.own[e.Pos] && e.Pos < s.fault.Pos {
		s.add(e, g, because, evidence)
	}
}

// add adds a ground against any event, the failed call itself as well.
func (s *suspector) add(e model.Event, g ground, because string, evidence answer.Evidence) {
	f := s.found[e.Pos]
	if f == nil {
		f = &suspicion{event: e, best: g, evidence: evidence}
		s.found[e.Pos] = f
	}
	if f.has[g] {
		return
	}
	f.has[g] = true
	if g > f.best {
		f.best, f.evidence = g, evidence
		f.because = slices.Insert(f.because, 0, because)
		return
	}
	f.because = append(f.because, because)
}

// accuseCall adds a ground against the call behind the event at pos, which is
// what the agent did; against the event itself where it has none.
func (s *suspector) accuseCall(pos int64, g ground, because string, evidence answer.Evidence) error {
	e, err := s.x.eventAt(s.ctx, s.key, pos)
	if err != nil {
		return err
	}
	if e, err = s.callOf(e); err == nil {
		s.accuse(e, g, because, evidence)
	}
	return err
}

// callOf gives the call that an event is the result of, or the event itself.
func (s *suspector) callOf(e model.Event) (model.Event, error) {
	if e.Kind == model.KindAction {
		return e, nil
	}
	if e.Mate > 0 && e.Mate < e.Pos {
		return s.x.eventAt(s.ctx, s.key, e.Mate)
	}
	for _, l := range e.Links {
		if l.Reason == model.ReasonAction && l.Resolved() && l.To.Session == e.Session {
			return s.x.eventAt(s.ctx, s.key, l.To.Pos)
		}
	}
	return e, nil
}

// records follows what a provider's error names: ids, and messages.
func (s *suspector) records(clues model.Clues) error {
	for _, id := range clues.IDs {
		f, ok, err := s.x.st.Reader().Find(s.ctx, s.key, id)
		if err != nil {
			return err
		}
		if !ok || f.Pos >= s.fault.Pos {
			continue
		}
		e, err := s.x.eventAt(s.ctx, s.key, f.Pos)
		if err != nil {
			return err
		}
		s.accuse(e, namedRecord, "error names "+id, answer.Evidence{Text: &id})
	}
	if len(clues.Messages) == 0 {
		return nil
	}
	return s.messages(clues.Messages)
}

// messages follows the numbers of messages in a provider's error into the
// request behind it. They count from 0; written with a dot, without the system's
// messages, which that provider takes apart from the others.
func (s *suspector) messages(numbers []int64) error {
	request, err := s.x.Context(s.ctx, ContextQuery{At: s.fault, For: true})
	if errors.Is(err, errNotFolded) {
		return nil
	}
	if err != nil {
		return err
	}
	var apart int64
	for apart < int64(len(request.Messages)) && request.Messages[apart].Role == model.RoleSystem.String() {
		apart++
	}
	for _, n := range numbers {
		text, at := fmt.Sprintf("messages[%d]", n), n
		if dotted := fmt.Sprintf("messages.%d", n); strings.Contains(s.text, dotted) {
			text, at = dotted, n+apart
		}
		if at >= int64(len(request.Messages)) || len(request.Messages[at].Events) == 0 {
			continue
		}
		e, err := s.x.eventAt(s.ctx, s.key, request.Messages[at].Events[0].Pos)
		if err != nil {
			return err
		}
		s.accuse(e, namedRecord, "error names "+text+" of its request", answer.Evidence{Text: &text})
	}
	return nil
}
