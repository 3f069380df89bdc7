package rx

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// Verdict is what a Tracker says of a TSN that has arrived.
type Verdict uint8

const (
	// Fresh: it has not been here before. Accept or Refuse must follow.
	Fresh Verdict = iota
	// Duplicate: it has, or FORWARD TSN has skipped it. The next SACK reports
	// it.
	Duplicate
	// Beyond: it is further ahead than can be kept track of. The peer will send
	// it again.
	Beyond
)

// maxDuplicates bounds the duplicate TSNs that a SACK reports. More are dropped,
// which costs the peer nothing but statistics.
const maxDuplicates = 64

// keptBlocks is how much memory for gap ack blocks, in bytes, is kept when there are
// none.
const keptBlocks = 1 << 10

// Tracker knows which TSNs have arrived and decides when to acknowledge them (RFC
// 9260, sections 6.2 and 6.7). Make it with NewTracker.
//
// It keeps track of TSNs up to 65,535 ahead of the cumulative one, which is as
// far as a SACK can tell, in up to 4096 separate runs; a TSN that is beyond that
// is Beyond. So a hostile peer can make it take 48 KiB, the last SACK's gap ack blocks
// included, until the gaps are filled. Each operation takes time logarithmic in the
// number of runs, or has to move some of these 48 KiB.
type Tracker struct {
	received   received
	ack        ackTimer
	blocks     wire.GapBlocks         // of the last SACK, for reuse
	duplicates wire.Numbers[wire.TSN] // to be reported
	reported   bool                   // duplicates have been, by the last SACK
	ends       bool                   // see ShowEnds
}

// NewTracker returns a Tracker for a peer whose first TSN is initial.
func NewTracker(initial wire.TSN, policy AckPolicy) (*Tracker, error) {
	if err := policy.setDefaults(); err != nil {
		return nil, err
	}
	return &Tracker{
		received: received{cumulative: initial - 1},
		ack:      ackTimer{policy: policy, deadline: never},
	}, nil
}

// ShowEnds has SACKs that have no room for all gap ack blocks leave out those in the middle. It is for a peer that remembers what earlier
// SACKs have acknowledged, and sends on several paths: the highest TSNs are what a fast one has delivered last, the lowest what a slow
// one has.
func (t *Tracker) ShowEnds() { t.ends = true }

// Arrive books the arrival of a DATA or I-DATA chunk and says what it is. All but
// Fresh ones are to be dropped, and have a SACK sent without delay.
func (t *Tracker) Arrive(tsn wire.TSN) Verdict {
	v := t.received.verdict(tsn)
	if v == Fresh {
		return v
	}
	t.Refuse()
	if v == Duplicate {
		if t.reported {
			t.duplicates, t.reported = t.duplicates[:0], false
		}
		if t.duplicates.Len() < maxDuplicates {
			t.duplicates = t.duplicates.Append(tsn)
		}
	}
	return v
}

// Accept makes a TSN that is Fresh acknowledged. The SACK is not delayed if the
// chunk came out of order or has the I bit, FlagImmediate.
func (t *Tracker) Accept(tsn wire.TSN, flags wire.DataFlags) {
	t.ack.data = true
	if flags&wire.FlagImmediate != 0 || tsn != t.received.highest()+1 {
		t.ack.urgent = true
	}
	t.received.insert(tsn)
}

// Refuse says that a chunk that was Fresh has been dropped for want of room. The
// SACK that shows it is not delayed.
func (t *Tracker) Refuse() { t.ack.data, t.ack.urgent = true, true }

// Forward moves the cumulative TSN forward over TSNs that the peer has given up
// (RFC 3758, section 3.6) and reports whether it moved. If it did, the Reassembly
// is to be told. If not, the FORWARD TSN was out of date, and a SACK without delay
// tells the peer. A jump over more than 65,535 TSNs, so many being never
// outstanding, changes nothing and returns ErrForwardTooFar.
func (t *Tracker) Forward(tsn wire.TSN) (bool, error) {
	ahead := tsn.Sub(t.received.cumulative)
	if ahead > maxAhead {
		return false, ErrForwardTooFar
	}
	if ahead <= 0 {
		t.Refuse()
		return false, nil
	}
	t.ack.data = true
	t.received.advance(tsn)
	return true, nil
}

// EndPacket says that a packet, or a GRO batch,
// has been processed. Whether it brought anything to acknowledge is known from the
// calls since the last one.
func (t *Tracker) EndPacket(now time.Duration) { t.ack.endPacket(now, t.Gaps(), smallPackets) }

// EndSmallPacket is EndPacket for a packet that counts for a quarter, so that fewer SACKs
// are sent for many of the kind.
func (t *Tracker) EndSmallPacket(now time.Duration) { t.ack.endPacket(now, t.Gaps(), 1) }

// Due reports whether a SACK is to be sent now.
func (t *Tracker) Due(now time.Duration) bool { return t.ack.due || t.ack.deadline <= now }

// Pending reports whether there is anything to acknowledge that no SACK has
// acknowledged. A packet that goes out anyway may then take a SACK along.
func (t *Tracker) Pending() bool { return t.ack.packets > 0 }

// Deadline returns when a delayed SACK becomes due, and false when there is none.
func (t *Tracker) Deadline() (time.Duration, bool) { return t.ack.deadline, t.ack.deadline != never }

// SACK returns the SACK chunk to be sent now, and takes it as sent. It takes at
// most room bytes, but never less than 16: the gap ack blocks that do not fit,
// those furthest ahead (but see ShowEnds), and then duplicate TSNs, are left out. Its lists are valid
// until the Tracker is next used. Window is the receive window to advertise, in
// bytes.
func (t *Tracker) SACK(room int, window uint32) wire.SACK {
	if t.reported {
		t.duplicates = t.duplicates[:0]
	}
	lists := max(wire.SACKRoom(room), 0)
	if !t.Gaps() && cap(t.blocks) > keptBlocks {
		t.blocks = nil
	}
	t.blocks = t.received.appendBlocks(t.blocks[:0], lists, t.ends)
	duplicates := min(t.duplicates.Len(), lists-t.blocks.Len())
	t.ack.sent()
	t.reported = true
	return wire.SACK{
		CumulativeTSN: t.received.cumulative,
		Window:        window,
		GapBlocks:     t.blocks,
		Duplicates:    t.duplicates[:4*duplicates],
	}
}

// CumulativeTSN returns the TSN up to which all have arrived or been skipped.
func (t *Tracker) CumulativeTSN() wire.TSN { return t.received.cumulative }

// Gaps reports whether TSNs before the highest one are missing.
func (t *Tracker) Gaps() bool { return len(t.received.runs) > 0 }
