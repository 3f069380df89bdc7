package pertrc

import (
	"errors"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/record"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// phase is where the connection of an outgoing TRC is in its life.
type phase uint8

const (
	unconnected phase = iota
	waiting           // for a descriptor
	dialing
	connected
	ended // forgotten; the TRC's next message begins anew
)

// outgoing is the connection of a TRC to a peer. Without messages it is idle.
type outgoing struct {
	*trc.Outgoing
	peer *peer
	phase
	fd    int
	token uint64
	// stream has the bytes of fd, since it is connected.
	stream record.Stream

	number uint32 // of the last attempt to connect
	cut    bool   // the peer says that this one has ended
	// unanswered: it has got no answer. In a Session the peer answers none that it cannot open: the next attempt has a whole handshake, by
	// which it says why.
	unanswered bool

	written int // bytes of the first message that have left
	monitor.Flow
	leaving bool // to be closed as soon as it is idle

	// sent counts the messages that have left on the connection. The peer has vouched for the first so many: it has taken them.
	sent, vouched uint64
	released      bool // no operation uses the context any more
	handed        bool // the connection had another TRC before
	kept          trc.Link[outgoing]

	since    time.Time   // it has wanted a connection, without the time that it has waited for a dialer
	asked    time.Time   // it waits for one
	trouble  error       // the last attempt to make one has had
	patience *time.Timer // that ends the wait for a descriptor
	inTasks  bool
	idle     trc.Link[outgoing]
}

// session returns that of the next attempt to connect, nil for a whole handshake.
func (o *outgoing) session() *handshake.Session {
	if c := o.peer.control; c != nil && !o.unanswered {
		return c.session
	}
	return nil
}

func (o *outgoing) listed() *bool { return &o.inTasks }

func (o *outgoing) attend(t *Transport) {
	switch {
	case o.phase == ended:
	case t.failed(o.peer) != nil:
		t.drop(o)
	case o.phase == connected:
		t.flush(o)
	case o.Head() == nil && o.phase != dialing:
		t.retire(o)
	case o.phase == unconnected && o.peer.control != nil && o.peer.doubt == nil:
		t.request(o)
	}
}

func (o *outgoing) event(t *Transport, e socket.Event) {
	if o.phase != connected {
		return
	}
	if e.Hangup && !o.peer.Parted && t.failed(o.peer) == nil { // a receiver closes no connection
		t.brokenOut(o, errors.New("it was closed"))
	}
	if e.Writable {
		if o.Writable() {
			t.flush(o)
		}
	}
}

// brokenOut notes that a connection is broken.
func (t *Transport) brokenOut(o *outgoing, err error) {
	if t.failed(o.peer) == nil && !o.peer.Parted {
		t.connectionLost(o.peer, fmt.Errorf("the connection to it for %v broke: %w", o.Key, err))
	}
}

// settle sees whether a connection in use is idle now.
func (t *Transport) settle(o *outgoing) {
	if o.Head() != nil {
		return
	}
	if t.life.Closing {
		t.life.Changed()
	}
	if o.leaving || t.allotted.needsOut() {
		t.retire(o)
		return
	}
	t.allotted.idleOut.Push(&o.idle, o)
	if o.released {
		t.keep(o)
	}
}

// retire closes the connection of a TRC that has no messages, and forgets it. If the kernel has no room for the end that the
// peer must hear of first, that waits.
func (t *Transport) retire(o *outgoing) {
	o.idle.Remove()
	o.unkeep()
	if o.phase == connected && t.failed(o.peer) == nil && !o.stream.End() {
		o.leaving = true
		o.Block()
		return
	}
	t.recordEnd(o)
	was := o.phase
	o.phase = ended
	t.layer.Remove(o.Outgoing)
	if o.patience != nil {
		o.patience.Stop()
	}
	switch was {
	case connected:
		t.closeLater(o.fd, o.token)
		fallthrough
	case dialing:
		t.allotted.out--
	case waiting:
		t.allotted.unlist(o)
	}
	t.vacancy()
}

// dismiss closes a connection once it is idle.
func (t *Transport) dismiss(o *outgoing) {
	o.leaving = true
	t.attend(o)
}

// drop gives back the messages to a peer that is gone, unless they are in a
// system call right now or the connection is being made: then the end of that
// does.
func (t *Transport) drop(o *outgoing) {
	if o.Sending() {
		return
	}
	t.layer.Drop(o.Outgoing, t.failed(o.peer))
	if o.phase != dialing {
		t.retire(o)
	}
}
