package tx

import (
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Progress is what a SACK brought.
type Progress struct {
	// Acked is how many bytes of user data it acknowledged for the first time.
	// If there are any, the association's error counter is to be cleared (RFC
	// 9260, section 8.1).
	Acked int
	// Paths are those on which the chunks so acknowledged were last sent; their
	// error counters are to be cleared (section 8.2).
	Paths PathSet
	// Probed says that it answers a probe of the peer's closed window: the peer is
	// there, even if it has taken nothing.
	Probed bool
	// Stale says that the SACK had been overtaken by a later one and was
	// ignored.
	Stale bool
}

// Sack processes a SACK chunk (RFC 9260, section 6.2.1). One that breaks the
// protocol changes nothing and returns ErrAckUnsent, ErrGapOrder, ErrNoGap or ErrTakenBack.
// It takes time for the gap ack blocks and for the chunks newly acknowledged or
// taken back, not for all that is outstanding.
func (s *Sender) Sack(now time.Duration, sack *wire.SACK) (Progress, error) {
	stale, err := s.check(sack)
	if err != nil {
		return Progress{}, err
	}
	if stale {
		s.stats.StaleSACKs++
		return Progress{Stale: true}, nil
	}
	s.stats.SACKs++

	s.begin()
	s.progress.Probed = s.window.probe.open
	s.ackCumulative(now, sack.CumulativeTSN)
	if !s.ackGaps(now, sack.CumulativeTSN, sack.GapBlocks) {
		s.window.update(sack.Window)
	}
	s.duplicates(sack.CumulativeTSN, sack.Duplicates)
	s.finish(now, sack.Duplicates)
	return s.progress, nil
}

// CumulativeAck processes the cumulative TSN of a SHUTDOWN chunk, which says
// nothing of gaps or the receive window. Its errors are those of Sack.
func (s *Sender) CumulativeAck(now time.Duration, cumulative wire.TSN) (Progress, error) {
	stale, err := s.check(&wire.SACK{CumulativeTSN: cumulative})
	if err != nil || stale {
		return Progress{Stale: stale}, err
	}
	s.begin()
	s.ackCumulative(now, cumulative)
	s.finish(now, nil)
	return s.progress, nil
}

// check validates a SACK and reports whether it is out of date.
func (s *Sender) check(sack *wire.SACK) (stale bool, err error) {
	// As a distance from the last TSN acknowledged, serial arithmetic included.
	advance := sack.CumulativeTSN.Sub(s.out.base - 1)
	if advance > s.out.len() {
		return false, ErrAckUnsent
	}
	last := 0
	for b := range sack.GapBlocks.All() {
		start, end := int(b.Start), int(b.End)
		switch {
		case last == 0 && start == 1:
			return false, ErrNoGap
		case start <= last || end < start:
			return false, ErrGapOrder
		}
		last = end
	}
	if last > 0 && advance+last > s.out.len() {
		return false, ErrAckUnsent
	}
	if s.config.Multipath && advance >= 0 && advance < s.out.len() && s.out.at(sack.CumulativeTSN+1).state == gapAcked {
		return false, ErrTakenBack
	}
	return advance < 0, nil
}

func (s *Sender) begin() {
	s.progress = Progress{}
	for i := range s.paths {
		p := &s.paths[i]
		p.acks = pathAcks{sentAt: never, latest: -1}
	}
}

// ackCumulative takes out all up to a TSN and releases messages that end there.
func (s *Sender) ackCumulative(now time.Duration, cumulative wire.TSN) {
	for s.out.base.LessEqual(cumulative) {
		c := s.out.at(s.out.base)
		if c.state != gapAcked {
			s.ack(now, s.out.base)
		}
		s.stats.Bytes += uint64(c.length)
		m := s.settle(c)
		s.out.pop()
		if m.unacked == 0 {
			s.stats.Messages++
			s.release(m, socket.Acknowledged)
		}
	}
	s.gaps = trimSpans(s.gaps, cumulative)
}

// ackGaps compares gap ack blocks with those of the last SACK: only what has
// changed is touched. It reports whether the SACK has been overtaken by one with the
// same cumulative TSN, as far as that can be seen.
func (s *Sender) ackGaps(now time.Duration, cumulative wire.TSN, blocks wire.GapBlocks) (overtaken bool) {
	if blocks.Len() == 0 && len(s.gaps) == 0 {
		s.gaps, s.spare, s.union = withoutExcess(s.gaps), withoutExcess(s.spare), withoutExcess(s.union)
		return false
	}
	spans := appendSpans(s.spare[:0], cumulative, blocks)
	subtractSpans(spans, s.gaps, func(tsn wire.TSN) { s.ack(now, tsn) })
	if !s.config.Multipath {
		subtractSpans(s.gaps, spans, func(tsn wire.TSN) { s.renege(now, tsn) })
		s.spare, s.gaps = s.gaps, spans
		return false
	}
	// Nothing is taken back. A SACK that shows less has been sent before, on a path that takes longer, or had no room for more.
	all := appendUnion(s.union[:0], s.gaps, spans)
	overtaken = s.progress.Acked == 0 && !slices.Equal(all, spans)
	s.spare, s.gaps, s.union = spans, all, s.gaps
	return overtaken
}

// ack books that the peer has a chunk, which it did not have before.
func (s *Sender) ack(now time.Duration, tsn wire.TSN) {
	c := s.out.at(tsn)
	p := &s.paths[c.path]
	p.progress.acked(tsn)
	if c.state == lost {
		s.found(tsn, c)
		s.ackedAfterLoss(tsn, false)
	} else {
		s.removeFromFlight(p, tsn)
		if c.resent {
			s.ackedAfterLoss(tsn, now-c.sentAt < p.rack.minRTT)
		}
	}
	c.state = gapAcked
	if c.counted {
		return // taken back in between; counting it again would open the window
	}
	c.counted = true
	if c.markable {
		p.ecn.arrived(tsn, c.resent && now-c.sentAt >= p.rack.minRTT, s.out.end)
	}
	s.progress.Acked += int(c.length)
	s.progress.Paths |= 1 << c.path
	p.acks.bytes += int(c.size)
	if !c.resent {
		p.acks.latest = max(p.acks.latest, c.sentAt)
		// One measurement a round trip: of a chunk sent after the last one.
		if c.sentAt >= p.sampled {
			p.acks.sentAt = min(p.acks.sentAt, c.sentAt)
		}
	}
	p.rack.delivered(now, tsn, c)
	if p.paced != nil {
		p.paced.delivery.acked(now, c, s.out.sentAs(tsn))
	}
}

// renege books that the peer does not, any more, show a chunk that it had
// acknowledged. More often than not a SACK has merely been overtaken, so the chunk
// counts as sent now: if it is missing indeed, RACK or T3-rtx will find out.
func (s *Sender) renege(now time.Duration, tsn wire.TSN) {
	c := s.out.at(tsn)
	p := &s.paths[c.path]
	p.lastPacket++
	c.state, c.resent, c.sentAt, c.packet = inFlight, true, now, p.lastPacket
	s.markInFlight(p, tsn)
	s.stats.Reneged++
}

// finish lets congestion control, loss detection and timers react to a SACK. The
// window grows for what was acknowledged before it shrinks for what was lost (RFC
// 9260, section 7.2.4).
func (s *Sender) finish(now time.Duration, duplicates wire.Numbers[wire.TSN]) {
	s.settleWindowProbe()
	for i := range s.paths {
		p := &s.paths[i]
		low := s.lowest(PathID(i))
		if p.acks.bytes > 0 {
			if p.acks.sentAt != never {
				p.rto.Sample(now - p.acks.sentAt)
				p.sampled = now
			}
			p.collapsed = false
			a := Ack{
				Now: now, Bytes: p.acks.bytes, Flight: p.peak,
				Recovery: p.recovery.on || p.ecn.holding, Drained: !p.outstanding(), SRTT: p.rto.SRTT(),
			}
			if p.acks.latest >= 0 {
				a.RTT = now - p.acks.latest
			}
			if s.config.Multipath {
				if a.RTT > 0 {
					s.coupling.sample(now, p.id, a.RTT, a.SRTT)
				}
				a.Sharing = s.sharing(p)
			}
			if p.windowSuffices() {
				a.Flight = 0 // as if the window were not in full use
			}
			p.congestion.Acked(a)
		}
		p.allow(p.acks.bytes, s.config.MaxBurst)
		if p.tail.settle(low, p.progress.high, duplicates) {
			p.enterRecovery(now, s.out.end-1)
			p.endDetection(now, false)
		}
		p.undoIfSpurious(now)
		s.detect(now, p)
		p.leaveRecovery(low)
		p.ecn.settle(low)
		if p.paced != nil && p.acks.bytes > 0 {
			s.sampled(now, p)
		}
		s.arm(now, p)
	}
	if len(s.paths) > 0 {
		s.watchWindow(now)
	}
}

// settleWindowProbe ends a zero window probe when the peer has taken it, or has
// opened its window without having taken it: then it goes again at once.
func (s *Sender) settleWindowProbe() {
	w := &s.window
	if !w.probe.open {
		return
	}
	if s.out.len() > 0 { // the probe is all that is outstanding
		c := s.out.at(s.out.base)
		if w.advertised < int(c.length) {
			return
		}
		if c.state == inFlight {
			s.markLost(&s.paths[c.path], s.out.base)
		}
	}
	w.probe.open = false
}
