package inspector

import (
	"testing"

	"hindcast/index"
	"hindcast/model"
)

// TestOpensAtAnAddress: however the import and the first frame race, the
// address is reached.
func TestOpensAtAnAddress(t *testing.T) {
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	for range rounds {
		drive(t, demo(t), 80, 24, Options{Source: "demo:", At: "error"}).at("118")
	}
	for range (rounds + 2) / 3 {
		drive(t, demo(t), 80, 24, Options{Source: "demo:", At: "last"}).at("120")
	}
}

// reading is a story of which nothing is known to be the end.
func reading() *fake {
	f := story()
	f.status.Done, f.status.TotalBytes, f.status.Bytes = false, 100, 50
	return f
}

// fails adds a failure.
func (f *fake) fails(session string) {
	f.add(session, model.Event{Type: "AgentErrorEvent", Kind: model.KindError, Source: "agent", Outcome: model.OutcomeFailed, Title: "the very last failure"})
	f.grow()
}

// ends tells that all is read.
func (f *fake) ends() {
	f.mu.Lock()
	f.status.Done = true
	f.mu.Unlock()
	f.grow()
}

const storyID = "b58db045-77aa"

func TestGoalWaitsForTheEnd(t *testing.T) {
	f := reading()
	d := drive(t, f, 80, 24, Options{At: "error"}).see("row 1/23", "indexing 50%").at("0")
	f.fails(storyID)
	d.see("row 1/24").at("0")
	f.ends()
	d.at("49").see("the very last failure", "at error: 49").press("Ctrl-O").see("no jump to go back from")
}

func TestGoalIsReachedEarlyWhereItIsSure(t *testing.T) {
	f := reading()
	d := drive(t, f, 80, 24, Options{At: "#50"}).see("row 1/23").at("0")
	f.fails(storyID)
	d.at("49").see("at #50: 49", "indexing 50%").press("j", "k").at("48")
	f.fails(storyID)
	f.ends()
	d.see("all is read").at("48")
}

func TestGoalYieldsToTheReader(t *testing.T) {
	f := reading()
	d := drive(t, f, 80, 24, Options{At: "error"}).see("row 1/23").press("j").at("1")
	f.fails(storyID)
	f.ends()
	d.see("all is read: :error goes where --at asked").at("1").press("j").at("4")
}

func TestGoalThatIsNowhere(t *testing.T) {
	f := reading()
	d := drive(t, f, 80, 24, Options{At: "9999"}).see("row 1/23")
	f.ends()
	d.see("nothing has it").at("0").press("j").at("1")
}

func TestGoalInASessionToCome(t *testing.T) {
	f := reading()
	d := drive(t, f, 80, 24, Options{At: "last", Session: "late"}).see("reading")
	f.mu.Lock()
	f.session = append(f.session, model.Session{ID: "late-1", Dialect: "eventlog"})
	f.mu.Unlock()
	f.fails("late-1")
	f.fails("late-1")
	d.see("late-1", "row 1/2").at("0")
	f.ends()
	d.at("1").see("at last: 1")
}

// TestOpensOnce: growth between the answer to the first opening and its taking
// must not open again, which would undo what the reader has done since.
func TestOpensOnce(t *testing.T) {
	sim := initialised{newSim(t), nil}
	s, err := openScreen(sim)
	if err != nil {
		t.Fatal(err)
	}
	u := newUI(t.Context(), story(), Options{}, s)
	u.open()
	for u.front.one(t.Context()) {
	}
	u.grown(index.Status{Done: true, Events: 51})
	for _, f := range u.pump.take() {
		f()
	}
	if !u.ready || u.front.busy("open") || u.opening {
		t.Errorf("ready %v, opening again %v", u.ready, u.front.busy("open"))
	}
}
