package sctprpi

import (
	"crypto/hmac"
	"errors"
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

var errBreach = errors.New("it broke the protocol")

// greet sends our hello. The lock is held.
func (t *Transport) greet(a *association, to matching.Rank) {
	a.ours = newHello(t.cfg, to)
	t.say(a, a.ours.encode(), false)
}

// handshake takes in a message of the handshake, and carries out what follows from it.
// An error means that this is nobody to talk with. The lock is held.
func (t *Transport) handshake(a *association, e *socket.Event) error {
	if e.Stream != control || e.Unordered || !e.Begin || !e.End {
		return fmt.Errorf("%w: a message on stream %d before the end of the handshake", errBreach, e.Stream)
	}
	switch a.stage {
	case awaitHello:
		return t.hear(a, e.Payload)
	case awaitProof:
		if !hmac.Equal(e.Payload, prove(t.cfg.Token, a.theirs, a.ours)) {
			return errToken
		}
		a.stage, a.proven = awaitVerdict, true
		t.known(a)
		t.todo = append(t.todo, action{do: authenticated, assoc: a.id})
		t.judge(a)
		return nil
	default:
		if len(e.Payload) != 1 || e.Payload[0] == 0 || verdict(e.Payload[0]) >= verdicts {
			return errNotUs
		}
		t.act() // our verdict leaves before frames can, which go once the connection is open
		t.judged(a, verdict(e.Payload[0]))
		return nil
	}
}

// hear takes in a hello, and answers it.
func (t *Transport) hear(a *association, payload []byte) error {
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
		t.greet(a, h.from)
	}
	t.say(a, prove(t.cfg.Token, a.ours, h), false)
	return nil
}

// judge decides what becomes of an association whose peer has proven who it is, and
// tells it.
func (t *Transport) judge(a *association) {
	p := t.peer(a.theirs.from)
	v := t.verdictOn(a, p)
	t.say(a, []byte{byte(v)}, !a.called)
	switch {
	case v == welcome:
		t.begin(p) // there is no need to call it any more
		a.peer, p.assoc = p, a
	case v == mismatch && a.peer == p && p.assoc == a:
		t.leave(a)
		t.fail(p, errMismatch)
	default:
		t.leave(a)
	}
}

func (t *Transport) verdictOn(a *association, p *peer) verdict {
	switch {
	case !a.theirs.fits(t.cfg):
		return mismatch
	case p.phase == gone || t.state == closed || t.state == closing && p.phase == unused:
		return closedDown
	case p.assoc == a || p.phase == unused:
		return welcome
	case a.peer == p || p.phase == open:
		return another // of ours and the peer's own the latter was taken
	case p.assoc == nil || t.cfg.Rank > int(p.rank):
		return welcome // the peer's goes before ours, or ours does not exist yet
	}
	return another
}

// judged takes in the peer's verdict.
func (t *Transport) judged(a *association, v verdict) {
	p := a.peer
	ours := p.assoc == a && p.phase == connecting
	if v == welcome && ours {
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
	t.layer.Agenda.Add(p.rank)
	t.changed.Broadcast()
}
