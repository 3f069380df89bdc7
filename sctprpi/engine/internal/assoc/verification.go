package assoc

import "time"

// verification is how far the tests of the peer's addresses are that have yet to be
// confirmed (RFC 9260, section 5.4).
type verification struct {
	// next is when the next of them may be tested.
	next time.Duration
	// readdressed: see Readdressed.
	readdressed bool
}

// verifyNext has the next address tested that the peer has listed. One in a timeout is
// (HB.Max.Burst in RFC 9260, section 5.4), lest a peer list those of a victim; but when
// one has answered the next need not wait.
func (a *Association) verifyNext(now time.Duration) {
	a.verification.next = now
	for i := range a.paths {
		if p := &a.paths[i]; !p.confirmed && !p.beat.underWay && p.beat.deadline != never {
			p.beat.deadline = now
		}
	}
}

// Readdressed reports whether the peer has had another address confirmed, or another UDP
// port, since it was last asked.
func (a *Association) Readdressed() bool {
	was := a.verification.readdressed
	a.verification.readdressed = false
	return was
}
