package progression

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

var errFinalized = errors.New("it has finalized")

// Fail notes that a peer is gone. All operations that need it, now or later, end with a PeerError.
// Messages that had arrived completely can still be received. A receive from any source ends when
// no peer is left that uses its context. The transport calls Dropped for the frames that it still
// had for the peer.
func (l *Layer) Fail(gone matching.Rank, cause error) {
	p := &l.peers[gone]
	if p.failed != nil {
		return
	}
	p.failed = &rpi.PeerError{Peer: gone, Cause: cause}
	l.alive--
	p.backlog, p.demands = backlog{}, nil
	l.setHolds(p, false)
	for r := range l.requests.All() {
		if r.Op == rpi.OpSend && r.Peer == gone || r.Op == rpi.OpRecv && r.Status.Source == gone {
			l.abandon(r, p.failed)
		}
	}
	for _, m := range slices.Collect(l.match.Messages()) {
		own := m.Owner.(*message)
		if m.Source == gone && (m.Kind == matching.RTS || own.arriving) && l.match.Take(m) {
			l.free(own)
		}
	}
	for _, rcv := range slices.Collect(l.match.Receives()) {
		if l.unreachable(rcv.Context, rcv.Source) != nil && l.match.Cancel(rcv) {
			l.finish(rcv.Owner.(*rpi.Request), p.failed)
		}
	}
	l.probes = slices.DeleteFunc(l.probes, func(r *rpi.Request) bool {
		err := l.unreachable(r.Context, r.Peer)
		if err != nil {
			r.Complete(err)
		}
		return err != nil
	})
	l.pairMatches()
	l.returnLost()
}

// abandon ends a request that has an id on the wire. If its memory is still in a frame, Sent or
// Dropped will end it.
func (l *Layer) abandon(r *rpi.Request, err error) {
	if f, ok := r.Transport.Pending.(*Frame); ok && len(f.Body) > 0 {
		return
	}
	l.finish(r, err)
}

// Bye tells a peer that this process is done. No frame may follow.
func (l *Layer) Bye(peer matching.Rank) {
	l.peers[peer].left = true
	l.queue(peer, &matching.Envelope{Kind: matching.Bye}, nil, nil)
}

// maxSilence is the longest silence, in milliseconds, that a time.Duration can name.
const maxSilence = math.MaxInt64 / uint64(time.Millisecond)

// Alive tells a peer that this process lives, for transports that have no other way.
func (l *Layer) Alive(peer matching.Rank) {
	l.queue(peer, &matching.Envelope{Kind: matching.Alive}, nil, nil)
}

// GaveUp tells a peer that this process counts it as dead, because it has been
// silent for so long. No frame may follow, and Fail must be called.
func (l *Layer) GaveUp(peer matching.Rank, silence time.Duration) {
	l.queue(peer, &matching.Envelope{Kind: matching.GaveUp, Length: uint64(silence.Milliseconds())}, nil, nil)
}

// Failed reports why a peer is gone, nil if it is not.
func (l *Layer) Failed(peer matching.Rank) error { return l.peers[peer].failed }

// unreachable returns why no message in context c can come from source any more.
func (l *Layer) unreachable(c matching.Context, source matching.Rank) error {
	switch {
	case source == l.self:
		return nil
	case source != matching.AnySource:
		return l.peers[source].failed
	case l.alive < l.cfg.Size-1 && l.groups.Deserted(c, l.self, len(l.peers), l.isGone):
		return rpi.ErrDeserted
	}
	return nil
}

func (l *Layer) isGone(peer matching.Rank) bool { return l.peers[peer].failed != nil }

// gone is the error of a send whose frame was dropped.
func (l *Layer) gone(peer matching.Rank) error {
	if err := l.peers[peer].failed; err != nil {
		return err
	}
	return fmt.Errorf("%w before the message to rank %d of the job had left", rpi.ErrClosed, peer)
}

// Close ends what is still open with ErrClosed. Frames that have not left
// must have been given back with Dropped.
func (l *Layer) Close() {
	if l.closed {
		return
	}
	l.closed = true
	l.ready.clear()
	for _, rcv := range slices.Collect(l.match.Receives()) {
		if l.match.Cancel(rcv) {
			r := rcv.Owner.(*rpi.Request)
			l.finish(r, errClosed(r))
		}
	}
	for r := range l.requests.All() {
		l.abandon(r, errClosed(r))
	}
	for i := range l.peers {
		l.peers[i].backlog = backlog{}
	}
	for _, m := range slices.Collect(l.match.Messages()) {
		if s := m.Owner.(*message).sender; s != nil {
			l.finish(s, errClosed(s))
		}
	}
	for _, r := range l.probes {
		r.Complete(errClosed(r))
	}
	l.probes = nil
}

func errClosed(r *rpi.Request) error {
	return fmt.Errorf("%w: the %v was still open", rpi.ErrClosed, r.Op)
}
