// Package progression is the message progression layer: what stands between MPI
// requests and a transport that carries frames. It is for transports, not for
// programs. It matches messages to receives, keeps the unexpected ones within
// bounds, and speaks the protocols for short (eager), long (rendezvous) and
// synchronous messages, for cancelling sends and for eager credit.
//
// It does no I/O and takes no locks. The transport serialises all calls with
// one lock of its own, which it never holds across a system call, and hands in
// the envelopes that arrive. What a call leaves to be done the transport asks
// for before it releases the lock: Ready names the peers that have frames
// queued, Queue has the frames. When a frame has left the transport calls Sent;
// if it never will, Dropped.
package progression

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Order says in which order a transport delivers the frames that are queued for a peer.
type Order uint8

const (
	// InOneOrder: all frames of a peer arrive in the order in which they were queued, as over a
	// TCP connection.
	InOneOrder Order = iota
	// ByTRC: only those of one tag and context do, or of a context that has rpi.InOrder, as over
	// SCTP's streams. The others may overtake each other.
	ByTRC
)

// Layer is the progression layer of one process.
type Layer struct {
	cfg   rpi.Config
	self  matching.Rank
	share int64 // credit of each peer, in bytes
	order Order
	ready readyList

	match  matching.Engine
	peers  []peer
	alive  int // peers that have not failed
	probes []*rpi.Request
	closed bool
	// holders is how many peers hold messages back for lack of credit.
	holders int

	discarded      rpi.Discarded
	noMoreReceives bool // see StopReceiving
	undeliverable  rpi.Lost
	groups         rpi.Groups

	requests  rpi.RequestTable
	frames    *Frame   // free list
	messages  *message // free list
	spare     []*rpi.Request
	buffers   rpi.Buffers
	buffered  int64 // bytes held by buffered sends
	coalesced int   // bytes of frames that short messages share
	// sent and received count messages and what is said of them, but for bodies: see
	// rpi.Snapshot.
	sent, received uint64
}

// peer is what the layer knows of another process.
type peer struct {
	queue Queue // frames that the transport does not have yet
	// connected: there is a connection with it, or has been.
	connected bool

	sent       rpi.Sequences
	credit     int64  // bytes of messages that it will still take
	used       int64  // bytes of messages that it has sent or announced and we have not matched
	owed       int64  // bytes matched whose credit is not returned yet
	failed     error  // why it is gone
	left       bool   // it has our Bye, or will get it
	coalescing *Frame // that short messages share, if it is the last queued

	backlog backlog // sends to it that wait for credit
	// holds: it has such sends to us. demands are those that we have asked for and that it
	// has not answered, the tag AnyTag among them.
	holds   bool
	demands map[trc]struct{}
}

// New returns the layer of a process. Defaults of cfg must be filled in.
func New(cfg rpi.Config, order Order) *Layer {
	l := &Layer{
		cfg:   cfg,
		self:  matching.Rank(cfg.Rank),
		share: Share(cfg),
		order: order,
		ready: newReadyList(cfg.Size),
		peers: make([]peer, cfg.Size),
		alive: cfg.Size - 1,
	}
	for i := range l.peers {
		l.peers[i].credit = l.share
	}
	return l
}

// Ready takes a peer off the ready list. The transport has to send its queued frames, or to connect
// to it so that the failure of the peer is noticed and reported with Fail.
func (l *Layer) Ready() (peer matching.Rank, ok bool) { return l.ready.next() }

// SetReady puts a peer on the ready list: the transport can take frames for it again.
func (l *Layer) SetReady(peer matching.Rank) { l.ready.add(peer) }

// Flush puts the peers on the ready list for which frames are held back.
func (l *Layer) Flush() { l.ready.release() }

// Queue has the frames for a peer that the transport has not taken. The transport may take them at
// any time, and put those back of which nothing has been sent.
func (l *Layer) Queue(peer matching.Rank) *Queue { return &l.peers[peer].queue }

// SetConnected notes that there is a connection with a peer.
func (l *Layer) SetConnected(peer matching.Rank) { l.peers[peer].connected = true }

// Start starts r. others says that more short sends are likely to follow soon; then a short send
// may wait for them.
func (l *Layer) Start(r *rpi.Request, others bool) {
	if l.closed {
		r.Complete(errClosed(r))
		return
	}
	if l.noMoreReceives && r.AsksForMessage() {
		r.Complete(r.TooLate())
		return
	}
	switch r.Op {
	case rpi.OpSend:
		l.send(r, others)
		if others {
			l.ready.hold(r.Peer)
		}
	case rpi.OpRecv:
		l.receive(r)
	default:
		l.probe(r)
	}
}

// Cancel cancels r if that is still possible.
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
			l.pairMatches()
			l.returnLost()
		}
	default:
		if l.forgetProbe(r) {
			r.Status.Cancelled = true
			r.Complete(nil)
		}
	}
}

// Release forgets a context, and the messages in it that no receive took.
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

// finish completes r, and removes it from all lists of the layer.
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

// violation returns the error for a frame that breaks the protocol.
func violation(from matching.Rank, format string, args ...any) error {
	return fmt.Errorf("%w: rank %d of the job broke the protocol: %s", rpi.ErrIntern, from, fmt.Sprintf(format, args...))
}
