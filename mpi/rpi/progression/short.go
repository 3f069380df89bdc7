package progression

import (
	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/internal/operations"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Most messages are short, have a receive that waits for them, and travel while nothing else does. For them there is a short way: they have
// no request at their sender, nor a frame if they go through memory, and no entry in a list at their receiver. Whatever is not as usual
// goes the long way, which is behind each "false" here.

// Memory is memory that is shared with peers.
type Memory interface {
	// Has reports whether memory is shared with a peer.
	Has(peer matching.Rank) bool
	// TrySend puts a frame into the memory that is shared with a peer, and reports whether it has.
	TrySend(peer matching.Rank, h *[header.Size]byte, body []byte) bool
}

// shortest is the longest message, in bytes, that is copied for a network. Of each peer there is one copy at most.
const shortest = 2 << 10

// TrySend sends a message: see rpi.ShortWay. waits: it is in the queue to a peer of the network, which nothing else has told the network
// of: the peer is not among the Ready.
func (l *Layer) TrySend(m rpi.Short, near Memory) (sent, waits bool) {
	p := &l.peers[m.Peer]
	cost := charge(uint64(len(m.Buf)))
	if len(m.Buf) > l.Config.EagerLimit || p.left || !p.queue.Empty() || p.backlog.count > 0 || p.credit-cost < l.ample() {
		return false, false
	}
	seq := l.Sendable(m.Peer, m.Context)
	if seq == nil {
		return false, false
	}
	h := operations.HeaderOf(m, *seq)
	switch {
	case near.Has(m.Peer):
		if !near.TrySend(m.Peer, (*[header.Size]byte)(header.Append(l.encoded[:0], &h)), m.Buf) {
			return false, false
		}
		l.Told(m.Peer, 1)
	case !p.connected || p.copied != nil || len(m.Buf) > shortest || l.Config.Progress == rpi.Inline: // then no goroutine may be there to send it later
		return false, false
	default:
		p.copy = append(p.copy[:0], m.Buf...)
		p.copied = l.enqueue(m.Peer, &h, p.copy, nil)
		waits = true
	}
	*seq++
	p.credit -= cost
	l.SentShort(m)
	return true, waits
}

// deliver takes in a message, by its header, if all of its body is in two pieces of memory that begin with it, and a receive waits for it. It
// reports whether it has.
func (l *Layer) deliver(from matching.Rank, h *header.Header, body, rest []byte) bool {
	p, cost := &l.peers[from], charge(h.Length)
	if h.Kind != header.Eager || h.Length > min(shortest, uint64(len(body)+len(rest))) || h.Sync || h.Rationed || p.holds ||
		p.used+p.owed.bytes+cost > l.share || l.Failed(from) != nil {
		return false
	}
	env := h.Envelope()
	if l.wanted.names(from, h) {
		if !l.wanted.fits(&env) || !l.ReceivedShort(from, &env) {
			return false
		}
		put(l.wanted.Buf[:h.Length], body, rest)
		p.owed.bytes += cost
		l.returnCredit(from)
		l.wanted.complete(from, &env)
		return true
	}
	r := l.Meet(from, &env)
	if r == nil {
		return false
	}
	err := r.Misfit(&env)
	if err == nil {
		put(r.Buf[:h.Length], body, rest)
	}
	p.owed.bytes += cost
	l.returnCredit(from)
	r.Complete(err)
	return true
}

// put copies a message from two pieces of memory that begin with it.
func put(dst, body, rest []byte) { copy(dst[copy(dst, body):], rest) }
