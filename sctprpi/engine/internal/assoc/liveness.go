package assoc

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/tx"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// liveness is what is known of whether the peer lives. A sign of life is what only a peer
// that has had a packet of ours can send: an acknowledgement of new data, the answer to a
// heartbeat, or to a probe of its closed window.
type liveness struct {
	// heard is when there was a sign of life.
	heard time.Duration
	// errors counts timeouts since then (RFC 9260, section 8.1). refusals counts attempts that the
	// peer's host has answered with ICMP port unreachable.
	errors, refusals int
	// silent is since when there is none, if errors is not 0.
	silent time.Duration
	// silence is how long it had lasted at the last timeout. Later than that this process may itself have been stopped.
	silence time.Duration
}

// alive handles a sign of life.
func (l *liveness) alive(now time.Duration) { *l = liveness{heard: now} }

// miss notes that something which was sent at most a time ago had no answer.
func (l *liveness) miss(now, ago time.Duration) {
	if l.errors++; l.errors == 1 {
		l.silent = max(l.heard, now-ago)
	}
	l.silence = now - l.silent
}

// oversleep notes that timers are handled so late: this process was stopped, or had no
// processor, and could not have heard the peer.
func (l *liveness) oversleep(now, late time.Duration) {
	l.heard = min(l.heard+late, now)
	l.silent = min(l.silent+late, now)
}

// heard notes that the peer has answered on a path.
func (a *Association) heard(now time.Duration, i int) {
	p := &a.paths[i]
	p.errors, p.refused = 0, false
	p.rebinding = rebinding{}
	a.life.alive(now)
	if p.down {
		p.down = false
		if !p.narrow {
			a.notifyPath(socket.PathUp, i)
		}
	}
}

// missed handles a timeout on a path (RFC 9260, sections 8.1 and 8.2) and reports
// whether the association has survived it.
func (a *Association) missed(now time.Duration, i int) bool {
	p := &a.paths[i]
	if p.confirmed { // section 5.4: others do not count for the association
		a.life.miss(now, a.out.Path(tx.PathID(i)).RTO+max(a.host.Config.Heartbeat, 0))
	}
	if p.refused {
		p.refused = false
		a.life.refusals++
	}
	if reason, why := a.verdict(now); why != nil {
		a.giveUp(why, reason)
		return false
	}
	p.errors++
	if p.errors > a.host.Config.PathRetransmissions && !p.down {
		p.down = true
		if p.confirmed && !p.narrow {
			a.notifyPath(socket.PathDown, i)
		}
	}
	return true
}

// verdict returns why the peer counts as gone, nil if it does not, and what it is told in case
// that it lives.
func (a *Association) verdict(now time.Duration) (reason string, why error) {
	c := &a.host.Config
	limit, tries := c.PeerTimeout, a.life.errors
	if limit > 0 {
		tries = a.life.refusals
	}
	switch {
	case tries > c.AssocRetransmissions:
		return fmt.Sprintf("%s: %d attempts in a row had no answer", socket.SilenceReason, tries), socket.ErrUnreachable
	case limit > 0 && a.life.errors > 0 && now-a.life.silent >= limit:
		return fmt.Sprintf("%s for %v", socket.SilenceReason, limit), fmt.Errorf("%w for %v", socket.ErrSilent, limit)
	}
	return "", nil
}

// unreachablePause is the least time before the peer is tried again when its host has reported the
// port unreachable: the peer may be about to be restarted. If twice the round trip is longer, the
// pause is that long, so that the peer can answer after all.
const unreachablePause = 50 * time.Millisecond

// setupRefusals is how many times, for each address, the peer's host may report the port
// unreachable before the set-up is given up.
const setupRefusals = 2

// Unreachable handles an ICMP report that an address to which a packet of the association was sent
// has no listener on the port. The caller must have checked that the report quotes something that
// only a host on the path can know. Even then the report ends nothing, unless nothing but the peer's
// SHUTDOWN COMPLETE is missing, which will not come any more. The peer is tried again soon, and each
// attempt that is answered so counts as unanswered at once. So a peer that was killed is noticed after
// as many pauses as Config.AssocRetransmissions allows, whatever its PeerTimeout.
func (a *Association) Unreachable(now time.Duration, remote netip.AddrPort) {
	i := a.PathOf(remote)
	if i < 0 || !a.paths[i].confirmed {
		return
	}
	again := now + unreachablePause
	if s := a.setup; s != nil {
		if s.refusals++; s.refusals > setupRefusals*len(a.paths) {
			a.finish(socket.Event{Kind: socket.Lost, Err: socket.ErrUnreachable, Addr: a.addr(i)})
		}
		s.deadline = min(s.deadline, again)
		return
	}
	if !a.state.Connected() {
		return
	}
	if a.state == ShutdownAckSent && i == a.dataPath() {
		// Both ends have acknowledged everything, so that nothing is lost with the peer.
		a.finish(socket.Event{Kind: socket.Closed})
		return
	}
	again = max(again, now+2*a.out.Path(tx.PathID(i)).SRTT)
	p := &a.paths[i]
	p.refused = true
	switch {
	case !a.state.testsPaths():
		a.shutdown.t2 = min(a.shutdown.t2, again)
	case p.down && a.dataPath() != i:
		// There are others.
	case p.beat.underWay:
		p.beat.deadline = min(p.beat.deadline, again)
	default:
		a.sendBeat(now, i)
	}
}

// deniedTime is how long this host refuses to send to all addresses of a peer before the set-up is given up: a route may be about to
// come, but without one no time is enough.
const deniedTime = time.Second

// Denied notes that this host does not send packets to an address. While the association is set up each attempt is soon repeated, and
// if none can be made at all that is given up. Later it is the peer's silence that counts.
func (a *Association) Denied(now time.Duration, remote netip.AddrPort, why error) {
	i, s := a.PathOf(remote), a.setup
	if i < 0 || s == nil {
		return
	}
	if s.denied == 0 {
		s.denied = max(now, 1)
	}
	a.paths[i].denial = why
	s.tries, s.timeout = max(s.tries-1, 0), a.host.Config.RTOInitial // it has not been sent
	s.deadline = min(s.deadline, now+unreachablePause)
	for j := range a.paths {
		if a.paths[j].confirmed && a.paths[j].denial == nil {
			return
		}
	}
	if now-s.denied >= deniedTime {
		a.finish(socket.Event{Kind: socket.Lost, Err: fmt.Errorf("%w: %w", socket.ErrDenied, why), Addr: a.addr(i)})
	}
}
