package associations

import (
	"errors"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// sendHello sends our hello to a rank, which is the process with an ID.
func (m *Manager) sendHello(a *association, to matching.Rank, id seal.ID) {
	a.ours = m.terms.Hello(to, id)
	m.sendControl(a, a.ours.Encode(), false)
}

// handshake handles a message of the handshake, and takes the steps that follow from it. An error
// means that the peer is not one to talk to.
func (m *Manager) handshake(a *association, e *socket.Event) error {
	if e.Stream != Control || e.Unordered || !e.Begin || !e.End {
		return fmt.Errorf("%w: a message on stream %d before the end of the handshake", ErrViolation, e.Stream)
	}
	switch a.stage {
	case awaitHello:
		return m.handleHello(a, e.Payload)
	case awaitProof:
		answer, cipher, err := a.proof.Verify(e.Payload)
		if err != nil {
			return err
		}
		if answer != nil {
			m.sendControl(a, answer, false)
		}
		a.stage, a.proven, a.proof, a.cipher = awaitResult, true, nil, cipher
		m.stopHandshakeTimer(a)
		m.todo = append(m.todo, action{do: authenticated, assoc: a.id})
		m.sendResult(a)
		return nil
	default:
		v, err := handshake.ParseResult(e.Payload)
		if err == nil {
			m.handleResult(a, v)
		}
		return err
	}
}

// handleHello handles a hello, and answers it.
func (m *Manager) handleHello(a *association, payload []byte) error {
	h, err := handshake.Decode(payload)
	if err == nil {
		err = m.terms.Check(h)
	}
	if err == nil && a.peer != nil {
		err = a.peer.check(h)
	}
	if err != nil {
		return err
	}
	a.theirs, a.stage = h, awaitProof
	if a.ours == nil {
		m.sendHello(a, h.From, h.Sender)
	}
	proof, message, err := m.terms.Prove(a.ours, h)
	if message != nil {
		m.sendControl(a, message, false)
	}
	a.proof = proof
	return err
}

// check returns an error if a hello that has come from the peer's address is not the peer's.
func (p *Peer) check(h *handshake.Hello) error {
	switch {
	case h.From != p.Rank:
		return fmt.Errorf("the address is that of rank %d", h.From)
	case h.Sender != p.id:
		return errors.New("the address is that of another process than the one that has published it")
	}
	return nil
}

// sendResult decides whether an association is accepted whose peer has proven its rank, and tells the
// peer the result.
func (m *Manager) sendResult(a *association) {
	p := m.Peer(a.theirs.From)
	v := m.resultFor(a, p)
	m.sendControl(a, []byte{byte(v)}, !a.called)
	switch {
	case v == handshake.Accepted:
		m.begin(p) // there is no need to call it any more
		a.peer, p.assoc = p, a
		m.user.Accepted(p)
	case v == handshake.Mismatch && a.peer == p && p.assoc == a:
		m.leave(a)
		m.fail(p, m.terms.Mismatch(a.theirs))
	default:
		m.leave(a)
	}
}

func (m *Manager) resultFor(a *association, p *Peer) handshake.Result {
	switch {
	case !m.terms.Fits(a.theirs):
		return handshake.Mismatch
	case p.phase == gone && !errors.Is(p.cause, rpi.ErrFinalized):
		return handshake.GivenUp
	case p.phase == gone || m.life.Over || m.life.Closing && p.phase == unused:
		return handshake.ClosedDown
	case p.assoc == a || p.phase == unused:
		return handshake.Accepted
	case a.peer == p || p.phase == opening || p.phase == open:
		return handshake.Another // of ours and the peer's own the latter was taken
	case p.assoc == nil || m.cfg.Rank > int(p.Rank):
		return handshake.Accepted // the peer's goes before ours, or ours does not exist yet
	}
	return handshake.Another
}

// handleResult handles the peer's result.
func (m *Manager) handleResult(a *association, v handshake.Result) {
	p := a.peer
	ours := p.assoc == a && p.phase == connecting
	if v == handshake.Accepted && ours && p.lost == nil {
		m.open(p)
		return
	}
	m.leave(a)
	switch {
	case !ours:
	case v == handshake.GivenUp:
		m.fail(p, rpi.ErrGivenUp)
	case p.lost != nil:
		m.fail(p, p.lost)
	case v == handshake.Another:
		p.assoc = nil // the peer's will come
	case v == handshake.Mismatch:
		m.fail(p, m.terms.Mismatch(a.theirs))
	default:
		m.fail(p, rpi.ErrFinalized)
	}
}

// open puts the association with a peer into use.
func (m *Manager) open(p *Peer) {
	p.phase, p.assoc.stage = opening, established
	p.connected()
	m.hangUp(p)
	m.todo = append(m.todo, action{do: opened, peer: p})
}

// violation ends an association with a process that does what no peer would.
func (m *Manager) violation(a *association, err error) {
	if !a.called && !a.proven {
		m.reject(a, err)
		return
	}
	m.abort(a, err.Error())
	if p := a.peer; p != nil && p.assoc == a {
		m.fail(p, err)
	}
}

// Breach ends the association with a peer, and fails it, because of what it has sent. The progress token need not be held.
func (m *Manager) Breach(p *Peer, err error) {
	if m.life.Over {
		return
	}
	m.life.Go(func() {
		m.decide(func() {
			if p.phase != gone && p.assoc != nil {
				m.violation(p.assoc, err)
			}
		})
	})
}

// GiveUp fails a peer that is taken for dead, ends the association with it, and tells it why.
func (m *Manager) GiveUp(rank matching.Rank, cause error) {
	m.decide(func() {
		if p := m.Peer(rank); !m.life.Over && p.phase != gone {
			if p.assoc != nil {
				m.abort(p.assoc, takenForDead)
			}
			m.fail(p, cause)
		}
	})
}

// startHandshakeTimer rejects an unauthenticated association if the proof takes longer than within.
func (m *Manager) startHandshakeTimer(a *association, within time.Duration) {
	m.stopHandshakeTimer(a)
	var timer *time.Timer
	timer = time.AfterFunc(within, func() {
		m.decide(func() {
			if a.handshakeTimer == timer {
				m.reject(a, errHandshakeTime)
			}
		})
	})
	a.handshakeTimer = timer
}

// stopHandshakeTimer is called when the peer has proven its rank, or was rejected.
func (m *Manager) stopHandshakeTimer(a *association) {
	if a.handshakeTimer != nil {
		a.handshakeTimer.Stop()
		a.handshakeTimer = nil
	}
}

// rejected is the reason in the ABORT to a peer that is not authenticated. That peer need not try again.
const rejected = "not known to be of this job"

// errHandshakeTime: the handshake has taken too long.
var errHandshakeTime = errors.New("no handshake in time")

// reject aborts an unauthenticated association. If it was taken for that of a peer that this
// process wants to talk to, because it had the peer's address, the peer is called again.
func (m *Manager) reject(a *association, why error) {
	m.stopHandshakeTimer(a)
	m.rejections.Add(1)
	reason := rejected
	if errors.Is(why, errHandshakeTime) {
		reason = why.Error()
	}
	m.abort(a, reason)
	if p := a.peer; p != nil && p.assoc == a {
		m.tryAgain(p, why)
	}
}
