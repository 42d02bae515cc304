package replay

// failures counts the events that failed, by their outcome and nothing else: a
// failed result and the Fail that it carries are one failure.
type failures struct {
	n    int64
	last *int64 // seq
}

func (f *failures) count(s *step) {
	if !s.event.Outcome.Failed() {
		return
	}
	old, seq := *f, s.event.Seq
	f.n, f.last = f.n+1, &seq
	s.put(pathErrors, s.mem.int(&old.n), s.mem.int(&f.n))
	s.put(pathLastError, s.mem.int(old.last), s.mem.int(f.last))
}

func (f *failures) save(w *encoder) {
	w.int(f.n)
	w.intOrNil(f.last)
}

func (f *failures) load(r *decoder) { *f = failures{n: r.Int(), last: r.intOrNil()} }
