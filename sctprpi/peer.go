package sctprpi

import (
	"errors"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// phase is where the connection with a peer is in its life.
type phase uint8

const (
	unused     phase = iota // never needed so far
	connecting              // an association is being made
	open
	gone // failed or closed; there is never another
)

// peer is what is known of another process of the job. Its fields are guarded by the
// transport's lock.
type peer struct {
	rank    matching.Rank
	phase   phase
	address string // once it has been looked up
	// assoc is the association that is used, or is to be; nil while there is
	// none: its address is being looked up, or it makes the association.
	assoc *association
	// overdue gives up connecting. retry makes the next attempt, pause after the last
	// one, which has come to nothing because of refused.
	overdue, retry *time.Timer
	pause          time.Duration
	refused        error
	// calling: this is one of the peers that we call. expected: it is given time to call us.
	calling, expected bool
	// leaving: we have shut the association down.
	leaving bool

	// queue holds the frames that the socket does not have yet, but for bodies:
	// of these, turns holds those of which something is yet to be sent.
	queue progression.Queue
	turns rotation
	// lent are all the frames whose memory the socket has, or will have.
	lent []*transfer
	// held is how many bytes of bodies the socket has, and allowance how many it
	// may have, but for the first fragment. It grows as they are delivered, as a
	// congestion window does in slow start but faster: what the network cannot take
	// yet is not to be in a queue of the socket's, where another message would have
	// to wait behind it. It starts anew when there have been none. bodies counts the
	// long messages.
	held, allowance int
	bodies          uint
	// flushing: a goroutine hands frames to the socket. blocked: the socket takes
	// no more until it says so. again: it said so meanwhile.
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

// connected ends the timers of connecting, which is over. The lock is held.
func (p *peer) connected() {
	p.expected = false
	for _, timer := range []*time.Timer{p.overdue, p.retry} {
		if timer != nil {
			timer.Stop()
		}
	}
}

// drop gives back the frames for a peer that will never leave. Those that the socket
// has it gives back itself; those that a goroutine is handing to it right now, that
// goroutine does. The lock is held.
func (t *Transport) drop(p *peer) {
	if p.flushing {
		return
	}
	for f := p.queue.Pop(); f != nil; f = p.queue.Pop() {
		t.layer.Dropped(f)
	}
	p.turns = rotation{}
	for i := len(p.lent) - 1; i >= 0; i-- {
		if x := p.lent[i]; x.loans == 0 || t.dropped {
			t.retire(p, x)
		}
	}
}

// unreachable is why a connection could not be made.
func (t *Transport) unreachable(p *peer, err error) error {
	advice := "; check that the process runs and that no firewall is between"
	if errors.Is(err, socket.ErrPathMTU) {
		advice = ""
	}
	return fmt.Errorf("rank %d (%s) cannot connect to it at %q over %s: %w%s",
		t.cfg.Rank, t.address, p.address, t.Name(), err, advice)
}
