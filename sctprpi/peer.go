package sctprpi

import (
	"errors"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// phase is the state of the connection with a peer.
type phase uint8

const (
	unused     phase = iota // not needed so far
	connecting              // an association is being made
	open
	gone // failed or closed, for ever
)

// peer is the state of another process of the job. Its fields are guarded by the transport's lock.
type peer struct {
	rank    matching.Rank
	phase   phase
	address string // once it has been looked up
	// assoc is the association that is used or will be. It is nil while the address is being looked
	// up, and when the peer makes the association.
	assoc *association
	// overdue gives up connecting. retry starts the next attempt. pause is the time between the
	// last two attempts, and lastErr the error of the last one.
	overdue, retry *time.Timer
	pause          time.Duration
	lastErr        error
	// calling: this process makes the association now. expected: the peer is given time to make it.
	calling, expected bool
	// leaving: this process has shut the association down.
	leaving bool

	// queue holds the frames that the socket does not have yet, but for bodies. turns has the
	// bodies of which a part is still to be sent.
	queue *progression.Queue
	turns rotation
	// inSocket are the frames whose memory the socket has for zero-copy sends, or will have.
	inSocket []*transfer
	// held is the number of bytes of bodies that the socket has. allowance is how many it may have
	// beyond the first fragment. It grows as bodies are delivered, as a congestion window does in
	// slow start but faster. So the queue of the socket, in which other messages would have to
	// wait, never has much more than the network can take. It starts at 0 again when the socket has
	// no bodies. bodies counts the long messages.
	held, allowance int
	bodies          uint
	// flushing: a goroutine hands frames to the socket. blocked: the socket takes no more until it
	// reports Writable. again: it has reported so meanwhile.
	flushing, blocked, again bool
}

// fail ends the connection with a peer, or the attempt to make it. The lock is held,
// and the progress token.
func (t *Transport) fail(p *peer, cause error) {
	if p.phase == gone {
		return
	}
	p.phase = gone
	p.connected()
	t.hangUp(p)
	t.layer.Fail(p.rank, cause)
	t.drop(p)
	t.changed.Broadcast()
}

// connected stops the timers of connecting. The lock is held.
func (p *peer) connected() {
	p.expected = false
	for _, timer := range []*time.Timer{p.overdue, p.retry} {
		if timer != nil {
			timer.Stop()
		}
	}
}

// drop gives back the frames for a peer that will never be sent. The socket gives back those that
// it has, and a goroutine that is handing frames to the socket gives back those. The lock is held.
func (t *Transport) drop(p *peer) {
	if p.flushing {
		return
	}
	for f := p.queue.Pop(); f != nil; f = p.queue.Pop() {
		t.layer.Dropped(f)
	}
	p.turns = rotation{}
	for i := len(p.inSocket) - 1; i >= 0; i-- {
		if x := p.inSocket[i]; x.pending == 0 || t.dropped {
			t.retire(p, x)
		}
	}
}

// unreachable returns the error for a connection that could not be made.
func (t *Transport) unreachable(p *peer, err error) error {
	advice := "; check that the process runs and that no firewall is between"
	if errors.Is(err, socket.ErrPathMTU) {
		advice = ""
	}
	return fmt.Errorf("rank %d (%s) cannot connect to it at %q over %s: %w%s",
		t.cfg.Rank, t.address, p.address, t.Name(), err, advice)
}
