package tx

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// MarkController is a Controller that slows down when the network marks packets instead of dropping them (explicit congestion
// notification, [RFC 3168]). On a path with another one packets are not markable.
//
// [RFC 3168]: https://www.rfc-editor.org/rfc/rfc3168
type MarkController interface {
	Controller
	// Marked tells that packets have been marked, once for a window of data. Nothing has been lost.
	Marked(now time.Duration)
}

// ecn is explicit congestion notification on a path. It says which packets are markable, has the window reduced once for all marks of a
// window of data, as it is for losses, and ends for good on a path that does other things with marked or markable packets than it should
// (the model is RFC 9000, section 13.4.2).
type ecn struct {
	// on: packets are markable.
	on bool
	// exit is the last TSN that had been sent when the window was reduced last, for a mark, for loss, or by T3-rtx. Marks up to it change
	// nothing any more. holding: the reduction was for a mark, and not all up to exit is acknowledged. The window does not grow
	// meanwhile, and is not reduced for losses.
	exit    wire.TSN
	holding bool
	// missed counts, since a markable chunk has arrived, those that have arrived only when they were sent again, unmarkable. Only one
	// counts of those that were sent before missedUntil.
	missed      uint8
	missedUntil wire.TSN
	// idle counts the marks in a row that have found the window at its least.
	idle uint8
}

const (
	// ecnMissed markable chunks are missed, each sent after the one before had been, until the path is taken to drop markable packets.
	ecnMissed = 3
	// ecnIdle marks change nothing, since the window is at its least, until they are taken to have nothing to do with what is sent. If it
	// is too much all the same, the network drops it.
	ecnIdle = 10
)

// newECN returns that of a path whose first TSN may be next.
func newECN(on bool, control Controller, next wire.TSN) ecn {
	_, able := control.(MarkController)
	return ecn{on: on && able, exit: next - 1, missedUntil: next}
}

// stop ends it.
func (e *ecn) stop() { e.on, e.holding = false, false }

// reduced notes that the window has been reduced for another reason than a mark, when next was the next TSN.
func (e *ecn) reduced(next wire.TSN) { e.exit, e.holding = next-1, false }

// settle ends holding when low is the lowest TSN of the path that is not acknowledged, and keeps exit so near to it that they can be
// compared for ever.
func (e *ecn) settle(low wire.TSN) {
	if e.exit.Less(low) {
		e.holding = false
	}
	if low.Sub(e.exit) > ecnMemory {
		e.exit = low - ecnMemory
	}
}

// ecnMemory is how many TSNs exit is behind at most.
const ecnMemory = 1 << 20

// arrived notes that a markable chunk has been acknowledged; next is the next TSN to be sent. again says that it has arrived when it was
// sent again.
func (e *ecn) arrived(tsn wire.TSN, again bool, next wire.TSN) {
	switch {
	case !again:
		e.missed = 0
	case e.missedUntil.LessEqual(tsn):
		e.missedUntil = next
		if e.missed++; e.missed == ecnMissed {
			e.stop()
		}
	}
}

// Marked handles what an ECNE chunk says: the network has marked a packet whose lowest TSN was tsn. It returns false if there has been no
// such packet, so that the peer is not to be answered.
func (s *Sender) Marked(now time.Duration, tsn wire.TSN) bool {
	ahead := tsn.Sub(s.out.base)
	if ahead >= s.out.len() {
		return false
	}
	p := &s.paths[s.lastPath] // of a TSN that is acknowledged the path is not known any more
	if ahead >= 0 {
		c := s.out.at(tsn)
		if p = &s.paths[c.path]; !c.markable && !c.resent {
			p.ecn.stop() // the path marks what it must not
		}
	}
	e := &p.ecn
	if !e.on || tsn.LessEqual(e.exit) {
		return true
	}
	if e.idle++; p.congestion.Window() > leastSsthresh*p.maxChunk {
		e.idle = 0
	}
	if e.idle > ecnIdle {
		e.stop()
		return true
	}
	e.exit, e.holding = s.out.end-1, true
	p.stats.Marks++
	p.congestion.(MarkController).Marked(now)
	return true
}

// Markable reports whether the packet that Next or Lone has just given may be marked: nothing in it has been sent before, and it is no probe
// of the peer's window (RFC 3168, sections 6.1.5 and 6.1.6).
func (s *Sender) Markable() bool { return s.markable }

// ECN reports whether packets to a path are markable.
func (s *Sender) ECN(id PathID) bool { return s.paths[id].ecn.on }

// Moved tells that a path leads another way from now on, which may treat marks in another way, and have another bottleneck.
func (s *Sender) Moved(id PathID) {
	p := &s.paths[id]
	p.ecn = newECN(s.config.ECN, p.congestion, s.out.end)
	if s.config.Multipath {
		s.coupling.forget(id)
	}
}
