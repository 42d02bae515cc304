package inspector

import (
	"context"
	"sync"
)

// lane is a worker that runs one job at a time and keeps only the newest job of
// each topic: a newer one replaces one that waits and cancels one that runs.
// What a job returns is run in the UI goroutine, unless a newer job of its topic
// has come meanwhile.
type lane struct {
	post func(func())
	mu   sync.Mutex
	wait []job
	now  job
	stop context.CancelFunc // of now
	wake chan struct{}
}

type job struct {
	topic string
	run   func(ctx context.Context) func()
}

func newLane(post func(func())) *lane {
	return &lane{post: post, wake: make(chan struct{}, 1)}
}

// submit asks for a job. It never blocks.
func (l *lane) submit(topic string, run func(ctx context.Context) func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.drop(topic)
	l.wait = append(l.wait, job{topic, run})
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// cancel forgets the jobs of a topic.
func (l *lane) cancel(topic string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.drop(topic)
}

// busy reports whether a job of the topic runs or waits.
func (l *lane) busy(topic string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, j := range l.wait {
		if j.topic == topic {
			return true
		}
	}
	return l.stop != nil && l.now.topic == topic
}

func (l *lane) drop(topic string) {
	for i, j := range l.wait {
		if j.topic == topic {
			l.wait = append(l.wait[:i], l.wait[i+1:]...)
			break
		}
	}
	if l.stop != nil && l.now.topic == topic {
		l.stop()
	}
}

// run works until ctx ends.
func (l *lane) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.wake:
		}
		for l.one(ctx) {
		}
	}
}

// one runs the oldest waiting job and reports whether there was one.
func (l *lane) one(ctx context.Context) bool {
	l.mu.Lock()
	if len(l.wait) == 0 || ctx.Err() != nil {
		l.mu.Unlock()
		return false
	}
	own, cancel := context.WithCancel(ctx)
	defer cancel()
	l.now, l.stop = l.wait[0], cancel
	l.wait = l.wait[1:]
	j := l.now
	l.mu.Unlock()

	then := j.run(own)

	l.mu.Lock()
	l.stop = nil
	stale := own.Err() != nil
	l.mu.Unlock()
	if then != nil && !stale {
		l.post(then)
	}
	return true
}
