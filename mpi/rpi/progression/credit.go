package progression

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Credit bounds the unexpected messages that a process keeps. Each peer has an equal share of
// Config.UnexpectedLimit: it sends messages, or announces them, while that lasts, and gets it back
// when they have matched. What a peer does without credit is in held.go.

// Overhead is what an unexpected message costs beside its body, in bytes of
// credit: about what the receiver's bookkeeping for it takes. An announced message costs
// no more than that.
const Overhead = 256

// Share returns the credit of each peer of a process, in bytes: an equal part of
// cfg.UnexpectedLimit. All processes of a job must use the same.
func Share(cfg rpi.Config) int64 {
	return int64(cfg.UnexpectedLimit / max(1, cfg.Size-1))
}

// charge is what an eager message of n bytes costs in credit.
func charge(n uint64) int64 { return int64(n) + Overhead }

// useCredit notes that a message of a peer has arrived and uses this much of its credit.
func (l *Layer) useCredit(from matching.Rank, cost int64) error {
	p := &l.peers[from]
	if p.used+cost > l.share {
		return violation(from, "its messages exceed its credit of %d bytes", l.share)
	}
	p.used += cost
	return nil
}

// Unread is how many bytes of messages without a receive the process holds: those of peers as their credit counts them,
// and copies of its own.
func (l *Layer) Unread() int {
	n := l.Held
	for i := range l.peers {
		n += int(l.peers[i].used)
	}
	return n
}

// repay notes that a message no longer uses its sender's credit. It returns the credit once there
// is enough for a frame.
func (l *Layer) repay(m *message) {
	if m.Source == l.Self || m.Answer != matching.Unasked {
		return
	}
	p := &l.peers[m.Source]
	cost := charge(m.Length)
	if m.Kind == matching.RTS {
		cost = Overhead
	}
	p.used -= cost
	p.owed += cost
	if p.owed >= l.share/2 && l.Failed(m.Source) == nil {
		l.queue(m.Source, &matching.Envelope{Kind: matching.Credit, Length: uint64(p.owed)}, nil, nil)
		p.owed = 0
	}
}

// creditReturned handles credit that a peer returns: messages to it that waited for credit go on.
func (l *Layer) creditReturned(from matching.Rank, n uint64) error {
	p := &l.peers[from]
	if n > uint64(l.share) || p.credit+int64(n) > l.share {
		return violation(from, "it returned more credit than it had taken")
	}
	p.credit += int64(n)
	l.resume(from)
	return nil
}
