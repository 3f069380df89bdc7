package progression

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Most messages are short, have a receive that waits for them, and travel while nothing else does. For them there is a short way: they have
// no request at their sender, nor a frame if they go through memory, and no entry in a list at their receiver. Whatever is not as usual
// goes the long way, which is behind each "false" here.

// Memory is memory that is shared with peers.
type Memory interface {
	// TrySend puts a frame into the memory that is shared with a peer, and reports whether it has.
	TrySend(peer matching.Rank, header *[matching.EnvelopeSize]byte, body []byte) bool
}

// shortest is the longest message, in bytes, that is copied for a network. Of each peer there is one copy at most.
const shortest = 2 << 10

// TrySend sends a message: see rpi.ShortSender.
func (l *Layer) TrySend(m rpi.Short, near Memory) bool {
	p := &l.peers[m.Peer]
	cost := charge(uint64(len(m.Buf)))
	if len(m.Buf) > l.Config.EagerLimit || p.left || !p.queue.Empty() || p.backlog.count > 0 || p.credit-cost < l.ample() {
		return false
	}
	seq := l.Sendable(m.Peer, m.Context)
	if seq == nil {
		return false
	}
	env := matching.Envelope{Kind: matching.Eager, Tag: m.Tag, Context: m.Context, Seq: *seq, Length: uint64(len(m.Buf)), Type: m.Type}
	if m.Elem <= rpi.MaxElem {
		env.ElemSize = uint16(m.Elem)
	}
	matching.AppendEnvelope(l.header[:0], &env)
	switch {
	case near.TrySend(m.Peer, &l.header, m.Buf):
		l.Told(m.Peer, 1)
	case !p.connected || p.copied != nil || len(m.Buf) > shortest || l.Config.Progress == rpi.Inline: // then no goroutine may be there to send it later
		return false
	default:
		l.queueCopy(m.Peer, &env, m.Buf)
	}
	*seq++
	p.credit -= cost
	l.SentShort(m.Peer, len(m.Buf))
	return true
}

// deliver takes in the frame of a message that has come as a whole, its body in two parts, and reports whether it has.
func (l *Layer) deliver(from matching.Rank, header, body, rest []byte) (bool, error) {
	if matching.Kind(header[0]) != matching.Eager || len(body)+len(rest) > shortest {
		return false, nil
	}
	env := &l.env
	if err := matching.ParseEnvelope(env, header); err != nil {
		return false, violation(from, "%v", err)
	}
	p, cost := &l.peers[from], charge(env.Length)
	if env.Length != uint64(len(body)+len(rest)) || env.Sync || env.Rationed || p.holds || p.used+p.owed.bytes+cost > l.share || l.Failed(from) != nil {
		return false, nil
	}
	r := l.Meet(from, env)
	if r == nil {
		return false, nil
	}
	err := r.Misfit(env)
	if err == nil {
		n := copy(r.Buf, body)
		copy(r.Buf[n:], rest)
	}
	p.owed.bytes += cost
	l.returnCredit(from)
	r.Complete(err)
	return true, nil
}
