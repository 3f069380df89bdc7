package sctprpi

import (
	"crypto/hmac"
	"errors"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

var errViolation = errors.New("it broke the protocol")

// sendHello sends our hello. The lock is held.
func (t *Transport) sendHello(a *association, to matching.Rank) {
	a.ours = newHello(t.cfg, to)
	t.sendControl(a, a.ours.encode(), false)
}

// handshake handles a message of the handshake, and takes the steps that follow from it. An error
// means that the peer is not one to talk to. The lock is held.
func (t *Transport) handshake(a *association, e *socket.Event) error {
	if e.Stream != control || e.Unordered || !e.Begin || !e.End {
		return fmt.Errorf("%w: a message on stream %d before the end of the handshake", errViolation, e.Stream)
	}
	switch a.stage {
	case awaitHello:
		return t.handleHello(a, e.Payload)
	case awaitProof:
		if !hmac.Equal(e.Payload, prove(t.cfg.Token, a.theirs, a.ours)) {
			return errToken
		}
		a.stage, a.proven = awaitResult, true
		t.stopHandshakeTimer(a)
		t.todo = append(t.todo, action{do: authenticated, assoc: a.id})
		t.sendResult(a)
		return nil
	default:
		if len(e.Payload) != 1 || e.Payload[0] == 0 || result(e.Payload[0]) >= resultEnd {
			return errNotUs
		}
		t.handleResult(a, result(e.Payload[0]))
		return nil
	}
}

// handleHello handles a hello, and answers it.
func (t *Transport) handleHello(a *association, payload []byte) error {
	h, err := decodeHello(payload)
	if err == nil {
		err = h.addressed(t.cfg)
	}
	if err == nil && a.peer != nil && h.from != a.peer.rank {
		err = fmt.Errorf("the address is that of rank %d", h.from)
	}
	if err != nil {
		return err
	}
	a.theirs, a.stage = h, awaitProof
	if a.ours == nil {
		t.sendHello(a, h.from)
	}
	t.sendControl(a, prove(t.cfg.Token, a.ours, h), false)
	return nil
}

// sendResult decides whether an association is accepted whose peer has proven its rank, and tells the
// peer the result.
func (t *Transport) sendResult(a *association) {
	p := t.peer(a.theirs.from)
	v := t.resultFor(a, p)
	t.sendControl(a, []byte{byte(v)}, !a.called)
	switch {
	case v == accepted:
		t.begin(p) // there is no need to call it any more
		a.peer, p.assoc = p, a
	case v == mismatch && a.peer == p && p.assoc == a:
		t.leave(a)
		t.fail(p, errMismatch)
	default:
		t.leave(a)
	}
}

func (t *Transport) resultFor(a *association, p *peer) result {
	switch {
	case !a.theirs.fits(t.cfg):
		return mismatch
	case p.phase == gone || t.state == closed || t.state == closing && p.phase == unused:
		return closedDown
	case p.assoc == a || p.phase == unused:
		return accepted
	case a.peer == p || p.phase == open:
		return another // of ours and the peer's own the latter was taken
	case p.assoc == nil || t.cfg.Rank > int(p.rank):
		return accepted // the peer's goes before ours, or ours does not exist yet
	}
	return another
}

// handleResult handles the peer's result.
func (t *Transport) handleResult(a *association, v result) {
	p := a.peer
	ours := p.assoc == a && p.phase == connecting
	if v == accepted && ours {
		t.open(p)
		return
	}
	t.leave(a)
	switch {
	case !ours:
	case v == another:
		p.assoc = nil // the peer's will come
	case v == mismatch:
		t.fail(p, errMismatch)
	default:
		t.fail(p, errFinalized)
	}
}

// open puts the association with a peer into use.
func (t *Transport) open(p *peer) {
	p.phase, p.assoc.stage = open, framing
	p.connected()
	t.hangUp(p)
	t.layer.SetConnected(p.rank)
	p.flushing = true // until our result has been sent, if it has not yet: frames must not overtake it
	t.todo = append(t.todo, action{do: release, peer: p})
	t.changed.Broadcast()
}

// violation ends an association with a process that does what no peer would. The lock is
// held, and the progress token.
func (t *Transport) violation(a *association, err error) {
	if !a.called && !a.proven {
		t.reject(a, err)
		return
	}
	t.abort(a, err.Error())
	if p := a.peer; p != nil && p.assoc == a {
		t.fail(p, err)
	}
}

// startHandshakeTimer rejects an unauthenticated association if the proof takes longer than within.
// The lock is held.
func (t *Transport) startHandshakeTimer(a *association, within time.Duration) {
	t.stopHandshakeTimer(a)
	var timer *time.Timer
	timer = time.AfterFunc(within, func() {
		t.decide(func() {
			if a.handshakeTimer == timer {
				t.reject(a, errHandshakeTime)
			}
		})
	})
	a.handshakeTimer = timer
}

// stopHandshakeTimer is called when the peer has proven its rank, or was rejected. The lock is
// held.
func (t *Transport) stopHandshakeTimer(a *association) {
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
// process wants to talk to, because it had the peer's address, the peer is called again. The lock
// is held.
func (t *Transport) reject(a *association, why error) {
	t.stopHandshakeTimer(a)
	t.rejections.Add(1)
	reason := rejected
	if errors.Is(why, errHandshakeTime) {
		reason = why.Error()
	}
	t.abort(a, reason)
	if p := a.peer; p != nil && p.assoc == a {
		t.tryAgain(p, why)
	}
}
