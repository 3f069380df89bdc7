package assoc

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/tx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// shutdown is how far the shutdown of an association is (RFC 9260, section 9.2).
type shutdown struct {
	due bool // a SHUTDOWN chunk is to be sent
	// t2 is the timer of SHUTDOWN and SHUTDOWN ACK chunks, which takes timeout; t5 guards
	// the shutdown as a whole.
	t2, t5  time.Duration
	timeout time.Duration
}

// noShutdown has not begun.
var noShutdown = shutdown{t2: never, t5: never}

// Shutdown ends the association gracefully (RFC 9260, section 9.2), once what has
// been queued has been acknowledged.
func (a *Association) Shutdown(now time.Duration) {
	switch a.state {
	case CookieWait, CookieEchoed:
		a.setup.closing = true
	case Established:
		a.state = ShutdownPending
		a.settle(now)
	}
}

// settle takes the shutdown on when all data has been acknowledged.
func (a *Association) settle(now time.Duration) {
	if a.state != ShutdownPending && a.state != ShutdownReceived {
		return
	}
	if !a.out.Drained() {
		return
	}
	if a.state == ShutdownPending {
		a.state, a.shutdown.due = ShutdownSent, true
	} else {
		a.acknowledgeShutdown()
	}
	for i := range a.paths {
		a.paths[i].rest()
	}
	// Section 9.2: five times RTO.Max, for the shutdown as a whole, unless the peer may
	// be silent for longer.
	a.shutdown.t5 = now + max(5*a.host.Config.RTOMax, a.host.Config.PeerTimeout)
	a.armShutdown(now, false)
}

func (a *Association) acknowledgeShutdown() {
	a.state, a.shutdown.due = ShutdownAckSent, false
	a.queueShutdownAck()
}

func (a *Association) queueShutdownAck() {
	a.control(a.dataPath(), wire.AppendShutdownAck)
}

// armShutdown starts T2-shutdown, backed off when it has run out.
func (a *Association) armShutdown(now time.Duration, backedOff bool) {
	s := &a.shutdown
	if backedOff {
		s.timeout = min(2*s.timeout, a.host.Config.RTOMax)
	} else {
		s.timeout = a.out.Path(tx.PathID(a.dataPath())).RTO
	}
	s.t2 = now + s.timeout
}

// shutdownTimeout handles the expiry of T2-shutdown.
func (a *Association) shutdownTimeout(now time.Duration) {
	if !a.missed(now, a.dataPath()) {
		return
	}
	a.armShutdown(now, true)
	a.resendShutdown(now)
}

// resendShutdown sends the SHUTDOWN or SHUTDOWN ACK chunk again.
func (a *Association) resendShutdown(now time.Duration) {
	if a.state == ShutdownSent {
		a.shutdown.due = true
	} else {
		a.queueShutdownAck()
	}
}

// ResendShutdownAck sends the SHUTDOWN ACK chunk again, in answer to an INIT chunk
// (section 9.2), and reports whether that is this association's state.
func (a *Association) ResendShutdownAck() bool {
	if a.state != ShutdownAckSent {
		return false
	}
	a.queueShutdownAck()
	return true
}

// shutdownChunk handles a SHUTDOWN chunk.
func (a *Association) shutdownChunk(now time.Duration, from int, c wire.Chunk) {
	if !a.state.Connected() {
		return
	}
	tsn, err := wire.ParseShutdown(c)
	if err != nil {
		a.fail(from, err)
		return
	}
	progress, err := a.out.CumulativeAck(now, tsn)
	if err != nil {
		a.fail(from, err)
		return
	}
	a.progressed(now, progress)
	switch a.state {
	case Established, ShutdownPending:
		a.state = ShutdownReceived
		a.notify(socket.Event{Kind: socket.PeerShutdown})
	case ShutdownSent: // both at once
		a.notify(socket.Event{Kind: socket.PeerShutdown})
		a.acknowledgeShutdown()
		a.armShutdown(now, false)
	case ShutdownAckSent: // which has been lost
		a.queueShutdownAck()
	}
}

// shutdownAck handles a SHUTDOWN ACK chunk. In the states of the set-up it is for
// the endpoint, as one of no association (section 8.5.1, E).
func (a *Association) shutdownAck(from int, c wire.Chunk) {
	if wire.ParseShutdownAck(c) != nil || a.state != ShutdownSent && a.state != ShutdownAckSent {
		return
	}
	a.farewell = farewell{wire.AppendShutdownComplete(nil, false), a.answerPath(from)}
	a.finish(socket.Event{Kind: socket.Closed})
}

// shutdownComplete handles a SHUTDOWN COMPLETE chunk.
func (a *Association) shutdownComplete(c wire.Chunk) {
	if wire.ParseShutdownComplete(c) == nil && a.state == ShutdownAckSent {
		a.finish(socket.Event{Kind: socket.Closed})
	}
}

// progressed notes what an acknowledgement has brought.
func (a *Association) progressed(now time.Duration, p tx.Progress) {
	if p.Probed {
		a.life.alive(now)
	}
	if p.Acked == 0 {
		return
	}
	for i := range a.paths {
		if p.Paths.Has(tx.PathID(i)) {
			a.paths[i].timeouts = 0
			a.heard(now, i)
		}
	}
}
