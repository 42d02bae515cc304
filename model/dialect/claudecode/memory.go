package claudecode

// memory keeps what was put in last, by id: at least limit entries, at most
// twice as many. Its members are exported to be saved.
type memory[T any] struct {
	New map[string]T `json:",omitempty"`
	Old map[string]T `json:",omitempty"`
}

// put keeps x under an id; an empty id names nothing.
func (m *memory[T]) put(id string, x T, limit int) {
	if id == "" {
		return
	}
	if m.New == nil || len(m.New) >= limit {
		m.Old, m.New = m.New, make(map[string]T, limit)
	}
	m.New[id] = x
}

// get finds what was kept under an id.
func (m *memory[T]) get(id string) (x T, ok bool) {
	if x, ok = m.New[id]; !ok {
		x, ok = m.Old[id]
	}
	return x, ok
}

// The bounds of what a linker remembers of the latest records. Records of one
// response, a request and its response, an output and its clearing stand close
// together; what lies further back is looked up by id.
const (
	chainLimit   = 512
	groupLimit   = 64
	requestLimit = 64
	resultLimit  = 1024
	batchLimit   = 64
	openLimit    = 4096
)

// openCall is a call that waits for its result.
type openCall struct {
	ID, Tool string
}

// openCalls are the calls without a result, in the order in which they came.
type openCalls struct {
	List []openCall `json:",omitempty"`
	Lost int64      `json:",omitempty"` // older ones, which are only counted
}

func (o *openCalls) open(c openCall) {
	if len(o.List) >= openLimit {
		// A part at once, so that a log of open calls costs no more per call.
		o.Lost += openLimit / 4
		o.List = append(o.List[:0], o.List[openLimit/4:]...)
	}
	o.List = append(o.List, c)
}

// answer closes the newest open call of an id.
func (o *openCalls) answer(id string) (c openCall, ok bool) {
	for i := len(o.List) - 1; i >= 0; i-- {
		if c = o.List[i]; c.ID == id {
			o.List = append(o.List[:i], o.List[i+1:]...)
			return c, true
		}
	}
	return openCall{}, false
}

func (o *openCalls) count() int64 { return o.Lost + int64(len(o.List)) }
