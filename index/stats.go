package index

import (
	"context"

	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/answer"
)

// Stats counts over one session, or over all where the id is empty, and tells
// where it went wrong and what it took. It waits until the states are there.
func (x *Index) Stats(ctx context.Context, session string) (answer.Stats, error) {
	out := answer.Stats{Kinds: []answer.Count{}, Types: []answer.Count{}}
	list, err := x.within(ctx, session)
	if err != nil {
		return out, err
	}
	x.totals(list, &out)
	key, err := x.key(ctx, session)
	if err != nil {
		return out, err
	}
	var counts store.Stats
	var s *review
	var d drawn
	err = together(ctx, func(ctx context.Context) (err error) {
		counts, err = x.st.Reader().Stats(ctx, key)
		return err
	}, func(ctx context.Context) (err error) {
		s, err = x.review(ctx, key, true)
		return err
	}, func(ctx context.Context) (err error) {
		d, err = x.draw(ctx, list)
		return err
	})
	if err != nil {
		return out, err
	}
	out.Bytes = counts.Bytes
	for _, c := range counts.Kinds {
		out.Kinds = append(out.Kinds, answer.Count(c))
	}
	for _, c := range counts.Types {
		out.Types = append(out.Types, answer.Count(c))
	}
	if err := x.reviewed(ctx, list, s, d, &out); err != nil {
		return out, err
	}
	out.Verdict, err = x.verdict(ctx, session, list, s)
	s.recovered(&out.Verdict, out.Unrecovered)
	return out, err
}

// together runs what reads the index apart from each other, and ends all of it
// when one fails.
func together(ctx context.Context, tasks ...func(context.Context) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	results := make(chan error, len(tasks))
	for _, task := range tasks {
		go func() { results <- task(ctx) }()
	}
	var first error
	for range tasks {
		if err := <-results; err != nil && first == nil {
			first = err
			stop()
		}
	}
	return first
}

// totals sums what is known of the sessions.
func (x *Index) totals(list []model.Session, out *answer.Stats) {
	var usage model.Usage
	var started, ended model.Time
	for _, s := range list {
		out.Sessions++
		out.Events += s.Events
		out.Failed += s.Failed
		out.Copies += s.Copies
		usage = usage.Add(s.Usage)
		if s.Started.Known && (!started.Known || s.Started.Nanos < started.Nanos) {
			started = s.Started
		}
		if s.Ended.Known && (!ended.Known || s.Ended.Nanos > ended.Nanos) {
			ended = s.Ended
		}
	}
	out.Usage = answer.NewUsage(usage)
	if started.Known {
		from, to := started.String(), ended.String()
		out.Started, out.Ended, out.Seconds = &from, &to, secondsOf(started, ended)
	}
}

func secondsOf(from, to model.Time) *float64 {
	if !from.Known || !to.Known {
		return nil
	}
	n := float64(to.Nanos-from.Nanos) / 1e9
	return &n
}

// reviewed fills in what a review tells, and what the states of the sessions do.
func (x *Index) reviewed(ctx context.Context, list []model.Session, s *review, d drawn, out *answer.Stats) (err error) {
	if out.Tools, err = s.toolCounts(ctx); err != nil {
		return err
	}
	if out.Errors, err = s.answers(ctx); err != nil {
		return err
	}
	if out.Open, err = s.openCalls(ctx); err != nil {
		return err
	}
	if out.Agents, err = x.agents(ctx, list, s); err != nil {
		return err
	}
	if out.Unrecovered, err = x.unrecovered(ctx, list, s); err != nil {
		return err
	}
	out.Curves, out.Checkpoints = d.curves, d.drops
	for _, l := range s.slowest {
		d.slow.add(l)
	}
	if out.Slowest, err = s.slow(ctx, d.slow); err != nil {
		return err
	}
	out.Costliest, err = x.costs(ctx, d.dear)
	return err
}

// agents tells of each session what its agent did.
func (x *Index) agents(ctx context.Context, list []model.Session, s *review) ([]answer.AgentCount, error) {
	var sites []site
	for _, m := range list {
		sites = append(sites, site{m.Key, m.BasePos + 1})
		if t := s.sessions[m.Key]; t != nil && t.unrecovered > 0 {
			sites = append(sites, t.first)
		}
	}
	refs, err := x.refsAcross(ctx, sites)
	out := make([]answer.AgentCount, 0, len(list))
	for _, m := range list {
		a := answer.AgentCount{
			Session: m.ID, Parent: orNil(m.Parent), Title: m.Title, Outcome: orNil(m.Outcome), Events: m.Events, Failed: m.Failed,
			OpenCalls: m.OpenCalls, Seconds: secondsOf(m.Started, m.Ended), Usage: answer.NewUsage(m.Usage), First: refs[site{m.Key, m.BasePos + 1}],
		}
		if t := s.sessions[m.Key]; t != nil {
			a.Calls, a.Unrecovered = t.calls, t.unrecovered
			if ref, ok := refs[t.first]; ok && t.unrecovered > 0 {
				a.FirstFailed = &ref
			}
		}
		out = append(out, a)
	}
	return out, err
}
