package tx

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// spuriousLosses detects that the losses for which a path's window has been reduced were
// none: that the network has merely reordered or delayed packets. The detection is open
// from a reduction until each chunk taken for lost has turned out to have arrived without
// being sent again, and then all reductions since are undone, or until that is not to be
// expected any more. A chunk turns out so by
//
//   - being acknowledged before it is sent again,
//   - being acknowledged after that, but sooner than a round trip takes (what RFC 3522
//     does with timestamps), or
//   - being reported as a duplicate each time that it was sent again ([RFC 3708]).
//
// A peer that makes duplicates up has its sender ignore congestion, as has one that
// acknowledges what it does not have.
//
// [RFC 3708]: https://www.rfc-editor.org/rfc/rfc3708
type spuriousLosses struct {
	open bool
	// chunks are those taken for lost of which nothing else is known; most is the
	// most there have been.
	chunks map[wire.TSN]lostChunk
	most   int
	// until is when to stop expecting reports of any.
	until time.Duration
}

// lostChunk is a chunk taken for lost.
type lostChunk struct {
	// resent is how often it has been sent again without being reported.
	resent int
	// until is when that should have been reported.
	until time.Duration
}

// keptLostChunks is for how many chunks memory is kept.
const keptLostChunks = 64

// add adds a chunk that has been taken for lost. One that has been sent again before,
// as a tail-loss probe for one, may be acknowledged for that.
func (u *spuriousLosses) add(tsn wire.TSN, resent bool, until time.Duration) {
	if u.chunks == nil {
		u.chunks = map[wire.TSN]lostChunk{}
	}
	c, known := u.chunks[tsn]
	if !known && resent {
		c.resent = 1
	}
	c.until = until
	u.chunks[tsn] = c
	u.until = until
	u.most = max(u.most, len(u.chunks))
}

// resend notes that a chunk is sent again.
func (u *spuriousLosses) resend(tsn wire.TSN, until time.Duration) {
	if c, ok := u.chunks[tsn]; ok {
		u.chunks[tsn] = lostChunk{c.resent + 1, until}
		u.until = until
	}
}

// acked notes that a chunk has been acknowledged, early if it cannot be due to its
// having been sent again last.
func (u *spuriousLosses) acked(tsn wire.TSN, early bool) {
	if c, ok := u.chunks[tsn]; ok && (c.resent == 0 || c.resent == 1 && early) {
		delete(u.chunks, tsn)
	}
}

// duplicate notes that the peer has had a chunk already when it came again, and reports whether the path had taken it for lost.
func (u *spuriousLosses) duplicate(tsn wire.TSN) bool {
	c, known := u.chunks[tsn]
	switch c.resent {
	case 0:
	case 1:
		delete(u.chunks, tsn)
	default:
		u.chunks[tsn] = lostChunk{c.resent - 1, c.until}
	}
	return known
}

// overdue reports whether a chunk should have been reported by now: it was lost.
func (u *spuriousLosses) overdue(now time.Duration) bool {
	for _, c := range u.chunks {
		if c.until < now {
			return true
		}
	}
	return false
}

// close forgets all.
func (u *spuriousLosses) close() {
	if u.most > keptLostChunks {
		u.chunks = nil
	}
	clear(u.chunks)
	u.open, u.most = false, 0
}

// detectSpurious opens a detection when the window is about to be reduced. One that is
// open goes on, and this reduction may be undone with the one before, unless a loss has
// been confirmed.
func (p *path) detectSpurious(now time.Duration) {
	if p.spurious.open && p.spurious.overdue(now) {
		p.endDetection(now, false)
	}
	p.spurious.open = true
}

// undoIfSpurious undoes the reductions of the window if they turn out to have been needless.
func (p *path) undoIfSpurious(now time.Duration) {
	switch u := &p.spurious; {
	case !u.open:
	case len(u.chunks) == 0:
		p.endDetection(now, true)
		p.recovery = recovery{}
		p.rack.reordered = true
		p.stats.Undone++
	case u.until < now:
		p.endDetection(now, false)
	}
}

func (p *path) endDetection(now time.Duration, spurious bool) {
	p.spurious.close()
	p.congestion.Judged(now, spurious)
}

// ackedAfterLoss handles the acknowledgement of a chunk that has been taken for lost, on
// whichever path that was.
func (s *Sender) ackedAfterLoss(tsn wire.TSN, early bool) {
	for i := range s.paths {
		s.paths[i].spurious.acked(tsn, early)
	}
}

// duplicates handles the duplicate TSNs of a SACK. With Config.Multipath those concern a path that it has taken for lost:
// others have been sent again by another path, or before they were lost.
func (s *Sender) duplicates(cumulative wire.TSN, list wire.Numbers[wire.TSN]) {
	if list.Len() == 0 {
		return
	}
	s.stats.Duplicates += uint64(list.Len())
	for i := range s.paths {
		p := &s.paths[i]
		known := false
		if p.spurious.open {
			for tsn := range list.All() {
				known = p.spurious.duplicate(tsn) || known
			}
		}
		if known || !s.config.Multipath {
			p.rack.duplicate(cumulative, s.out.end)
		}
	}
}
