package associations

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// phase is the state of the connection with a peer.
type phase uint8

const (
	unused     phase = iota // not needed so far
	connecting              // an association is being made
	opening                 // our result may not have left yet: no message may overtake it
	open
	gone // failed or closed, for ever
)

// Peer is what is known of another process of the job. The lock guards it: hold it for all calls.
type Peer struct {
	Rank  matching.Rank
	phase phase
	// address and id are what the peer has published, once it has been looked up.
	address string
	id      seal.ID
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
	cause   error // why it is gone
	// lost is why the association that was in use has ended, if the peer has forgotten it: see inquire.
	lost error
	// former is that association.
	former *association
}

// Open reports whether the peer has an association that takes messages.
func (p *Peer) Open() bool { return p.phase == open }

// Gone reports whether the peer has failed or finalized, or this process has.
func (p *Peer) Gone() bool { return p.phase == gone }

// What follows is of a peer that has been accepted. While a peer is asked whether it counts this process as dead it is of the association that
// has ended, with which calls of the socket fail.

// Assoc names the association to the socket.
func (p *Peer) Assoc() socket.AssocID { return p.inUse().id }

// Outlet is where messages to the peer go.
func (p *Peer) Outlet() Outlet { return p.inUse().outlet() }

// Streams is the number of streams in each direction.
func (p *Peer) Streams() (outbound, inbound int) { return p.inUse().outbound, p.inUse().inbound }

// Interleaves reports whether SCTP interleaves messages.
func (p *Peer) Interleaves() bool { return p.inUse().interleaves }

func (p *Peer) inUse() *association {
	if p.former != nil {
		return p.former
	}
	return p.assoc
}

// fail ends the connection with a peer, or the attempt to make it.
func (m *Manager) fail(p *Peer, cause error) {
	if p.phase == gone {
		return
	}
	p.phase, p.cause = gone, cause
	p.connected()
	m.hangUp(p)
	m.user.Failed(p, cause)
	m.life.Changed()
}

// takenForDead is the reason in the ABORT to a peer that is taken for dead for another reason than its silence.
const takenForDead = "taken for dead"

// forgotten reports whether an association has ended because the peer's socket knows nothing of it (RFC 9260, section 8.4), so that the
// packet is lost that told why.
func forgotten(e *socket.Event) bool {
	var abort *socket.AbortError
	return errors.As(e.Err, &abort) && abort.Remote && abort.Cause == 0
}

// inquire asks a peer that has forgotten the association whether it counts this process as dead. The result of the
// handshake of another one, which neither uses, tells. Then the peer fails, in any case.
func (m *Manager) inquire(p *Peer, cause error) {
	p.ask(cause)
	m.redial(p)
}

// ask has another association made.
func (p *Peer) ask(cause error) {
	p.lost, p.phase, p.former, p.assoc, p.overdue = cause, connecting, p.assoc, nil, nil
}

// connected stops the timers of connecting.
func (p *Peer) connected() {
	p.expected = false
	for _, timer := range []*time.Timer{p.overdue, p.retry} {
		if timer != nil {
			timer.Stop()
		}
	}
}

// Causes of failure.
var (
	// ErrViolation is for peers that send what no correct one does.
	ErrViolation = errors.New("it broke the protocol")
)

// cause says why the association with a peer has ended.
func (m *Manager) cause(p *Peer, e *socket.Event) error {
	var abort *socket.AbortError
	switch {
	case e.Kind == socket.Closed || p.assoc.finished:
		return rpi.ErrFinalized // however the end of it went
	case p.phase == connecting:
		return m.unreachable(p, e.Err)
	case errors.Is(e.Err, socket.ErrPathMTU):
		return e.Err
	case errors.Is(e.Err, socket.ErrSilent):
		return rpi.Silent(m.cfg.PeerTimeout)
	case errors.As(e.Err, &abort) && abort.Silence():
		return rpi.GaveUp(m.cfg.PeerTimeout)
	case abort != nil && abort.Remote && strings.HasPrefix(abort.Reason, takenForDead):
		return rpi.ErrGivenUp
	case e.Kind == socket.Lost:
		return fmt.Errorf("it does not answer any more: %w", e.Err)
	}
	return fmt.Errorf("it ended the association without finalizing, it has ended or was killed: %w", e.Err)
}

// unreachable returns the error for a connection that could not be made.
func (m *Manager) unreachable(p *Peer, err error) error {
	if errors.Is(err, socket.ErrPathMTU) { // which says it all
		return fmt.Errorf("rank %d (%s) cannot connect to it at %q over %s: %w", m.cfg.Rank, m.address, p.address, m.name, err)
	}
	return m.cfg.CannotConnect(m.address, p.address, m.name, err)
}
