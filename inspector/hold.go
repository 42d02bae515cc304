package inspector

import (
	"context"

	"github.com/gdamore/tcell/v2"

	"hindcast/render/theme"
)

// typeAhead bounds how many keys wait for a jump to land.
const typeAhead = 256

// holds are the jobs on which keys wait: what is typed after a jump is meant
// for where it leads, however fast it is typed.
type holds struct {
	topics map[string]int // generation of the newest job of each topic in flight
	count  int
	keys   []*tcell.EventKey
}

// hold submits a job to the front lane and keeps keys back until its answer has
// been taken. A newer job of the topic takes the place of an older one.
func (u *ui) hold(topic string, run func(ctx context.Context) func()) {
	h := &u.holds
	if h.topics == nil {
		h.topics = map[string]int{}
	}
	h.count++
	gen := h.count
	h.topics[topic] = gen
	u.front.submit(topic, func(ctx context.Context) func() {
		then := run(ctx)
		return func() {
			if h.topics[topic] != gen {
				return
			}
			delete(h.topics, topic)
			then()
			u.release()
		}
	})
}

// release plays the keys that have waited, until one of them starts a jump of
// its own.
func (u *ui) release() {
	h := &u.holds
	for len(h.topics) == 0 && len(h.keys) > 0 && !u.pump.stopped() {
		ev := h.keys[0]
		h.keys = h.keys[1:]
		u.key(ev)
	}
}

// held takes a key that must wait and reports whether it does. Esc gives up
// what is waited for.
func (u *ui) held(ev *tcell.EventKey) bool {
	h := &u.holds
	if len(h.topics) == 0 {
		return false
	}
	if ev.Key() == tcell.KeyEscape && len(h.keys) == 0 {
		for topic := range h.topics {
			u.front.cancel(topic)
		}
		clear(h.topics)
		u.say("given up", theme.Dim)
		return true
	}
	if len(h.keys) < typeAhead {
		h.keys = append(h.keys, ev)
	}
	return true
}

// waits reports whether keys wait for a job of the topic.
func (u *ui) waits(topic string) bool { return u.holds.topics[topic] > 0 }
