package syntax

import (
	"hash/maphash"
	"sync"
)

const keptLimit = 4 << 20 // bytes of code whose colours are remembered

// kept remembers results, refusals among them, by language and content.
var kept = cache{limit: keptLimit}

var keptSeed = maphash.MakeSeed()

// cache forgets the oldest results first. Its zero value with a limit is ready.
type cache struct {
	mu    sync.Mutex
	limit int
	size  int // bytes of code
	known map[key]result
	order []key // oldest first
}

// key names a content: its hash and length, and the language.
type key struct {
	lexer string
	hash  uint64
	size  int
}

type result struct{ lines [][]Span }

// get returns what is known of code, or what make says of it. Two callers that
// ask for the same at once may both make it.
func (c *cache) get(lexer, code string, make func() [][]Span) ([][]Span, bool) {
	k := key{lexer, maphash.String(keptSeed, code), len(code)}
	c.mu.Lock()
	r, ok := c.known[k]
	c.mu.Unlock()
	if !ok {
		r = result{make()}
		c.put(k, r)
	}
	return r.lines, r.lines != nil
}

func (c *cache) put(k key, r result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.known[k]; ok {
		return
	}
	if c.known == nil {
		c.known = map[key]result{}
	}
	c.known[k] = r
	c.order = append(c.order, k)
	c.size += k.size
	for c.size > c.limit && len(c.order) > 1 {
		oldest := c.order[0]
		c.order = c.order[1:]
		delete(c.known, oldest)
		c.size -= oldest.size
	}
}
