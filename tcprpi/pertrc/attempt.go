package pertrc

import (
	"context"
	"fmt"

	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/record"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// attempt is what has become of an attempt to connect.
type attempt struct {
	address string
	result  handshake.Result // Accepted, or the peer's refusal
	fd      int              // -1 unless it is accepted
	cipher  *record.Cipher
	session *handshake.Session // that a control connection leaves
}

// connect makes a connection to a peer, for messages in a Session if there is one.
func (t *Transport) connect(ctx context.Context, h handshake.Hello, session *handshake.Session) (a attempt, err error) {
	a.fd = -1
	peer, err := t.self.Find(ctx, h.To)
	if a.address = peer.Address; err != nil {
		return a, err
	}
	nc, err := socket.Dial(ctx, peer.Address, &t.meter)
	if err != nil {
		return a, err
	}
	defer nc.Close()
	stop := socket.InterruptAtEnd(ctx, nc)
	defer stop()
	// Before the peer counts on the connection, as it may fail.
	fd, err := socket.Dup(nc)
	if err != nil {
		return a, err
	}
	metered := socket.Metered{TCPConn: nc, Meter: &t.meter}
	if h.Purpose == forControl {
		a.result, a.cipher, a.session, err = t.self.Begin(metered, peer, h)
	} else {
		a.result, a.cipher, err = t.self.Resume(metered, peer, session, h)
	}
	if err == nil && a.result == handshake.Accepted {
		a.fd = fd
		return a, nil
	}
	socket.Close(fd)
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("%w (%w)", err, context.Cause(ctx))
	}
	return a, err
}

// finishAttempt takes in what has become of an attempt with that number, and returns its error. cut: the peer has said meanwhile that it has ended.
func (t *Transport) finishAttempt(p *peer, number uint32, cut bool, a *attempt, err error) error {
	switch {
	case !cut:
		if err != nil { // the peer may have accepted it
			p.failures.add(number)
		}
	case a.fd >= 0:
		t.discard(a)
		a.fd, a.result, err = -1, 0, errCut
	}
	return err
}

// discard closes a connection that has been made in vain.
func (t *Transport) discard(a *attempt) {
	t.toClose = append(t.toClose, a.fd)
	a.session.End()
}
