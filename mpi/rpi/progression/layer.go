// Package progression is the message progression layer: what stands between
// MPI requests and a transport that carries frames. It matches messages to
// receives, keeps the unexpected ones within bounds, and speaks the protocols
// for short (eager), long (rendezvous) and synchronous messages, for
// cancelling sends and for eager credit.
//
// It does no I/O and takes no locks. The transport serialises all calls with
// one lock of its own, which it never holds across a system call, takes away
// the frames that the layer queues, and hands in the envelopes that arrive.
package progression

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/bookkeeping"
)

// Link takes the frames that the layer wants sent. Whose turn it is to send some, or whom to
// connect with, is on the layer's Agenda.
type Link interface {
	// Queue takes f, to be sent to f.Peer after all frames queued for it
	// before. It is called within calls to the layer and must not block or
	// call back. When the frame has left the transport calls Layer.Sent; if it
	// never will, Layer.Dropped.
	Queue(f *Frame)

	// Together reports whether a message with that tag and context may travel in one
	// piece with f, which has been queued for the same peer.
	Together(f *Frame, tag matching.Tag, context matching.Context) bool

	// Queued shows the frames that have been queued and have neither been sent nor dropped.
	// Those that a system call has right now it may leave out.
	Queued(show func(f *Frame))

	// Connected reports whether there is a connection with a peer, or has been.
	Connected(peer matching.Rank) bool
}

// Overhead is what an unexpected message costs beside its body, in bytes of
// credit: about what the receiver's bookkeeping for it takes. An announced message costs
// no more than that.
const Overhead = 256

// Layer is the progression layer of one process.
type Layer struct {
	// Agenda has the peers that the transport has to do with next.
	Agenda Agenda

	cfg   rpi.Config
	self  matching.Rank
	share int64 // credit of each peer, in bytes
	link  Link

	match  matching.Engine
	peers  []peer
	alive  int // peers that have not failed
	probes []*rpi.Request
	closed bool
	// holders is how many peers hold messages back for lack of credit.
	holders int

	discarded bookkeeping.Discarded
	refusing  bool // this process posts no receives any more: see Refuse
	refused   rpi.Lost
	groups    bookkeeping.Groups

	requests bookkeeping.Table
	frames   *Frame   // free list
	messages *message // free list
	spare    []*rpi.Request
	buffers  bookkeeping.Buffers
	buffered int64 // bytes held by buffered sends
	joint    int   // bytes of frames that short messages share
	// sent and received count messages and what is said of them, but for bodies: see
	// rpi.Snapshot.
	sent, received uint64
}

// peer is what the layer knows of another process.
type peer struct {
	sent   bookkeeping.Sequences
	credit int64  // bytes of messages that it will still take
	used   int64  // bytes of messages that it has sent or announced and we have not matched
	owed   int64  // bytes matched whose credit is not returned yet
	failed error  // why it is gone
	left   bool   // it has our Bye, or will get it
	joint  *Frame // that short messages share, if it is the last queued

	backlog backlog // sends to it that wait for credit
	// holds: it has such sends to us. demands are those that we have asked for and that it
	// has not answered, the tag AnyTag among them.
	holds   bool
	demands map[trc]struct{}
}

// New returns the layer of a process. Defaults of cfg must be filled in.
func New(cfg rpi.Config, link Link) *Layer {
	l := &Layer{
		Agenda: newAgenda(cfg.Size),
		cfg:    cfg,
		self:   matching.Rank(cfg.Rank),
		share:  Share(cfg),
		link:   link,
		peers:  make([]peer, cfg.Size),
		alive:  cfg.Size - 1,
	}
	for i := range l.peers {
		l.peers[i].credit = l.share
	}
	return l
}

// Share is the credit, in bytes, that each peer of a process has: an
// equal part of cfg.UnexpectedLimit. All processes of a job must agree on it.
func Share(cfg rpi.Config) int64 {
	return int64(cfg.UnexpectedLimit / max(1, cfg.Size-1))
}

// Start starts r. If it is a send others says that it is a short one, and that others are
// likely to follow soon, which it may wait for.
func (l *Layer) Start(r *rpi.Request, others bool) {
	if l.closed {
		r.Complete(errClosed(r))
		return
	}
	if l.refusing && r.Refusable() {
		r.Complete(r.TooLate())
		return
	}
	switch r.Op {
	case rpi.OpSend:
		l.send(r, others)
		if others {
			l.Agenda.wait(r.Peer)
		}
	case rpi.OpRecv:
		l.receive(r)
	default:
		l.probe(r)
	}
}

// Cancel gives r up if that is still possible.
func (l *Layer) Cancel(r *rpi.Request) {
	if r.Completed() {
		return
	}
	switch r.Op {
	case rpi.OpSend:
		l.cancelSend(r)
	case rpi.OpRecv:
		if l.match.Cancel(&r.Transport.Receive) {
			r.Status.Cancelled = true
			l.finish(r, nil)
			l.settle()
			l.refuseLost()
		}
	default:
		if l.forgetProbe(r) {
			r.Status.Cancelled = true
			r.Complete(nil)
		}
	}
}

// Release forgets a context, with the messages of it that nobody received.
func (l *Layer) Release(c matching.Context) {
	for held := range l.match.Messages() {
		if m := held.Owner.(*message); m.Context == c && !m.arriving && m.sender == nil && l.match.Take(held) {
			l.repay(m)
			l.free(m)
		}
	}
	l.match.Release(c)
	delete(l.discarded, c)
	delete(l.groups, c)
	for i := range l.peers {
		l.peers[i].sent.Forget(c)
	}
}

// finish completes r, after taking it out of whatever the layer keeps.
func (l *Layer) finish(r *rpi.Request, err error) {
	l.requests.Drop(r)
	if f, ok := r.Transport.Pending.(*Frame); ok {
		f.Request = nil
	}
	if r.Transport.Owned {
		l.buffered -= int64(len(r.Buf))
		l.buffers.Put(r.Buf)
		r.Complete(err)
		r.Reset()
		l.spare = append(l.spare, r)
		return
	}
	r.Complete(err)
}

// violation reports what a peer should never have sent.
func violation(from matching.Rank, format string, args ...any) error {
	return fmt.Errorf("%w: rank %d of the job broke the protocol: %s", rpi.ErrIntern, from, fmt.Sprintf(format, args...))
}
