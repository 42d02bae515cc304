package travel

import (
	"fmt"
	"time"
)

// Speed is how fast recorded time is played: doubled so many times, or halved
// where it is negative. The zero Speed is that of the recording.
type Speed int

// The bounds of Speed.
const (
	slowest Speed = -3
	fastest Speed = 10
)

// Faster is twice as fast, as far as that goes.
func (s Speed) Faster() Speed { return min(s+1, fastest) }

// Slower is half as fast, as far as that goes.
func (s Speed) Slower() Speed { return max(s-1, slowest) }

// String is "4x", or "1/2x".
func (s Speed) String() string {
	if s < 0 {
		return fmt.Sprintf("1/%dx", 1<<-s)
	}
	return fmt.Sprintf("%dx", 1<<s)
}

// The bounds of what playing waits between two rows: a gap is capped, so that
// nobody waits for a night to pass, and no row is faster than a screen shows it.
const (
	longestWait  = 2 * time.Second
	shortestWait = 30 * time.Millisecond
)

// Wait is how long playing waits for the next row after a recorded gap.
func (s Speed) Wait(gap time.Duration) time.Duration {
	for ; s > 0; s-- {
		gap /= 2
	}
	for ; s < 0 && gap < longestWait; s++ {
		gap *= 2
	}
	return max(min(gap, longestWait), shortestWait)
}
