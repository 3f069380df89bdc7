package pertrc

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/record"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// roomTime is how long a peer's connection may wait for a descriptor, unless many do.
const roomTime = 10 * time.Second

// server takes the connections that peers make.
func (t *Transport) server() *handshake.Server {
	return &handshake.Server{
		Self: t.self, Gate: handshake.NewGate(t.allotted.limit), Listener: t.listener, Meter: &t.meter, Life: t.life,
		Refused: t.notAccepted, Answer: t.answer,
	}
}

// notAccepted is called when the kernel gives no connection of a peer.
func (t *Transport) notAccepted(err error) {
	if socket.Short(err) {
		t.lock.Lock()
		defer t.lock.Unlock()
		t.shortage()
	}
}

// shortage has a descriptor given back.
func (t *Transport) shortage() {
	t.refused()
	if idle := t.allotted.idleOut.First(); idle != nil {
		t.retire(idle)
	} else {
		t.reclaimIdle()
	}
}

// answer is the acceptor's side of making a connection.
func (t *Transport) answer(nc *net.TCPConn, visit *handshake.Visit, pending *handshake.Pending) {
	if visit.Purpose == handshake.ForWitness {
		t.watch.Testify(nc, visit)
		return
	}
	patience := roomTime
	if pending.Crowded() {
		patience = 0 // the peer tries again
	}
	ctx, cancel := context.WithTimeout(t.life.Context, patience) // to find room
	defer cancel()
	c, v := t.decide(ctx, visit.Hello)
	fd, short, err := -1, false, error(nil)
	if v == handshake.Accepted {
		if fd, err = socket.Dup(nc); err != nil {
			v, short = handshake.Full, true
		}
	}
	// A peer knows that its connection is the TRC's next one as soon as it has
	// the result.
	t.meter.Writes.Add(1)
	var session *handshake.Session
	if v == handshake.Accepted {
		if c == nil {
			session = visit.Begin() // the peer may use it as soon as it has the result
		}
		err = visit.Accept(t.life.Context, nc, t.cfg.ConnectTimeout)
	} else {
		err = visit.Answer(nc, v)
	}
	nc.Close()
	t.lock.Lock()
	defer t.lock.Unlock()
	p := &t.peers[visit.From]
	control := c == nil && (v == handshake.Accepted || short)
	if control {
		p.accepting = false
		t.life.Changed()
	}
	// What a peer sent before it died is received.
	if fd >= 0 && err == nil && !t.life.Over && (c != nil || !p.Dead) {
		if c != nil {
			err = t.install(c, fd, visit.Cipher)
		} else {
			err = t.admit(p, fd, visit.Cipher, session, 0)
		}
		if err != nil {
			t.fail(p, fmt.Errorf("its connection to rank %d cannot be used: %w", t.cfg.Rank, err), true)
		}
		return
	}
	if fd >= 0 {
		t.toClose = append(t.toClose, fd)
	}
	session.End()
	// The peer may not know.
	unsure := v == handshake.Accepted && err != nil
	switch { // undo what decide has done
	case c != nil:
		t.allotted.in--
		t.unlink(c)
		if unsure {
			t.layer.Tell(p.Peer, trc.Note{Kind: trc.Cut, ID: visit.Number})
		}
	case control:
		p.accepted = false
		if unsure && !p.Dead && !p.Parted {
			t.sayWhenConnected(p, trc.Note{Kind: trc.Cut, ID: visit.Number})
		}
		t.missFarewell(p)
	}
	if short {
		t.shortage()
	}
}

// decide returns what becomes of a peer's connection. One for messages it
// returns as the last of the TRC, once there is room for it.
func (t *Transport) decide(ctx context.Context, h handshake.Hello) (*incoming, handshake.Result) {
	defer t.life.WakeAtEnd(ctx)()
	t.lock.Lock()
	defer t.lock.Unlock()
	p := &t.peers[h.From]
	k := trc.Key{Context: h.Context, Tag: h.Tag}
	for h.Purpose == forControl && p.accepting && ctx.Err() == nil { // the peer may have given that one up
		t.life.Wait()
	}
	switch {
	case !h.Fits(0), h.Purpose == forMessages && !t.layer.Valid(k), h.Purpose > forMessages:
		return nil, handshake.Mismatch
	case p.Dead && !t.life.Over:
		return nil, handshake.GivenUp
	case t.failed(p) != nil || t.life.Over || t.life.Closing && p.Parted:
		return nil, handshake.ClosedDown
	case h.Purpose == forControl && p.accepting:
		return nil, handshake.Full
	case h.Purpose == forControl && !p.accepted:
		p.accepted, p.accepting = true, true
		return nil, handshake.Accepted
	case h.Purpose != forMessages || !p.accepted && !p.dialing && len(p.controls) == 0:
		return nil, handshake.Mismatch
	}
	d := &t.allotted
	d.visitors++
	defer func() { d.visitors-- }()
	for !d.room(d.in) {
		if idle := d.idleOut.First(); idle != nil && d.full() {
			t.retire(idle)
			continue
		}
		t.reclaimIdle()
		t.work()
		switch {
		case t.failed(p) != nil || t.life.Over:
			return nil, handshake.ClosedDown
		case ctx.Err() != nil:
			return nil, handshake.Full
		case !d.room(d.in):
			t.life.Wait()
		}
	}
	d.in++
	t.nameAfter(p, &h, k)
	c := &incoming{peer: p, fd: -1, number: h.Number}
	c.Incoming = trc.Incoming{Peer: p.Peer, Key: k, Channel: c}
	c.queued = !t.layer.Add(&c.Incoming)
	return c, handshake.Accepted
}

// install puts a connection for messages into use.
func (t *Transport) install(c *incoming, fd int, cipher *record.Cipher) error {
	c.token = t.sockets.add(c)
	t.meter.Opened.Add(1)
	if err := t.watcher.Add(fd, c.token); err != nil {
		t.closeLater(fd, c.token)
		t.allotted.in--
		t.unlink(c)
		return err
	}
	cipher.ReceiveOnly()
	c.fd, c.stream = fd, record.New(fd, cipher, &t.meter)
	t.granted()
	t.allotted.idleIn.Push(&c.idle, c)
	t.attend(c)
	return nil
}
