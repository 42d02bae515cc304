package inspector

import (
	"context"
	"runtime/debug"
	"sync"
	"time"

	"github.com/rivo/tview"
)

// pump is the only way from other goroutines into the UI goroutine, and the
// only one who stops it. Posts are gathered and run together, with one redraw,
// at most once a tick: a flood of news costs no more frames than a trickle.
type pump struct {
	tick time.Duration
	mu   sync.Mutex
	mail []func()
	why  error
	done bool
	wake chan struct{}
	quit chan struct{}
}

func newPump(tick time.Duration) *pump {
	if tick <= 0 {
		tick = 12 * time.Millisecond
	}
	return &pump{tick: tick, wake: make(chan struct{}, 1), quit: make(chan struct{})}
}

// post has f run in the UI goroutine, soon. It never blocks; after the end of
// the inspector f is forgotten.
func (p *pump) post(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done {
		return
	}
	p.mail = append(p.mail, f)
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// stop ends the inspector for a reason (nil: the reader quit). The first
// reason counts. It may be called from anywhere, the UI goroutine included.
func (p *pump) stop(why error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done {
		return
	}
	p.done, p.why, p.mail = true, why, nil
	close(p.quit)
}

func (p *pump) stopped() bool {
	select {
	case <-p.quit:
		return true
	default:
		return false
	}
}

func (p *pump) reason() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.why
}

// run delivers until stop or the end of ctx, then stops the application. life
// is held while the application must not be stopped.
func (p *pump) run(ctx context.Context, app *tview.Application, life *sync.Mutex) {
	defer func() {
		life.Lock()
		defer life.Unlock()
		app.Stop()
	}()
	rest := time.NewTimer(0)
	defer rest.Stop()
	for {
		select {
		case <-ctx.Done():
			p.stop(ctx.Err())
			return
		case <-p.quit:
			return
		case <-p.wake:
		}
		app.QueueUpdateDraw(func() {
			for _, f := range p.take() {
				f()
			}
		})
		rest.Reset(p.tick)
		select {
		case <-rest.C:
		case <-p.quit:
			return
		}
	}
}

func (p *pump) take() []func() {
	p.mu.Lock()
	defer p.mu.Unlock()
	mail := p.mail
	p.mail = nil
	return mail
}

// safe starts a goroutine whose panic ends the inspector, so that the terminal
// is restored, instead of the process.
func (p *pump) safe(name string, f func()) {
	go func() {
		defer func() {
			if v := recover(); v != nil {
				p.stop(&CrashError{Where: name, Value: v, Stack: debug.Stack()})
			}
		}()
		f()
	}()
}
