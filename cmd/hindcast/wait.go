package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/schollz/progressbar/v3"

	"hindcast/index"
)

const (
	quietFor     = 300 * time.Millisecond // shorter work shows no bar
	progressTick = 100 * time.Millisecond
)

// wait blocks until the index is built, with a bar on a terminal.
func (p *program) wait(ctx context.Context, idx index.API) error {
	if !p.errTerminal {
		return idx.Wait(ctx)
	}
	done := make(chan error, 1)
	go func() { done <- idx.Wait(ctx) }()
	begin := time.NewTimer(quietFor)
	defer begin.Stop()
	select {
	case err := <-done:
		return err
	case <-begin.C:
	}
	bar := newBar(p.stderr, idx.Status().TotalBytes)
	defer bar.clear()
	tick := time.NewTicker(progressTick)
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-tick.C:
			bar.show(idx.Status())
		}
	}
}

// waitStates blocks until the states are there, with a bar on a terminal.
func (p *program) waitStates(ctx context.Context, idx index.API) error {
	if !p.errTerminal {
		return idx.WaitStates(ctx)
	}
	done := make(chan error, 1)
	go func() { done <- idx.WaitStates(ctx) }()
	tick := time.NewTicker(progressTick)
	defer tick.Stop()
	var states *progressbar.ProgressBar
	for begun := time.Now(); ; {
		select {
		case err := <-done:
			if states != nil {
				_ = states.Clear()
			}
			return err
		case <-tick.C:
		}
		if time.Since(begun) < quietFor {
			continue
		}
		if s := idx.Status(); states == nil {
			states = progressbar.NewOptions64(s.Events, progressbar.OptionSetWriter(p.stderr), progressbar.OptionSetDescription("folding states"),
				progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionSetWidth(20), progressbar.OptionClearOnFinish())
		} else {
			_ = states.Set64(s.FoldedEvents)
		}
	}
}

// bar shows bytes, events a second and the time left.
type bar struct{ b *progressbar.ProgressBar }

func newBar(w io.Writer, total int64) bar {
	return bar{progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription("importing"),
		progressbar.OptionShowBytes(true),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetWidth(20),
		progressbar.OptionThrottle(progressTick),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSpinnerType(14),
	)}
}

// show draws a status. A failure to draw is no failure to import.
func (b bar) show(s index.Status) {
	if s.TotalBytes > 0 && s.TotalBytes != b.b.GetMax64() {
		b.b.ChangeMax64(s.TotalBytes)
	}
	b.b.Describe("importing  " + rate(s))
	_ = b.b.Set64(s.Bytes)
}

func (b bar) clear() { _ = b.b.Clear() }

func rate(s index.Status) string {
	perSecond := float64(s.Events) / max(s.Elapsed.Seconds(), 0.001)
	if perSecond < 10_000 {
		return strconv.Itoa(int(perSecond)) + " events/s"
	}
	return fmt.Sprintf("%.0fk events/s", perSecond/1000)
}
