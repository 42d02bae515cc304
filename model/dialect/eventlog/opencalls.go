package eventlog

// openCall is an action that has no result yet.
type openCall struct {
	ref
	Tool string
}

// openCalls holds the unreturned calls of a session in replay order, to be
// found by pos, or as the latest one, or as the latest one of a tool. Calls
// leave the stacks lazily: byPos decides which are still open.
type openCalls struct {
	byPos     map[int64]*openCall
	stack     []*openCall            // in replay order
	tools     map[string][]*openCall // the same, by tool
	oldest    int                    // entries of stack before this index are gone
	added     int                    // since the stacks were last rebuilt
	forgotten int64                  // dropped at openCallLimit, never returned
}

func newOpenCalls() openCalls {
	return openCalls{byPos: make(map[int64]*openCall), tools: make(map[string][]*openCall)}
}

func (o *openCalls) count() int64 { return int64(len(o.byPos)) + o.forgotten }

// at finds the open call at pos, nil where it has returned.
func (o *openCalls) at(pos int64) *openCall { return o.byPos[pos] }

func (o *openCalls) add(c openCall) {
	if len(o.byPos) >= openCallLimit {
		o.forgetOldest()
	}
	o.compact()
	o.added++
	o.byPos[c.Pos] = &c
	o.stack = append(o.stack, &c)
	o.tools[c.Tool] = append(o.tools[c.Tool], &c)
}

func (o *openCalls) remove(pos int64) { delete(o.byPos, pos) }

// nearest is the latest open call, one of that tool before any other.
func (o *openCalls) nearest(tool string) *openCall {
	if stack := o.tools[tool]; tool != "" && len(stack) > 0 {
		stack = o.trim(stack)
		if len(stack) > 0 {
			o.tools[tool] = stack
			return stack[len(stack)-1]
		}
		delete(o.tools, tool)
	}
	o.stack = o.trim(o.stack)
	if len(o.stack) == 0 {
		o.oldest = 0
		return nil
	}
	return o.stack[len(o.stack)-1]
}

// trim drops returned calls from the end of a stack.
func (o *openCalls) trim(stack []*openCall) []*openCall {
	for len(stack) > 0 && o.byPos[stack[len(stack)-1].Pos] == nil {
		stack = stack[:len(stack)-1]
	}
	return stack
}

func (o *openCalls) forgetOldest() {
	for o.oldest = min(o.oldest, len(o.stack)); o.oldest < len(o.stack); o.oldest++ {
		if pos := o.stack[o.oldest].Pos; o.byPos[pos] != nil {
			delete(o.byPos, pos)
			o.forgotten++
			o.oldest++
			return
		}
	}
}

// compact rebuilds the stacks once most of what was added has returned, so
// that they stay within a constant of the open calls.
func (o *openCalls) compact() {
	if o.added < 2*len(o.byPos)+64 {
		return
	}
	live := o.list()
	o.stack, o.oldest, o.added = make([]*openCall, 0, len(live)), 0, 0
	o.tools = make(map[string][]*openCall)
	for _, c := range live {
		kept := o.byPos[c.Pos]
		o.stack = append(o.stack, kept)
		o.tools[c.Tool] = append(o.tools[c.Tool], kept)
	}
}

// list is the open calls in replay order.
func (o *openCalls) list() []openCall {
	var live []openCall
	for _, c := range o.stack {
		if o.byPos[c.Pos] == c {
			live = append(live, *c)
		}
	}
	return live
}
