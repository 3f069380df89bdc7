package tx

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// Choose returns the path of a set on which to ask Next for a packet, when Config.Multipath lets data go on several of them at once, and
// false if nothing is to be sent on any of them now.
//
// It is the path with the shortest round trip that may send. What the stream whose turn it is has sent last speaks for the same path again,
// so that its messages do not pass each other. If a faster path may not send now, a slower one does so only if what waits would take
// longer by waiting for the faster one: the rule of ECF ([Lim et al., 2017]). So short messages stay on the fast path, and long transfers use
// all.
//
// [Lim et al., 2017]: https://doi.org/10.1145/3143361.3143376
func (s *Sender) Choose(now time.Duration, of PathSet) (PathID, bool) {
	for i := range s.paths {
		if p := &s.paths[i]; of.Has(p.id) && p.tail.due {
			return p.id, true
		}
	}
	home, waiting := s.next(now)
	best, fast := s.fastest(now, of, home)
	switch {
	case !waiting, best == nil:
	case s.out.lostCount == 0 && !s.window.probe.due && s.blocked(now):
		if best = s.overtaker(now, of); best != nil {
			return best.id, true
		}
	case best == fast, !s.worthWaiting(best, fast) && !s.hinders(best, fast):
		return best.id, true
	}
	s.pass(now, of)
	return 0, false
}

// next returns the home of what is to be sent next, 0 if it has none, and whether there is anything.
func (s *Sender) next(now time.Duration) (home uint8, waiting bool) {
	if s.out.lostCount > 0 {
		return 0, true
	}
	if st := s.peek(now); st != nil {
		return st.home, true
	}
	return 0, false
}

// homeShare is what part of its round trip a stream's own path has in addition in its favour.
const homeShare = 4

// fastest returns the fastest paths of a set: of those that may send now, nil if there is none, and of all.
func (s *Sender) fastest(now time.Duration, of PathSet, home uint8) (open, all *path) {
	var openAfter, allAfter time.Duration
	for i := range s.paths {
		p := &s.paths[i]
		if !of.Has(p.id) {
			continue
		}
		if p.paced != nil {
			p.pace(now)
		}
		after := p.delay()
		if home == uint8(p.id)+1 {
			after -= after / homeShare
		}
		if all == nil || after < allAfter {
			all, allAfter = p, after
		}
		if s.mayUse(p) && (open == nil || after < openAfter) {
			open, openAfter = p, after
		}
	}
	return open, all
}

// mayUse reports whether a packet may go on a path now.
func (s *Sender) mayUse(p *path) bool {
	if p.recovery.rescue && s.out.lostCount > 0 {
		return true
	}
	return p.open()
}

// worthWaiting reports whether what is queued is sooner at the peer if it waits for the faster path.
func (s *Sender) worthWaiting(slow, fast *path) bool {
	if fast.inFlight.n == 0 || s.wanted > 0 { // nothing to wait for, or more to come than is known
		return false
	}
	queued := float64(s.queue.queued + s.out.lostCount*s.maxChunk)
	soon, late := fast.delay().Seconds(), slow.delay().Seconds()
	return soon*(1+queued/float64(fast.congestion.Window())) < late &&
		2*soon <= late*max(1, queued/float64(slow.congestion.Window()))
}

// hinders reports whether what a slow path is given now is likely to keep the peer's window shut for a fast one, as has happened before: it has
// no room for all that the fast one can send while a window of the slow one is on its way (BLEST, [Ferlin et al., 2016]).
//
// [Ferlin et al., 2016]: https://doi.org/10.1109/IFIPNetworking.2016.7497206
func (s *Sender) hinders(slow, fast *path) bool {
	if !slow.hindered || fast.inFlight.n == 0 {
		return false
	}
	meanwhile := float64(fast.congestion.Window()) * slow.delay().Seconds() / fast.delay().Seconds()
	return meanwhile+float64(slow.congestion.Window()) > float64(s.window.advertised)
}

// pass notes that all paths of a set have been asked and none is used now.
func (s *Sender) pass(now time.Duration, of PathSet) {
	for i := range s.paths {
		p := &s.paths[i]
		if !of.Has(p.id) {
			continue
		}
		p.peak = p.flight
		if p.paced == nil {
			continue
		}
		if s.await(now, p); p.open() { // it may send, and does not: what it delivers tells no more what it could
			p.paced.rest()
		}
	}
	s.watchWindow(now)
}

// overtaker returns the fastest path that may send, if what keeps the peer's window shut would be sooner at the peer on it, else nil.
func (s *Sender) overtaker(now time.Duration, of PathSet) *path {
	p, _ := s.fastest(now, of, 0)
	if p != nil {
		if _, ok := s.hindrance(p); !ok {
			return nil
		}
	}
	return p
}

// hindrance returns the lowest TSN in flight that a path would have sooner at the peer than the one which it is on, if the oldest outstanding
// chunk is, or was, such a one.
func (s *Sender) hindrance(p *path) (tsn wire.TSN, found bool) {
	if s.out.len() == 0 {
		return 0, false
	}
	oldest := s.out.at(s.out.base)
	if !oldest.moved && !p.faster(&s.paths[oldest.path]) {
		return 0, false
	}
	for i := range s.paths {
		slow := &s.paths[i]
		if slow.inFlight.n == 0 || !p.faster(slow) {
			continue
		}
		low := s.lowest(slow.id)
		if c := s.out.at(low); c.state == inFlight && !c.moved && (!found || low.Less(tsn)) {
			tsn, found = low, true
		}
	}
	return tsn, found
}

// delay returns a path's round trip, or what it may be at worst as long as it has not been measured.
func (p *path) delay() time.Duration {
	if rtt := p.rto.SRTT(); rtt > 0 {
		return rtt
	}
	return p.rto.Timeout()
}

func (p *path) faster(q *path) bool { return p.delay() < q.delay() }

// overtake puts chunks into the packet that are in flight on a slower path and keep the peer's window shut (opportunistic retransmission,
// [Raiciu et al., 2012]). A chunk is sent again so once. From then on hinders watches the slow path.
//
// [Raiciu et al., 2012]: https://www.usenix.org/conference/nsdi12/technical-sessions/presentation/raiciu
func (k *packetBuilder) overtake() {
	for k.out.lostCount == 0 && k.blocked(k.now) {
		tsn, ok := k.hindrance(k.path)
		if !ok {
			return
		}
		c := k.out.at(tsn)
		if !k.fits(c) {
			return
		}
		slow := &k.paths[c.path]
		k.removeFromFlight(slow, tsn)
		slow.hindered = true
		k.arm(k.now, slow)
		c.moved = true
		k.resend(tsn, c)
	}
}
