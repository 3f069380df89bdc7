package progression

import (
	"fmt"
	"math"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Fail notes that a peer is gone. All operations that need it, now or later, end with a PeerError.
// Messages that had arrived completely can still be received, but for those behind one that had not. A receive from any source ends when
// no peer is left that uses its context. The transport calls Dropped for the frames that it still
// had for the peer.
func (l *Layer) Fail(gone matching.Rank, cause error) {
	if !l.table.Fail(gone, cause) {
		return
	}
	p := &l.peers[gone]
	p.backlog, p.demands = backlog{}, nil
	l.setHolds(p, false)
	for r := range l.Requests.All() {
		if r.Op == rpi.OpSend && r.Peer == gone || r.Op == rpi.OpRecv && r.Status.Source == gone {
			l.abandon(r, l.Failed(gone))
		}
	}
	l.dropLost(gone)
	l.EndUnreachable()
}

// dropLost drops the messages of a peer that is gone of which the body will never come, and those that it sent behind them in the
// same context: a receive that was to get the first must not get a later one instead.
func (l *Layer) dropLost(gone matching.Rank) {
	first := make(map[matching.Context]matching.Seq) // that is lost
	for m := range l.Match.Messages() {
		own, ok := m.Owner.(*message)
		if !ok || m.Source != gone || own.kind != header.RTS && !own.arriving {
			continue
		}
		if seq, some := first[m.Context]; !some || m.Seq < seq {
			first[m.Context] = m.Seq
		}
	}
	if len(first) == 0 {
		return
	}
	for m := range l.Match.Messages() {
		seq, some := first[m.Context]
		if own, ok := m.Owner.(*message); ok && some && m.Source == gone && m.Seq >= seq && l.Match.Take(m) {
			l.free(own)
		}
	}
}

// abandon ends a request that has an id on the wire. If its memory is still in a frame, Sent or
// Dropped will end it.
func (l *Layer) abandon(r *rpi.Request, err error) {
	if f, ok := r.Transport.Pending.(*Frame); ok && len(f.Body) > 0 {
		return
	}
	l.Finish(r, err)
}

// Bye tells a peer that this process is done. No frame may follow.
func (l *Layer) Bye(peer matching.Rank) {
	l.peers[peer].left = true
	l.queue(peer, &header.Header{Kind: header.Bye}, nil, nil)
}

// maxSilence is the longest silence, in milliseconds, that a time.Duration can name.
const maxSilence = math.MaxInt64 / uint64(time.Millisecond)

// Alive tells a peer that this process lives, for transports that have no other way.
func (l *Layer) Alive(peer matching.Rank) {
	l.queue(peer, &header.Header{Kind: header.Alive}, nil, nil)
}

// GaveUp tells a peer that this process counts it as dead, because it has been
// silent for so long. No frame may follow, and Fail must be called.
func (l *Layer) GaveUp(peer matching.Rank, silence time.Duration) {
	l.queue(peer, &header.Header{Kind: header.GaveUp, Length: uint64(silence.Milliseconds())}, nil, nil)
}

// gone is the error of a send whose frame was dropped.
func (l *Layer) gone(peer matching.Rank) error {
	if err := l.Failed(peer); err != nil {
		return err
	}
	return fmt.Errorf("%w before the message to rank %d of the job had left", rpi.ErrClosed, peer)
}

// Close ends what is still open with ErrClosed. Frames that have not left
// must have been given back with Dropped.
func (l *Layer) Close() {
	l.ready.clear()
	l.table.Close()
	for i := range l.peers {
		l.peers[i].backlog = backlog{}
	}
}
