package inspector

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hindcast/index"
	"hindcast/inspector/travel"
	"hindcast/model"
	"hindcast/model/query"
)

// watch tells the UI of commits, a few times a second at most.
func (u *ui) watch() {
	for {
		changed := u.idx.Changed()
		status := u.idx.Status()
		u.pump.post(func() { u.grown(status) })
		select {
		case <-u.ctx.Done():
			return
		case <-changed:
		}
		select {
		case <-u.ctx.Done():
			return
		case <-time.After(80 * time.Millisecond):
		}
	}
}

// grown takes news of the index. The selected event stays where it is.
func (u *ui) grown(s index.Status) {
	before := u.status
	u.status = s
	if s.Err != nil && before.Err == nil {
		u.sayError(s.Err)
	}
	if !u.ready {
		u.open()
		return
	}
	if s.Events < before.Events {
		u.startAnew(!before.Provisional)
		return
	}
	if s.Folded && !before.Folded {
		u.showSought()
	}
	if u.st.Tracked != "" && s.Folded && (u.knew.late || s.Events != before.Events) {
		u.showKnew()
	}
	if s.Folded && !before.Folded {
		u.facts() // checkpoints are counted by what the states say
		u.showFindings()
	}
	if u.folding.late {
		u.folding.late = false
		u.showBeside()
	}
	if s.Events == before.Events && s.Done == before.Done && s.Provisional == before.Provisional {
		return
	}
	u.took(before)
}

// was is where the reader stood when the dump began to be read anew. The screen
// stays as it was until that place is there again, or all has been read.
type was struct {
	session, id string
	gone        bool // the dump may be another
}

// address names the place again.
func (w *was) address() string {
	if w == nil || w.id == "" {
		return ""
	}
	return w.session + "@@id:" + w.id
}

// startAnew opens what stands now where the dump was: positions mean nothing in
// it any more. gone: it is read from its start, as a file that was cut is, or a
// database that was written to; else its events were put in order.
func (u *ui) startAnew(gone bool) {
	if u.was == nil {
		u.was = &was{session: u.session.ID, id: u.id, gone: gone}
	}
	u.ready, u.goal = false, goal{}
	clear(u.checks)
	u.epoch++
	u.open()
}

// follow has the index read on as the dump grows, for as long as the inspector
// is open.
func (u *ui) follow() {
	defer close(u.followed)
	if u.opt.Fixed || u.opt.Demo {
		return
	}
	err := u.idx.Follow(u.ctx)
	u.pump.post(func() {
		if err != nil && u.status.Err == nil { // that one has been told
			u.sayError(fmt.Errorf("follow the dump: %w", err))
		}
	})
}

// took shows what has grown since before.
func (u *ui) took(before index.Status) {
	if u.owed.facts = u.back.busy("facts"); !u.owed.facts {
		u.facts()
	}
	u.showMap(true)
	u.showFamily()
	u.showFindings()
	if before.Provisional && !u.status.Provisional {
		u.forgetBeside()
	}
	if before.Provisional && !u.status.Provisional && u.id != "" {
		u.settle()
		return
	}
	u.refresh()
	if u.status.Done && !before.Done {
		u.remarks() // events that were not there yet may have notes
	}
	u.seek()
}

// settle finds the selected event again once the replay order is final.
func (u *ui) settle() {
	session := u.session.ID
	a := model.Address{Text: u.id, Readings: []model.Reading{{Form: model.FormID, Text: u.id}}}
	u.front.submit("settle", func(ctx context.Context) func() {
		e, err := u.idx.Resolve(ctx, session, a, index.AsEvent)
		return func() {
			if err == nil && session == u.session.ID {
				to := travel.Place{Session: e.Session, Pos: e.Pos, Seq: e.Seq}
				if u.goal.from.Same(u.st.At) {
					u.goal.from = to
				}
				u.step(travel.Move{To: to})
			}
			u.reload(false)
			u.remarks()
			u.seek()
		}
	})
}

// refresh reads the window again where growth could have changed it.
func (u *ui) refresh() {
	if u.st.Follow {
		u.loadEnd(true)
		return
	}
	from, n, open := u.timeline.Window()
	if !open && !u.status.Provisional {
		return
	}
	if u.owed.rows = u.growing || u.waits("page"); u.owed.rows {
		return
	}
	u.growing = true
	epoch, q := u.epoch, u.pageQuery()
	q.From, q.Limit = from, min(n+pageRows, 2000)
	u.front.submit("grow", func(ctx context.Context) func() {
		rows, err := u.idx.Page(ctx, q)
		return func() {
			u.growing = false
			defer u.payRows()
			if now, _, _ := u.timeline.Window(); epoch != u.epoch || now != from || err != nil {
				return
			}
			if u.timeline.Len() == 0 {
				u.showEnd(rows, false)
				return
			}
			u.landing = true
			u.timeline.Refresh(rows, len(rows) < q.Limit)
			u.landing = false
		}
	})
}

// payRows reads the window once more where it grew while rows were read.
func (u *ui) payRows() {
	if u.owed.rows {
		u.owed.rows = false
		u.refresh()
	}
}

// cost remembers how long a recurring question took, so that it is asked less
// often the more it costs.
type cost struct {
	took time.Duration
	at   time.Time
}

// due reports whether a question may be asked again.
func (u *ui) due(topic string) bool {
	c := u.spent[topic]
	return u.status.Done || time.Since(c.at) > 10*c.took
}

// facts asks for what the header tells: the session's counters, its
// checkpoints, and the number of rows.
func (u *ui) facts() {
	if !u.due("facts") || u.back.busy("facts") && !u.status.Done {
		return
	}
	id, pos, epoch, q, folded := u.session.ID, u.rowPos(), u.epoch, u.pageQuery(), u.status.Folded
	u.back.submit("facts", func(ctx context.Context) func() {
		begin := time.Now()
		s, more, err := u.idx.Session(ctx, id)
		home, _, _ := u.idx.Session(ctx, "")
		k, kerr := u.countCheckpoints(ctx, id, folded)
		total, before, cerr := u.idx.Count(ctx, q, max(pos, 1))
		took := time.Since(begin)
		return func() {
			u.spent["facts"] = cost{took, time.Now()}
			if u.owed.facts {
				u.owed.facts = false
				u.facts()
			}
			var gone *index.SessionError
			if id == u.session.ID && epoch == u.epoch && errors.As(err, &gone) {
				u.startAnew(!u.status.Provisional)
				return
			}
			if id != u.session.ID || errors.Join(err, kerr, cerr) != nil {
				return
			}
			u.session, u.others, u.home, u.checkpoints = s, more, home.ID, k
			u.timeline.View.Start, u.timeline.View.LastSeq, u.timeline.View.LastPos = s.Started, s.Last, s.LastPos
			if epoch == u.epoch {
				u.timeline.Counted(total, before, max(pos, 1))
				u.news.counted(epoch, total, u.status.Done)
				u.sawEnd()
			}
			u.greet()
		}
	})
}

// countCheckpoints counts the checkpoints of a session; while its states are
// being folded, or cannot be, the records of that kind.
func (u *ui) countCheckpoints(ctx context.Context, session string, folded bool) (int64, error) {
	if folded {
		if list, err := u.idx.Checkpoints(ctx, session); err == nil {
			return int64(len(list)), nil
		}
	}
	n, _, err := u.idx.Count(ctx, index.PageQuery{Session: session, Where: kindIs(model.KindCheckpoint)}, 0)
	return n, err
}

// rowPos is the pos by which the selected row is counted.
func (u *ui) rowPos() int64 {
	if row, ok := u.timeline.Row(); ok {
		return row.Event.Pos
	}
	return u.st.At.Pos
}

func kindIs(k model.Kind) query.Expr {
	return query.Term{Field: query.FieldKind, Op: query.OpIs, Text: k.String()}
}
