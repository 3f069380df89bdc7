package perpair

import (
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/heartbeat"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/record"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// phase is the state of a connection.
type phase uint8

const (
	idle       phase = iota // not needed so far
	connecting              // being made by this process, or awaited from the peer
	open
	gone // failed or closed, for ever
)

// conn is the connection with one peer. Its fields are guarded by the transport's lock unless they
// say otherwise.
type conn struct {
	transport *Transport
	peer      matching.Rank
	phase     phase
	fd        int
	// stream has the bytes of fd, since it is open.
	stream record.Stream
	// welcomed: the peer's own connection is about to be put into use.
	welcomed bool
	// dialing: this process makes one.
	dialing bool

	send sendQueue
	recv receiver // of the goroutine that reads

	// reading: a goroutine uses fd. The descriptor is closed when the connection is gone and no
	// goroutine uses it.
	reading bool
	// asked: something has been written since something was received from the peer.
	asked atomic.Bool
	beat  heartbeat.Peer
	ended bool // the peer will send no more
	shut  bool // this process will send no more
}

// fail ends a connection, or the attempt to make it, because the peer is gone.
func (t *Transport) fail(c *conn, cause error) {
	if c.phase == gone {
		return
	}
	c.phase = gone
	t.Layer.Fail(c.peer, cause)
	t.drop(c)
	t.retire(c)
	t.life.Changed()
}

// drop gives back the frames of a connection that will never carry them. If they are in a system
// call, the goroutine that makes the call does so.
func (t *Transport) drop(c *conn) {
	if c.send.Sending() {
		return
	}
	for f := c.send.Pop(); f != nil; f = c.send.Pop() {
		t.Layer.Dropped(f)
	}
}

// retire closes the descriptor of a connection that is gone, once no goroutine uses it.
func (t *Transport) retire(c *conn) {
	if c.phase == gone && c.fd >= 0 && !c.send.Sending() && !c.reading {
		socket.Close(c.fd)
		t.meter.Closed.Add(1)
		c.fd = -1
	}
}
