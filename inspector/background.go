package inspector

import (
	"bytes"
	"regexp"
	"strconv"
	"sync"
	"time"
)

// asker is a terminal that can be asked for its background.
type asker interface {
	// ask asks; told is called from any goroutine, once, if an answer comes.
	ask(told func(light bool))
	// answered waits for the answer, for so long at most: one that comes after the
	// program has ended would be typed at the shell.
	answered(patience time.Duration)
}

// backgroundQuery asks a terminal for its background (OSC 11). Those that do not
// know it pass over it, and nobody waits for their answer.
const backgroundQuery = "\x1b]11;?\x1b\\"

// answerPatience is how long the end waits for an answer that is owed.
const answerPatience = 100 * time.Millisecond

// listener finds the answer in what the terminal sends. It takes nothing away:
// the screen library reads past such answers by itself, whenever they come.
type listener struct {
	mu    sync.Mutex
	told  func(light bool) // nil: nothing is waited for
	heard chan struct{}    // closed with the answer
	tail  []byte
}

func (l *listener) listen(told func(light bool)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.told, l.heard = told, make(chan struct{})
}

// tailLimit bounds what is kept of the input for an answer that comes in parts.
const tailLimit = 128

// hear looks at input.
func (l *listener) hear(b []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.told == nil {
		return
	}
	l.tail = append(l.tail, b...)
	light, ok := backgroundIn(l.tail)
	if !ok {
		l.tail = append(l.tail[:0], l.tail[max(len(l.tail)-tailLimit, 0):]...)
		return
	}
	l.told(light)
	l.told, l.tail = nil, nil
	close(l.heard)
}

// answered implements asker.
func (l *listener) answered(patience time.Duration) {
	l.mu.Lock()
	heard, owed := l.heard, l.told != nil
	l.mu.Unlock()
	if !owed {
		return
	}
	select {
	case <-heard:
	case <-time.After(patience):
	}
}

var backgroundAnswer = regexp.MustCompile(`\x1b\]11;rgba?:([0-9A-Fa-f]{1,4})/([0-9A-Fa-f]{1,4})/([0-9A-Fa-f]{1,4})[^\x07\x1b]*[\x07\x1b]`)

// backgroundIn finds an answer and tells whether it is light: nearer to white
// than to black for the eye.
func backgroundIn(b []byte) (light, ok bool) {
	if !bytes.Contains(b, []byte("\x1b]11;")) {
		return false, false
	}
	m := backgroundAnswer.FindSubmatch(b)
	if m == nil {
		return false, false
	}
	weights := [...]float64{0.2126, 0.7152, 0.0722}
	bright := 0.0
	for i, w := range weights {
		digits := string(m[i+1])
		n, _ := strconv.ParseUint(digits, 16, 16) // 1 to 4 hexadecimal digits fit
		bright += w * float64(n) / float64(uint(1)<<(4*len(digits))-1)
	}
	return bright > 0.5, true
}
