package progression

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

const (
	// jointSize is how many bytes short messages share a frame of, jointLimit how many
	// bytes such frames may have in all that have not left: no more is copied then.
	jointSize  = 8 << 10
	jointLimit = 1 << 20
	// joinable is the longest message, in bytes, that shares a frame. To copy a longer
	// one takes longer than what there is to gain.
	joinable = 2 << 10
)

// join copies a short message into the frame that has been queued last for its peer, if
// that has others like it and does not leave yet, or into a new one if others are likely to
// follow, and completes the send. One frame for many messages costs the transport, and the
// peer's, no more than one for each would. It reports whether it has.
//
// In rpi.Inline nobody would see to it that the frame leaves if the process did not
// communicate any more: there the sends of a burst wait for it.
func (l *Layer) join(r *rpi.Request, env *matching.Envelope, others bool) bool {
	size := matching.EnvelopeSize + len(r.Buf)
	f := l.peers[r.Peer].joint
	if f != nil && (f.Started || f.Len()+size > jointSize || !l.link.Together(f, r.Tag, r.Context)) {
		f = nil
	}
	switch {
	case len(r.Buf) > joinable:
		return false
	case f != nil:
		f.Body = matching.AppendEnvelope(f.Body, env)
		f.Messages++
		l.sent++
		l.Agenda.Add(f.Peer)
	case !others || l.cfg.Progress == rpi.Inline || l.joint+jointSize > jointLimit:
		return false
	default:
		l.joint += jointSize
		f = l.queue(r.Peer, env, l.buffers.Get(jointSize)[:0], nil)
		f.joint, l.peers[r.Peer].joint = true, f
	}
	f.Body = append(f.Body, r.Buf...)
	l.finish(r, nil)
	return true
}

// disjoin takes the memory back from a frame that messages have shared.
func (l *Layer) disjoin(f *Frame) {
	l.buffers.Put(f.Body)
	l.joint -= jointSize
	f.joint = false
	if p := &l.peers[f.Peer]; p.joint == f {
		p.joint = nil
	}
}
