package progress

import (
	"sync"
	"time"
)

// rivals notices that other programs want the processors, of which Config.Crowded does not know.
// Who spins for a peer that is not running, but waits for a processor, gives it up only when his
// own time slice is over, and has then to wait for as long when the answer comes. Who blocks uses
// less than is his, so that the system lets him have a processor as soon as there is a message.
// So nobody spins for a while if waits take a time slice again and again and the system says
// that somebody has been waiting for a processor meanwhile: without that the peer may as well
// have been computing. The while is the longer the sooner it is found to be so again.
//
// Measured, two ranks on two processors beside two programs that compute: 2.4 to 2.6 times as
// long as alone, for 3.5 to 3.9 times; their share would be 2.
type rivals struct {
	// pressure returns for how long somebody has been waiting for a processor, nil if
	// nobody knows: see openPressure.
	pressure func() (time.Duration, error)

	since  time.Duration // when the count began
	waited time.Duration // the pressure then
	slices int           // waits that took one, the first of them then; 0: none are counted

	until time.Duration // of the truce: nobody spins before
	truce time.Duration // how long it is, or was
}

const (
	// slice is what others take at least; Linux' slices are 3 ms or so.
	slice = time.Millisecond
	// manySlices within a window are many, and mostContended is the share of
	// that window in which somebody was waiting for a processor. Two ranks that have two
	// processors to themselves but for their event loops show 0.05 to 0.5; it is less than
	// 1 where there are rivals, as ranks that wait for each other leave processors idle.
	manySlices    = 5
	window        = 50 * time.Millisecond
	mostContended = 0.5

	shortestTruce = 50 * time.Millisecond
	longestTruce  = 1600 * time.Millisecond
)

// systemPressure is openPressure, once for all ranks of the process.
var systemPressure = sync.OnceValue(openPressure)

// learn takes in that a wait took so long. It asks the system once in a window at most, which
// takes 10 µs.
func (r *rivals) learn(now, wait time.Duration) {
	if wait < slice || r.pressure == nil || r.truceAt(now) {
		return
	}
	passed := now - r.since
	if r.slices++; r.slices > 1 && passed < window {
		return
	}
	waited, err := r.pressure()
	if err != nil {
		r.pressure = nil
		return
	}
	contended := r.slices >= manySlices && passed < 2*window && float64(waited-r.waited) > mostContended*float64(passed)
	if r.since, r.waited, r.slices = now, waited, 1; !contended {
		return
	}
	if now-r.until > r.truce+2*window {
		r.truce = 0
	}
	r.truce = min(max(2*r.truce, shortestTruce), longestTruce)
	r.until, r.slices = now+r.truce, 0
}

// truceAt reports whether nobody should spin.
func (r *rivals) truceAt(now time.Duration) bool { return now < r.until }
