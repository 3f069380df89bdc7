// Package operations is what all transports do alike with the operations of a process, however its messages travel:
// it starts and cancels receives and probes, matches them with messages, carries out sends to the process itself and
// buffered sends, ends what depends on a peer that is gone, and reports what is open.
//
// It does no I/O and takes no locks: the layer that embeds a Table serialises all calls.
package operations

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Layer is what moves messages between processes: the message progression layer, or package trc.
type Layer interface {
	// Pair gives message m of a peer to receive r, whose Status is set.
	Pair(r *rpi.Request, m *matching.Message)
	// Await is called when a receive or probe with this pattern has found no message, and for a waiting probe
	// again when others have taken messages.
	Await(c matching.Context, source matching.Rank, tag matching.Tag)
	// Taken notes that a matched probe has taken a message of a peer, which a receive will name.
	Taken(m *matching.Message)
	// Undecided reports whether a message that a receive in c with that tag takes may still arrive from a peer
	// that is gone.
	Undecided(peer matching.Rank, c matching.Context, tag matching.Tag) bool
	// Refusable reports whether m, a peer's message that no receive will take, is to be refused; Refuse does it.
	Refusable(m *matching.Message) bool
	Refuse(m *matching.Message)
	// Connected reports whether there is a connection with a peer, or has been, or never will be.
	Connected(peer matching.Rank) bool
}

// Table has the open operations of a process, and the messages that no receive has taken.
type Table struct {
	Config rpi.Config
	Self   matching.Rank
	// Match has the posted receives and the unexpected messages.
	Match matching.Engine
	// Requests are those that a peer can name.
	Requests rpi.RequestTable
	// Buffers are for copies of messages. Held counts the bytes of those that Hold has returned.
	Buffers rpi.Buffers
	Held    int
	// Probes wait for a message.
	Probes []*rpi.Request
	// Undeliverable are messages that have been refused, Lost others that were dropped after StopReceiving.
	Undeliverable, Lost rpi.Lost
	// NoMoreReceives: this process starts no receives any more (rpi.Transport.StopReceiving).
	NoMoreReceives bool
	// Closed: operations are not started any more.
	Closed bool

	layer     Layer
	peers     []peer
	alive     int // peers that are not gone
	discarded rpi.Discarded
	revoked   map[matching.Context]bool // see Revoke
	released  released
	groups    rpi.Groups
	lengths   *rpi.Lengths // of messages, nil unless they are counted
	messages  *message     // free list
	spare     []*rpi.Request
}

// peer is what is known of another process, or of this one as a receiver.
type peer struct {
	next   rpi.Sequences // the sequence numbers of messages to it
	failed error         // why it is gone
	// told and heard count messages, and what is said of them, to it and from it: see rpi.Snapshot.
	told, heard uint64
	// sent and received are the messages to it and from it: see rpi.Snapshot. Messages to oneself do not count.
	sent, received traffic
}

// New returns the table of a process. Defaults of cfg must be filled in.
func New(cfg rpi.Config, l Layer) Table {
	t := Table{
		Config: cfg, Self: matching.Rank(cfg.Rank), layer: l,
		peers: make([]peer, cfg.Size), alive: cfg.Size - 1,
	}
	if cfg.Statistics {
		t.lengths = new(rpi.Lengths)
	}
	return t
}

// CancelReceive cancels a receive or probe, if it has not matched.
func (t *Table) CancelReceive(r *rpi.Request) {
	if r.Op != rpi.OpRecv {
		if t.forgetProbe(r) {
			r.Status.Cancelled = true
			r.Complete(nil)
		}
		return
	}
	if t.Match.Cancel(&r.Transport.Receive) {
		r.Status.Cancelled = true
		t.Finish(r, nil)
		t.PairMatches()
		t.refuseLost()
	}
}

// Scope implements rpi.Transport.
func (t *Table) Scope(c matching.Context, group []matching.Rank) { t.groups.Add(c, group) }

// AllowOvertaking implements rpi.Transport.
func (t *Table) AllowOvertaking(c matching.Context, allowed bool) {
	t.Match.AllowOvertaking(c, allowed)
	t.PairMatches()
}

// Forget forgets a context, which is not used again. The layer has taken out what it keeps for messages in it. Those that come
// later are dropped.
func (t *Table) Forget(c matching.Context) {
	for m := range t.Match.MessagesIn(c) {
		if own, ok := m.Owner.(*message); ok && own.sender == nil && t.Match.Take(m) {
			t.free(own)
		}
	}
	t.Match.Release(c)
	t.released.add(c)
	delete(t.discarded, c)
	delete(t.revoked, c)
	delete(t.groups, c)
	for i := range t.peers {
		t.peers[i].next.Forget(c)
	}
}

// Released reports whether a context has been forgotten lately.
func (t *Table) Released(c matching.Context) bool { return t.released.has(c) }

// Discard drops the messages of context c whose tags are at most tag and that no receive has
// taken: those that have arrived and those to come.
func (t *Table) Discard(c matching.Context, tag matching.Tag) {
	t.discarded.Add(c, tag)
	for m := range t.Match.MessagesIn(c) {
		t.sift(m)
	}
}

// sift drops m, which has arrived, if it is not wanted and no receive has taken it: a receive of the table's own
// takes it, so that the protocol ends as usual. It reports whether it has.
func (t *Table) sift(m *matching.Message) bool {
	if !m.Unexpected() {
		return false
	}
	released := t.released.has(m.Context)
	unwanted := released || t.discarded.Has(m.Context, m.Tag) || t.revoked[m.Context]
	if !unwanted {
		return false
	}
	c := m.Context
	t.Match.Take(m)
	t.Drop(m)
	if released {
		t.Match.Release(c) // which the message has begun anew
	}
	return true
}

// Drop has a receive of the table's own take m, which is not in the matching engine any more.
func (t *Table) Drop(m *matching.Message) {
	r := t.ownRequest()
	r.Op, r.Context, r.Peer, r.Tag = rpi.OpRecv, m.Context, m.Source, m.Tag
	t.pair(r, m)
}

// Finish completes r, and removes it from all lists.
func (t *Table) Finish(r *rpi.Request, err error) {
	t.Requests.Drop(r)
	if r.Transport.Revoked && err == nil {
		err = errRevoked(r)
	}
	if r.Status.Cancelled && r.Op == rpi.OpSend {
		t.sendCancelled(r)
	}
	if p, ok := r.Transport.Pending.(Pending); ok {
		p.Finished()
	}
	if r.Transport.Owned {
		r.Account.Remove(len(r.Buf))
		t.Return(r.Buf)
		r.Complete(err)
		r.Reset()
		t.spare = append(t.spare, r)
		return
	}
	r.Complete(err)
}

// Pending is a part of a send that the network does not have yet, in rpi.State.Pending.
type Pending interface {
	// Finished notes that the send has ended.
	Finished()
	// InUse reports whether the memory of the send is in use: then the layer ends it, when that is over.
	InUse() bool
}

// ErrClosed is the error of an operation that was open when the transport was closed.
func ErrClosed(r *rpi.Request) error {
	return fmt.Errorf("%w: the %v was still open", rpi.ErrClosed, r.Op)
}

// Close ends what is still open with ErrClosed.
func (t *Table) Close() {
	t.Closed = true
	for rcv := range t.Match.Receives() {
		if r := rcv.Owner.(*rpi.Request); t.Match.Cancel(rcv) {
			t.Finish(r, ErrClosed(r))
		}
	}
	for rcv := t.Match.Next(); rcv != nil; rcv = t.Match.Next() { // which those stood before
		r := rcv.Owner.(*rpi.Request)
		t.Finish(r, ErrClosed(r))
	}
	for r := range t.Requests.All() {
		if p, ok := r.Transport.Pending.(Pending); !ok || !p.InUse() {
			t.Finish(r, ErrClosed(r))
		}
	}
	for m := range t.Match.Messages() {
		if own, ok := m.Owner.(*message); ok && own.sender != nil && t.Match.Take(m) {
			s := own.sender
			t.free(own)
			t.Finish(s, ErrClosed(s))
		}
	}
	for _, r := range t.Probes {
		r.Complete(ErrClosed(r))
	}
	t.Probes = nil
}
