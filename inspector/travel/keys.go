package travel

// CountLimit bounds a typed count; further digits change nothing.
const CountLimit = 1_000_000_000_000

// Stroke is a whole key sequence: what was pressed, and the count before it.
type Stroke struct {
	Seq   string // the presses, as the key table spells them: "j", "]k", "Ctrl-W h"
	Count int64  // 0 where none was typed
}

// Times is the count as a number of repetitions, at least one.
func (s Stroke) Times() int64 { return max(s.Count, 1) }

// Keys collects presses until they make a stroke. The zero Keys is ready.
type Keys struct {
	Count   int64
	Pending string
}

// Idle reports whether nothing has been typed of a next stroke.
func (k Keys) Idle() bool { return k == Keys{} }

// Feed takes one press. bound tells of a sequence whether it is a key of the
// table and whether longer ones begin with it. done is true once the stroke is
// whole; a sequence that no key begins with is whole too, so that it can be
// named in a message. Sequences that are a key and begin another wait for what
// follows: see Settled.
func (k Keys) Feed(press string, bound func(seq string) (exact, longer bool)) (next Keys, s Stroke, done bool) {
	if k.Pending == "" && len(press) == 1 && press[0] >= '0' && press[0] <= '9' && (press != "0" || k.Count > 0) {
		if n := k.Count*10 + int64(press[0]-'0'); n <= CountLimit {
			k.Count = n
		}
		return k, Stroke{}, false
	}
	if press == "Esc" && !k.Idle() {
		return Keys{}, Stroke{}, false
	}
	seq := join(k.Pending, press)
	if _, longer := bound(seq); longer {
		k.Pending = seq
		return k, Stroke{}, false
	}
	return Keys{}, Stroke{Seq: seq, Count: k.Count}, true
}

// Settled is the stroke of what has been typed, where that is a key by itself
// and press does not go on with it (or is empty: nothing followed in time).
func (k Keys) Settled(press string, bound func(seq string) (exact, longer bool)) (Stroke, bool) {
	if k.Pending == "" {
		return Stroke{}, false
	}
	exact, _ := bound(k.Pending)
	if press != "" && exact {
		further, longer := bound(join(k.Pending, press))
		exact = !further && !longer
	}
	return Stroke{Seq: k.Pending, Count: k.Count}, exact
}

// join spells a sequence: single characters run together, named keys stand
// apart.
func join(a, b string) string {
	switch {
	case a == "":
		return b
	case len(a) > 2 || len([]rune(b)) > 1:
		return a + " " + b
	}
	return a + b
}
