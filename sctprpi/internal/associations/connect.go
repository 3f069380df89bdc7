package associations

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Pauses between attempts to connect. Each is twice the one before. A peer that rejects one may have
// too many unauthenticated associations.
const (
	firstPause   = 10 * time.Millisecond
	longestPause = time.Second
)

// begin starts to connect to a peer, or to wait for its connection, for a limited time. It does
// nothing if that has been started.
func (m *Manager) begin(p *Peer) {
	p.phase, p.expected = connecting, false
	if p.overdue != nil {
		return
	}
	p.overdue = time.AfterFunc(m.cfg.ConnectTimeout, func() {
		m.decide(func() { m.overdue(p) })
	})
}

// overdue gives up a peer with which there is no connection yet.
func (m *Manager) overdue(p *Peer) {
	if p.phase != connecting {
		return
	}
	if p.assoc != nil {
		m.abort(p.assoc, errHandshakeTime.Error())
	}
	if p.lost != nil {
		m.fail(p, p.lost)
		return
	}
	err := rpi.Overdue(m.cfg.ConnectTimeout)
	if p.lastErr != nil {
		err = fmt.Errorf("%w, the last attempt failed with: %w", err, p.lastErr)
	}
	m.fail(p, m.unreachable(p, err))
}

// call makes an attempt to connect to a peer.
func (m *Manager) call(p *Peer) {
	m.life.Go(func() {
		found, err := m.find(p.Rank)
		m.decide(func() {
			p.address, p.id = found.text, found.id
			if err == nil {
				err = m.connect(p, found.addrs)
			}
			switch {
			case err == nil || p.phase != connecting || p.assoc != nil || m.life.Over:
			case errors.Is(err, socket.ErrTooMany) || errors.Is(err, errParting):
				m.tryAgain(p, err)
			case p.lost != nil:
				m.fail(p, p.lost)
			default:
				m.fail(p, m.unreachable(p, err))
			}
		})
	})
}

// find asks the launcher for what a peer has published. If there is a guard it knows the peer from then on. No lock is held.
func (m *Manager) find(rank matching.Rank) (listing, error) {
	ctx, cancel := m.cfg.Connecting(m.life.Context)
	defer cancel()
	published, err := m.cfg.Lookup(ctx, int(rank))
	if err != nil {
		return listing{text: published}, err
	}
	return m.sealing.read(published)
}

// tryAgain makes another attempt to connect to a peer, after one that has failed for a reason that
// may pass.
func (m *Manager) tryAgain(p *Peer, why error) {
	p.assoc, p.lastErr = nil, why
	m.hangUp(p)
	p.pause = min(max(2*p.pause, firstPause), longestPause)
	p.retry = time.AfterFunc(p.pause, func() {
		m.decide(func() {
			if p.phase == connecting && p.assoc == nil && !m.life.Over {
				m.redial(p)
			}
		})
	})
}

// temporary reports whether an association that was never used has ended for a reason that may pass:
// the peer has rejected it, but not because of the token.
func temporary(e *socket.Event) bool {
	var abort *socket.AbortError
	return errors.As(e.Err, &abort) && abort.Remote && abort.Reason != rejected
}

// errParting: an earlier association with the peer has not ended yet.
var errParting = errors.New("an earlier association is about to end")

// connect makes an association with a peer, unless the peer has made one meanwhile. It leaves the lock while the socket is
// called. No events of the new association can be handled then.
func (m *Manager) connect(p *Peer, addrs []socket.Addr) error {
	if p.phase != connecting || p.assoc != nil || m.life.Over {
		return nil
	}
	m.lock.Leave()
	id, err := m.socket.Connect(addrs...)
	m.lock.Enter()
	if err != nil {
		return err
	}
	a := m.assocs[id]
	switch {
	case a == nil:
		a = &association{id: id, called: true}
		m.assocs[id] = a
	case a.stage == parting:
		return errParting
	case a.peer != nil:
		return fmt.Errorf("the address is that of rank %d", a.peer.Rank)
	case a.theirs != nil:
		if err := p.check(a.theirs); err != nil {
			return err
		}
	default:
		m.startHandshakeTimer(a, m.cfg.ConnectTimeout/4) // an end that begins an association sends its hello at once
	}
	a.peer, p.assoc = p, a
	if a.ours == nil {
		m.sendHello(a, p.Rank, p.id)
	}
	return nil
}

// Connect implements rpi.Transport. Each rank makes the associations with those above
// it.
func (m *Manager) Connect(ctx context.Context) error {
	defer m.driver.Serve()()
	m.lock.Lock()
	for rank := m.cfg.Rank + 1; rank < m.cfg.Size; rank++ {
		if p := m.Peer(matching.Rank(rank)); p.phase == unused && m.life.Running() && !m.isElsewhere(p.Rank) {
			m.dial(p)
		}
	}
	m.lock.Unlock()
	return m.life.Connect(ctx, m.cfg.Size, func(rank matching.Rank) (settled bool, err error) {
		if int(rank) == m.cfg.Rank || m.isElsewhere(rank) {
			return true, nil
		}
		p := m.Peer(rank)
		if p.cause != nil {
			err = &rpi.PeerError{Peer: rank, Cause: p.cause}
		}
		return p.phase >= open, err
	})
}

// isElsewhere reports whether a peer has no need of an association.
func (m *Manager) isElsewhere(rank matching.Rank) bool {
	return m.elsewhere != nil && m.elsewhere(rank)
}
