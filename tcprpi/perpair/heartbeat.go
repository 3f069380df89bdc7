package perpair

import (
	"context"
	"net"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/heartbeat"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// heartbeat is called at each tick of the transport's clock. It gives up peers that have been
// silent for too long. To the others it sends a heartbeat, on the connection with them: package
// heartbeat explains why that does no harm when the connection is full.
func (t *Transport) heartbeat() {
	for peer := range t.conns {
		var dead *conn
		t.update(func() {
			if c := t.conns[peer]; c != nil && c.phase == open {
				if t.check(c) {
					dead = c
				} else {
					t.speak(c)
				}
			}
		})
		if dead != nil { // the peer has been told, if the connection could still take it
			t.update(func() { t.fail(dead, rpi.Silent(t.cfg.PeerTimeout)) })
		}
	}
}

// GiveUp implements rpi.Transport.
func (t *Transport) GiveUp(peer matching.Rank, cause error) {
	if !t.link.GiveUp(peer, cause) {
		t.update(func() {
			if t.state != closed {
				t.fail(t.conn(peer), cause)
			}
		})
	}
}

// check reports whether a peer is dead. Then it fails what needs the peer, and the caller has to
// tell the peer. The lock is held.
func (t *Transport) check(c *conn) (dead bool) {
	if t.layer.Failed(c.peer) != nil {
		return false // it has finalized
	}
	switch c.beat.Check(c.unread) {
	case heartbeat.Doubtful:
		t.background.Go(func() { t.ask(c) })
	case heartbeat.Dead:
		t.layer.Fail(c.peer, rpi.Silent(t.cfg.PeerTimeout)) // first, as the peer may close the connection at once
		t.layer.GaveUp(c.peer, t.cfg.PeerTimeout)
		return true
	}
	return false
}

// Suspected implements rpi.Watchful.
func (t *Transport) Suspected() (suspected []matching.Rank) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.conns {
		if c != nil && c.phase == open && t.layer.Failed(c.peer) == nil && c.beat.Suspected(c.unread) {
			suspected = append(suspected, c.peer)
		}
	}
	return suspected
}

// ask asks a peer whether it lives.
func (t *Transport) ask(c *conn) {
	ctx, cancel := context.WithTimeout(t.ctx, t.clock.AskTime())
	defer cancel()
	err := t.self.Witness(ctx, c.peer, &t.meter)
	t.mu.Lock()
	defer t.mu.Unlock()
	c.beat.Answered(err == nil)
}

// testify answers a peer that asks whether this process lives.
func (t *Transport) testify(nc *net.TCPConn, visit *handshake.Visit) {
	t.mu.Lock()
	alive := t.conn(visit.From).phase != gone
	t.mu.Unlock()
	visit.Testify(nc, &t.meter, alive)
}

// unread reports whether something has come from the peer that has not been read. The lock is held.
func (c *conn) unread() bool {
	return c.reading || socket.Readable(c.fd)
}

// speak sends a heartbeat, unless something has been sent since the last tick. A frame that has
// been sent in part goes first: in rpi.Inline it is sent here if the program makes no call. The
// lock is held.
func (t *Transport) speak(c *conn) {
	switch {
	case !c.beat.Quiet() || c.shut || c.phase != open:
	case !c.send.Empty():
		t.writable(c)
	case t.state == running:
		t.layer.Alive(c.peer)
	}
}
