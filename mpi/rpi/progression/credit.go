package progression

import (
	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Credit bounds the unexpected messages that a process keeps. Each peer has an equal share of
// Config.UnexpectedLimit: it sends messages, or announces them, while that lasts, and gets it back
// when they have matched. What a peer does without credit is in held.go.
//
// The first quarter of the share is for whatever comes first. The rest is rationed: a TRC may have no more of it
// than it leaves to others. So messages that no receive asks for leave room for those of a TRC whose receives are
// posted. A message that has taken a ration says so, and its credit is returned by TRC: as long as credit is
// ample nothing is counted by TRC. Rations are dynamic thresholds (Choudhury and Hahne, IEEE/ACM
// Transactions on Networking 6(2), 1998), the rule by which sctprpi/engine divides a window among streams.

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

// take takes credit for the message of r, and reports whether that is a ration, and whether there was enough.
func (l *Layer) take(r *rpi.Request, cost int64) (rationed, ok bool) {
	p := &l.peers[r.Peer]
	if cost > p.credit {
		return false, false
	}
	if p.credit > l.ample() {
		p.credit -= cost
		return false, true
	}
	of := trc{r.Context, r.Tag}
	if p.rations[of]+cost > p.credit-cost {
		return false, false
	}
	if p.rations == nil {
		p.rations = make(map[trc]int64)
	}
	p.credit -= cost
	p.rations[of] += cost
	p.rationed += cost
	return true, true
}

// ample is the credit beyond which nothing is counted by TRC.
func (l *Layer) ample() int64 { return l.share - l.share/4 }

// regain adds to the credit for a peer what a message has not used, or the peer returns: the ration of a TRC if rationed. Messages that
// waited for it go on.
func (l *Layer) regain(peer matching.Rank, n int64, rationed bool, of trc) {
	p := &l.peers[peer]
	p.credit += n
	if rationed {
		p.rationed -= n
		if p.rations[of] -= n; p.rations[of] == 0 {
			delete(p.rations, of)
		}
		if q := p.backlog.trcs[of]; q != nil {
			l.resume(q)
		}
	}
	l.resume(&p.backlog.all)
}

// creditReturned handles credit that a peer returns.
func (l *Layer) creditReturned(from matching.Rank, h *header.Header) error {
	p, of := &l.peers[from], trc{h.Context, h.Tag}
	most := uint64(l.share - p.credit - p.rationed)
	if h.Rationed {
		most = uint64(p.rations[of])
	}
	switch {
	case h.Length == 0:
		return violation(from, "it returned no credit")
	case h.Length > most:
		return violation(from, "it returned more credit than it had taken")
	}
	l.regain(from, int64(h.Length), h.Rationed, of)
	return nil
}

// owed is credit that is to be returned.
type owed struct {
	bytes int64 // all
	// rations are the parts of it that are returned by TRC, in about the order in which they are due.
	rations []ration
	leaving int // Credit frames that have not left
}

// ration is credit of a TRC.
type ration struct {
	of    trc
	bytes int64
}

// recentRations is how many TRCs in turn have their credit added up.
const recentRations = 8

// add notes credit that a message no longer uses.
func (o *owed) add(m *message, cost int64) {
	o.bytes += cost
	if !m.rationed {
		return
	}
	of := trc{m.Context, m.Tag}
	for i := len(o.rations) - 1; i >= max(0, len(o.rations)-recentRations); i-- {
		if o.rations[i].of == of {
			o.rations[i].bytes += cost
			return
		}
	}
	o.rations = append(o.rations, ration{of, cost})
}

// useCredit notes that a message of a peer has arrived and uses this much of its credit.
func (l *Layer) useCredit(from matching.Rank, cost int64) error {
	p := &l.peers[from]
	if p.used+p.owed.bytes+cost > l.share {
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

// repay notes that a message no longer uses its sender's credit.
func (l *Layer) repay(m *message) {
	if m.Source == l.Self || m.answers != header.Unasked {
		return
	}
	p := &l.peers[m.Source]
	cost := charge(m.Length)
	if m.kind == header.RTS {
		cost = Overhead
	}
	p.used -= cost
	p.owed.add(m, cost)
	l.returnCredit(m.Source)
}

// returnCredit returns the credit that is owed to a peer, once it is an eighth of all that the peer can have: seldom as long as it has
// much, and at once if it has little. If the frames for the last one have not left it waits for them, so that a peer that does
// not take them makes no more of them.
func (l *Layer) returnCredit(to matching.Rank) {
	p := &l.peers[to]
	o := &p.owed
	if o.bytes == 0 || 8*o.bytes < l.share-p.used || o.leaving > 0 || p.left || l.Failed(to) != nil {
		return
	}
	for _, r := range o.rations {
		l.queueCredit(to, &header.Header{Kind: header.Credit, Length: uint64(r.bytes), Rationed: true, Context: r.of.context, Tag: r.of.tag})
	}
	if o.bytes > 0 {
		l.queueCredit(to, &header.Header{Kind: header.Credit, Length: uint64(o.bytes)})
	}
	o.rations = o.rations[:0]
}

// queueCredit sends a Credit frame.
func (l *Layer) queueCredit(to matching.Rank, h *header.Header) {
	o := &l.peers[to].owed
	o.bytes -= int64(h.Length)
	o.leaving++
	l.queue(to, h, nil, nil)
}
