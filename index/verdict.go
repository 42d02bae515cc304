package index

import (
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"

	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/query"
)

// findingsReach is up to how many events the findings are looked for to be
// counted: the rules read all states.
const findingsReach = 20_000

// recoveryReach is up to how many events a verdict alone tells what was never
// recovered: that takes a pass over all calls.
const recoveryReach = 150_000

// Verdict is what Stats says of a session (empty: of all) in a line, without what
// would take long in a large one. It waits until the states are there.
func (x *Index) Verdict(ctx context.Context, session string) (answer.Verdict, error) {
	list, err := x.within(ctx, session)
	if err != nil {
		return answer.Verdict{}, err
	}
	key, err := x.key(ctx, session)
	if err != nil {
		return answer.Verdict{}, err
	}
	near := eventsIn(list) <= recoveryReach
	s, err := x.review(ctx, key, near)
	if err != nil {
		return answer.Verdict{}, err
	}
	v, err := x.verdict(ctx, session, list, s)
	if err != nil || !near {
		return v, err
	}
	lost, err := x.unrecovered(ctx, list, s)
	s.recovered(&v, lost)
	return v, err
}

func eventsIn(list []model.Session) (n int64) {
	for _, s := range list {
		n += s.Events
	}
	return n
}

// within lists one session, or all where the id is empty.
func (x *Index) within(ctx context.Context, session string) ([]model.Session, error) {
	if err := x.Wait(ctx); err != nil {
		return nil, err
	}
	all, err := x.Sessions(ctx)
	if err != nil || session == "" {
		return all, err
	}
	i := slices.IndexFunc(all, func(s model.Session) bool { return s.ID == session })
	if i < 0 {
		return nil, &SessionError{Prefix: session}
	}
	return all[i : i+1], nil
}

// verdict is all of it but what was recovered.
func (x *Index) verdict(ctx context.Context, session string, list []model.Session, s *review) (v answer.Verdict, err error) {
	v.Outcomes, v.FailedCalls, v.OtherErrors = outcomes(list), s.failed, s.others
	var checkpoints int64
	known := len(list) > 0
	for _, m := range list {
		v.OpenCalls += m.OpenCalls
		if known {
			var n int64
			n, known, err = x.countCheckpoints(ctx, m)
			checkpoints += n
		}
		if err != nil {
			return v, err
		}
	}
	if known {
		v.Checkpoints = &checkpoints
	}
	if known && eventsIn(list) <= findingsReach {
		found, err := x.findings(ctx, session)
		if err != nil {
			return v, err
		}
		n := int64(len(found))
		v.Findings = &n
	}
	if main, _, err := mainSession(list); err == nil {
		if v.Claim, err = x.lastClaim(ctx, main); err != nil {
			return v, err
		}
	}
	return v, nil
}

// recovered adds to a verdict what a review of the calls tells.
func (s *review) recovered(v *answer.Verdict, lost *answer.Unrecovered) {
	var n int64
	for _, t := range s.sessions {
		n += t.unrecovered
	}
	if v.Unrecovered = &n; lost == nil {
		return
	}
	if v.First = &lost.First; v.Claim == nil && len(lost.Claims) > 0 {
		v.Claim = &lost.Claims[0]
	}
}

func (x *Index) countCheckpoints(ctx context.Context, s model.Session) (n int64, known bool, err error) {
	if known, err = x.hasStates(ctx, s.ID); err != nil || !known {
		return 0, false, err
	}
	list, err := x.Checkpoints(ctx, s.ID)
	return int64(len(list)), true, err
}

// outcomes counts how sessions ended, the most frequent first.
func outcomes(list []model.Session) []answer.Outcome {
	count := map[string]int64{}
	for _, s := range list {
		count[s.Outcome]++
	}
	out := []answer.Outcome{}
	for _, word := range slices.Sorted(maps.Keys(count)) {
		out = append(out, answer.Outcome{Outcome: orNil(word), Sessions: count[word]})
	}
	slices.SortStableFunc(out, func(a, b answer.Outcome) int { return cmp.Compare(b.Sessions, a.Sessions) })
	return out
}

// finishers are tools by whose call an agent says that it is done.
var finishers = []string{"finish", "attempt_completion", "complete_task", "task_complete", "submit"}

// modelEvents are what the model may have made: messages, and calls.
var modelEvents = query.And{List: []query.Expr{recorded, query.Or{List: []query.Expr{
	query.Term{Field: query.FieldKind, Op: query.OpIs, Text: "message"}, query.Term{Field: query.FieldKind, Op: query.OpIs, Text: "action"},
}}}}

// saidEvents are what the model may have said, at its end by a call.
var saidEvents = query.And{List: []query.Expr{recorded, query.Or{List: append(finishing(),
	query.Term{Field: query.FieldKind, Op: query.OpIs, Text: "message"})}}}

func finishing() (out []query.Expr) {
	for _, tool := range finishers {
		out = append(out, query.And{List: []query.Expr{
			query.Term{Field: query.FieldTool, Op: query.OpIs, Text: tool}, query.Term{Field: query.FieldKind, Op: query.OpIs, Text: "action"},
		}})
	}
	return out
}

// lastReach is how many messages from the end the model's last is looked for in.
const lastReach = 64

// lastClaim is the claim of success that the last message of the model is; nil
// where it is none.
func (x *Index) lastClaim(ctx context.Context, s model.Session) (*answer.Claim, error) {
	list, _, err := x.st.Reader().Page(ctx, store.PageSpec{Session: s.Key, Desc: true, Limit: lastReach, Where: saidEvents})
	for i := len(list) - 1; i >= 0 && err == nil; i-- {
		said, ok := saying(&list[i])
		if !ok {
			continue
		}
		if !claims(said, &list[i]) {
			return nil, nil
		}
		return &answer.Claim{Event: answer.NewRef(refOf(list[i])), Text: said}, nil
	}
	return nil, err
}

// saying is what the model says to the user with an event.
func saying(e *model.Event) (string, bool) {
	if e.Kind == model.KindAction {
		return strings.TrimLeft(strings.TrimPrefix(e.Title, e.Tool), ": "), true
	}
	if !model.SpokenByModel(e.Source) {
		return "", false
	}
	who, rest, named := strings.Cut(e.Title, ": ")
	switch {
	case !named:
		return e.Title, true
	case strings.EqualFold(who, e.Source) || model.SpokenByModel(who):
		return rest, true
	case who == "thinking" || strings.HasPrefix(who, "summary"): // to itself
		return "", false
	}
	return e.Title, true
}

// The words by which a line claims success, and those by which it does not
// after all, or speaks of what is to be done.
var (
	claimWords = regexp.MustCompile(`(?i)\b(done|pass(es|ed|ing)?|fixed|works|working|succe(eds?|eded|ss|ssful|ssfully)|completed?|resolved|implemented|finished|written|all set)\b`)
	doubtWords = regexp.MustCompile(`(?i)\b(not|\w+n't|cannot|fail(s|ed|ing|ure)?|unable|error|still|let me|let's|i will|i'll|i'm going|need(s)? to|should|next|if|before|todo)\b|\?$`)
)

// claimFirst is a line that begins with success, whatever it says then.
var claimFirst = regexp.MustCompile(`(?i)^((all|both|everything)( is| are)? )?(done|fixed|completed|finished|implemented)\b`)

// claims reports that a line says that something was done.
func claims(said string, e *model.Event) bool {
	if claimFirst.MatchString(said) {
		return true
	}
	if doubtWords.MatchString(said) {
		return false
	}
	return e.Kind == model.KindAction || claimWords.MatchString(said)
}

// claimsListed is how many claims are told.
const claimsListed = 5

// unrecovered tells what came behind the first failures that nothing recovered;
// nil where there are none.
func (x *Index) unrecovered(ctx context.Context, list []model.Session, s *review) (*answer.Unrecovered, error) {
	var out *answer.Unrecovered
	var usage model.Usage
	for _, m := range list {
		t := s.sessions[m.Key]
		if t == nil || t.unrecovered == 0 {
			continue
		}
		if out == nil {
			e, ok, err := x.st.Reader().EventAt(ctx, m.Key, t.first.pos)
			if err != nil || !ok {
				return nil, err
			}
			out = &answer.Unrecovered{First: answer.NewRef(refOf(e)), Title: e.Title, Claims: []answer.Claim{}}
		}
		if err := x.claimsAfter(ctx, m.Key, t.first.pos, out); err != nil {
			return nil, err
		}
		after, err := x.usageAfter(ctx, m, t.first.pos)
		if err != nil {
			return nil, err
		}
		usage = usage.Add(after)
	}
	if out != nil {
		out.UsageAfter = answer.NewUsage(usage)
	}
	return out, nil
}

// claimsAfter adds the claims of success behind a failure.
func (x *Index) claimsAfter(ctx context.Context, key, pos int64, out *answer.Unrecovered) error {
	spec := store.PageSpec{Session: key, From: pos + 1, Limit: 1000, Where: saidEvents}
	for {
		list, _, err := x.st.Reader().Page(ctx, spec)
		if err != nil {
			return err
		}
		for i := range list {
			said, ok := saying(&list[i])
			if !ok || !claims(said, &list[i]) {
				continue
			}
			if out.ClaimCount++; len(out.Claims) < claimsListed {
				out.Claims = append(out.Claims, answer.Claim{Event: answer.NewRef(refOf(list[i])), Text: said})
			}
		}
		if len(list) < spec.Limit {
			return nil
		}
		spec.From = list[len(list)-1].Pos + 1
	}
}

// usageAfter is what a session spent behind an event, as far as its states tell.
func (x *Index) usageAfter(ctx context.Context, s model.Session, pos int64) (model.Usage, error) {
	if ok, err := x.hasStates(ctx, s.ID); err != nil || !ok {
		return model.Usage{}, err
	}
	all, err := x.usageAt(ctx, s.Key, s.LastPos)
	if err != nil {
		return all, err
	}
	before, err := x.usageAt(ctx, s.Key, pos)
	after := all.Sub(before)
	if before.Told != 0 { // what is told only at the end is of what came before as well
		after.Told &= before.Told
	}
	return after, err
}
