// Package progression is the message progression layer: what stands between MPI
// requests and a transport that carries frames. It is for transports, not for
// programs. It matches messages to receives, keeps the unexpected ones within
// bounds, and speaks the protocols for short (eager), long (rendezvous) and
// synchronous messages, for cancelling sends and for eager credit.
//
// A Layer does no I/O. The transport's lock, a monitor.Lock, guards it: it is held in all calls, and never across a system call. The transport
// hands in the bytes that arrive (Reader), or headers. What calls leave to be done it does before it gives the lock up (package links): Ready names the
// peers that have frames queued, Queue has the frames. When a frame has left the transport calls Sent; if it never will, Dropped.
package progression

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/internal/operations"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
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
	table
	lock    *monitor.Lock
	header  header.Header     // of the frame that a Reader begins
	encoded [header.Size]byte // for TrySend
	wanted  Wanted
	share   int64 // credit of each peer, in bytes
	order   Order
	ready   readyList
	peers   []peer
	// holders is how many peers hold messages back for lack of credit.
	holders int

	frames    *Frame   // free list
	messages  *message // free list
	coalesced int      // bytes of frames that short messages share
	carried   func(show func(*Frame))
}

// table has what the layer does as all transports do.
type table = operations.Table

// peer is what the layer knows of another process.
type peer struct {
	queue Queue // frames that the transport does not have yet
	// connected: there is a connection with it, or has been.
	connected bool

	credit     int64         // bytes of messages that it will still take
	rations    map[trc]int64 // what TRCs have of the rationed part of the credit
	rationed   int64         // their sum
	used       int64         // bytes of messages that it has sent or announced and we have not matched
	owed       owed          // bytes matched whose credit is not returned yet
	left       bool          // it has our Bye, or will get it
	coalescing *Frame        // that short messages share, if it is the last queued
	copied     *Frame        // whose body is copy; nil: copy is free
	copy       []byte

	backlog backlog // sends to it that wait for credit
	// holds: it has such sends to us. demands are those that we have asked for and that it
	// has not answered, the tag AnyTag among them.
	holds   bool
	demands map[trc]struct{}
}

// New returns the layer of a process, which the transport's lock guards. Defaults of cfg must be filled in. carried shows the frames that the transport
// has taken and not given back with Sent or Dropped; it may leave out those that a system call has right now. It is
// nil if frames stay in their queue until they have left.
func New(cfg rpi.Config, lock *monitor.Lock, order Order, carried func(show func(*Frame))) *Layer {
	l := &Layer{lock: lock, share: Share(cfg), order: order, ready: newReadyList(cfg.Size), peers: make([]peer, cfg.Size), carried: carried}
	l.table = operations.New(cfg, (*inside)(l))
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
	switch {
	case l.Closed:
		r.Complete(operations.ErrClosed(r))
	case l.Refused(r):
	case r.Op != rpi.OpSend:
		l.StartReceive(r)
	default:
		l.send(r, others)
		if others {
			l.ready.hold(r.Peer)
		}
	}
}

// Cancel cancels r if that is still possible.
func (l *Layer) Cancel(r *rpi.Request) {
	switch {
	case r.Completed():
	case r.Op == rpi.OpSend:
		l.cancelSend(r)
	default:
		l.CancelReceive(r)
	}
}

// Release forgets a context, and the messages in it that no receive took.
func (l *Layer) Release(c matching.Context) {
	for held := range l.Match.MessagesIn(c) {
		if m, ok := held.Owner.(*message); ok && !m.arriving && l.Match.Take(held) {
			l.repay(m)
			l.free(m)
		}
	}
	l.Forget(c)
}

// violation returns the error for a frame that breaks the protocol.
func violation(from matching.Rank, format string, args ...any) error {
	return fmt.Errorf("%w: rank %d of the job broke the protocol: %s", rpi.ErrIntern, from, fmt.Sprintf(format, args...))
}
