package pertrc

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/record"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// What a connection is for, in its hello.
const (
	forControl = 1 + iota
	forMessages
)

// maxDialers bounds the connections that a process makes at one time.
const maxDialers = 16

// dialControl makes the control connection to a peer. It is none the worse for
// having failed if the peer has made one meanwhile.
func (t *Transport) dialControl(p *peer) {
	ctx, cancel := t.cfg.Connecting(t.life.Context)
	defer cancel()
	number, a, err := t.tryControl(ctx, p)
	for ctx.Err() == nil && (err == nil && a.result == handshake.Full || socket.Short(err) || errors.Is(err, handshake.ErrCut) || errors.Is(err, errCut)) && t.wanted(p) {
		socket.Rest(ctx)
		number, a, err = t.tryControl(ctx, p)
	}
	if err == nil && a.result != handshake.Accepted {
		err = fmt.Errorf("it has no descriptor free: %w", context.Cause(ctx))
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	p.dialing = false
	t.life.Changed()
	switch {
	case err == nil && (t.life.Over || p.Dead):
		t.discard(&a)
	case err == nil:
		err = t.admit(p, a.fd, a.cipher, a.session, number)
	}
	switch {
	case err == nil || t.life.Over:
	case p.control == nil:
		t.fail(p, t.unreached(a.address, err), true)
	default:
		t.missFarewell(p)
	}
}

// tryControl makes one attempt, with a number of its own.
func (t *Transport) tryControl(ctx context.Context, p *peer) (number uint32, a attempt, err error) {
	t.lock.Lock()
	t.attempts++
	number = t.attempts
	p.trying, p.cut = number, false
	t.lock.Unlock()
	a, err = t.connect(ctx, handshake.Hello{Purpose: forControl, To: p.Rank, Number: number}, nil)
	t.lock.Lock()
	defer t.lock.Unlock()
	p.trying = 0
	err = t.finishAttempt(p, number, p.cut, &a, err)
	return number, a, err
}

// wanted reports whether there is no control connection with the peer yet.
func (t *Transport) wanted(p *peer) bool {
	t.lock.Lock()
	defer t.lock.Unlock()
	return p.control == nil && t.failed(p) == nil && !t.life.Over
}

func (t *Transport) unreached(address string, err error) error {
	return t.cfg.CannotConnect(t.networkAddress(), address, Name, err)
}

// startDialer has the connections made that are asked for.
func (t *Transport) startDialer() {
	if t.life.Over || t.dialers == t.allotted.slots(maxDialers) {
		return
	}
	t.dialers++
	t.life.Go(func() {
		t.lock.Lock()
		for len(t.dials) > 0 && !t.life.Over {
			o := t.dials[0]
			t.dials = t.dials[1:]
			t.lock.Unlock()
			t.dial(o)
			t.lock.Lock()
		}
		t.dialers--
		t.lock.Unlock()
	})
}

// dial makes the connection of a TRC.
func (t *Transport) dial(o *outgoing) {
	t.lock.Lock()
	needless := t.needless(o, -1)
	// What the others before it have needed does not count: where there are many it may be long.
	if o.since.IsZero() {
		o.since = time.Now()
	} else {
		o.since = o.since.Add(time.Since(o.asked))
	}
	t.attempts++
	o.number, o.cut = t.attempts, false
	h := handshake.Hello{Purpose: forMessages, To: o.peer.Rank, Context: o.Key.Context, Tag: o.Key.Tag, Number: o.number, After: o.peer.after[o.Key]}
	session := o.session()
	t.lock.Unlock()
	if needless {
		return
	}
	p := o.peer
	ctx, cancel := context.WithDeadlineCause(t.life.Context, o.since.Add(t.cfg.ConnectTimeout), rpi.Overdue(t.cfg.ConnectTimeout))
	defer cancel()
	a, err := t.connect(ctx, h, session)
	t.lock.Lock()
	defer t.lock.Unlock()
	o.unanswered = errors.Is(err, handshake.ErrCut)
	if t.needless(o, a.fd) {
		return
	}
	err = t.finishAttempt(p, o.number, o.cut, &a, err)
	if err == nil && a.result == handshake.Accepted {
		if err = t.connected(o, a.fd, a.cipher); err == nil {
			return
		}
	}
	if err != nil {
		o.trouble = err
	}
	switch {
	case errors.Is(err, handshake.ErrFinalized):
		t.undial(o)
		t.fail(p, rpi.ErrFinalized, false)
	case errors.Is(err, rpi.ErrGivenUp):
		t.undial(o)
		t.fail(p, err, true)
	case handshake.Final(err):
		t.undial(o)
		t.connectionLost(p, t.unreached(a.address, err))
	case ctx.Err() != nil:
		t.undial(o)
		t.giveUp(o)
	case socket.Short(err):
		t.undial(o)
		t.refused()
		if idle := t.allotted.idleOut.First(); idle != nil {
			t.retire(idle)
			t.attend(o)
		} else {
			t.wait(o)
		}
	default: // the peer has no room, or if it is dead, its control connection will tell
		time.AfterFunc(socket.Breather, func() {
			t.lock.Lock()
			defer t.lock.Unlock()
			if !t.life.Over {
				t.redial(o)
			}
		})
	}
}

// needless reports whether a connection that is being made is of no use any
// more, and cleans up.
func (t *Transport) needless(o *outgoing, fd int) bool {
	if !t.life.Over && t.failed(o.peer) == nil {
		return false
	}
	if fd >= 0 {
		t.toClose = append(t.toClose, fd)
	}
	if !t.life.Over {
		t.layer.Drop(o.Outgoing, t.failed(o.peer))
		t.retire(o)
	}
	return true
}

// undial notes that an attempt to connect is over.
func (t *Transport) undial(o *outgoing) {
	t.allotted.out--
	o.phase = unconnected
}

// redial is undial, and has another attempt made if there is still need.
func (t *Transport) redial(o *outgoing) {
	t.undial(o)
	t.attend(o)
}

// connected puts the connection of a TRC into use.
func (t *Transport) connected(o *outgoing, fd int, cipher *record.Cipher) error {
	cipher.SendOnly()
	delete(o.peer.after, o.Key) // the peer has read it in the hello
	o.fd, o.token, o.stream = fd, t.sockets.add(o), record.New(fd, cipher, &t.meter)
	t.meter.Opened.Add(1)
	if err := t.watcher.Add(fd, o.token); err != nil {
		t.closeLater(fd, o.token)
		return err
	}
	o.inUse()
	t.granted()
	t.attend(o)
	return nil
}

// inUse notes that a TRC has a connection.
func (o *outgoing) inUse() {
	o.phase, o.Flow, o.since, o.trouble = connected, monitor.Flow{}, time.Time{}, nil
	if o.patience != nil {
		o.patience.Stop()
		o.patience = nil
	}
}

// giveUp ends the messages of a TRC that cannot get a connection.
func (t *Transport) giveUp(o *outgoing) {
	d := &t.allotted
	trouble := ""
	if o.trouble != nil {
		trouble = fmt.Sprintf(" (%v)", o.trouble)
	}
	err := fmt.Errorf("%w: no socket for messages of %v to rank %d of the job within %v (SCTPMPI_CONNECT_TIMEOUT)%s: this process has %d of at most %d sockets, "+
		"the others have messages that no receive takes, and so may be those of rank %d; "+
		"use fewer tags and communicators at a time or raise the limit of open files (ulimit -n)",
		rpi.ErrBuffer, o.Key, o.peer.Rank, t.cfg.ConnectTimeout, trouble, d.in+d.out, d.bound(), o.peer.Rank)
	t.layer.GiveUp(o.Outgoing, err)
	t.retire(o)
}

// Connect implements rpi.Transport. It makes the control connections; those of
// TRCs are made when there are messages. Each rank dials those above it.
func (t *Transport) Connect(ctx context.Context) error {
	defer t.driver.Serve()()
	t.lock.Lock()
	for i := t.cfg.Rank + 1; i < t.cfg.Size; i++ {
		t.contact(&t.peers[i])
	}
	t.lock.Unlock()
	return t.life.Connect(ctx, t.cfg.Size, func(rank matching.Rank) (settled bool, err error) {
		err = t.layer.Failed(rank)
		return rank == t.rank || t.peers[rank].control != nil || err != nil, err
	})
}
