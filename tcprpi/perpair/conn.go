package perpair

import (
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/heartbeat"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// phase is where a connection is in its life.
type phase uint8

const (
	idle       phase = iota // never needed so far
	connecting              // being made by this process, or awaited from the peer
	open
	gone // failed or closed; there is never another
)

// conn is the connection with one peer. Its fields are guarded by the
// transport's lock but where they say otherwise.
type conn struct {
	peer  matching.Rank
	phase phase
	fd    int
	// welcomed: the peer's own connection is about to be put into use.
	welcomed bool

	send sendQueue
	recv receiver // of whoever reads

	// reading: somebody is using fd. The descriptor is closed when the
	// connection is gone and nobody uses it.
	reading bool
	// asked: something has been written since the peer has last been heard.
	asked atomic.Bool
	beat  heartbeat.Peer
	ended bool // the peer will send no more
	shut  bool // we will send no more
}

// fail ends a connection, or the attempt to make it: the peer is gone.
// The lock is held.
func (t *Transport) fail(c *conn, cause error) {
	if c.phase == gone {
		return
	}
	c.phase = gone
	t.layer.Fail(c.peer, cause)
	t.drop(c)
	t.retire(c)
	t.changed.Broadcast()
}

// drop gives back the frames of a connection that will never carry them,
// unless they are in a system call right now: then its end does. The lock is
// held.
func (t *Transport) drop(c *conn) {
	if c.send.writing {
		return
	}
	for f := c.send.Pop(); f != nil; f = c.send.Pop() {
		t.layer.Dropped(f)
	}
}

// retire closes the descriptor of a connection that is gone once nobody uses
// it. The lock is held.
func (t *Transport) retire(c *conn) {
	if c.phase == gone && c.fd >= 0 && !c.send.writing && !c.reading {
		socket.Close(c.fd)
		t.meter.Closed.Add(1)
		c.fd = -1
	}
}
