package pertrc

import (
	"errors"
	"io"
	"syscall"

	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/record"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// readRounds is how often a connection is read before others have a turn.
const readRounds = 16

// incoming is one connection of a TRC from a peer.
type incoming struct {
	trc.Incoming
	peer  *peer
	fd    int // -1 while the handshake is not over, and in the end
	token uint64
	// number is the peer's for the connection.
	number uint32
	// stream has the bytes of fd, since there is one.
	stream record.Stream

	// pumped: a goroutine reads as long as there is something to read, and
	// looks again after each step. reading: it is in a system call with fd.
	// again: there may be more for it to do than that call has told.
	pumped, reading, again bool
	hangup                 bool // the peer has closed its side
	doomed                 bool // nothing more is to be read
	whole                  bool // the body at the head is in the kernel entirely

	turn       bool // it is in turns
	queued     bool // it is the successor of another connection
	reclaiming bool // its sender has been asked to close it
	inTasks    bool
	idle       trc.Link[incoming]
	spare      trc.Link[incoming]
}

func (c *incoming) listed() *bool { return &c.inTasks }

func (c *incoming) attend(t *Transport) { t.pump(c) }

func (c *incoming) event(t *Transport, e socket.Event) {
	c.hangup = c.hangup || e.Hangup
	if e.Readable {
		t.pump(c)
	}
}

// goOn has a connection read, of which something is wanted now.
func (t *Transport) goOn(c *incoming) {
	if !c.pumped {
		t.attend(c)
		return
	}
	c.again = c.again || c.reading
}

// pump reads what there is to read.
func (t *Transport) pump(c *incoming) {
	if c.pumped {
		c.again = c.again || c.reading
		return
	}
	c.pumped = true
	defer func() { c.pumped = false }()
	for round := 1; c.fd >= 0 && !c.queued && !t.life.Over; round++ {
		switch {
		case c.doomed:
			if t.failed(c.peer) != nil { // else it is about to be
				t.cut(c)
			}
			return
		case !c.Hungry() && (c.whole || !c.peer.Dead):
			return
		case !c.Hungry():
			t.weigh(c)
			continue
		case round > readRounds:
			t.postpone(c)
			if !c.again {
				return
			}
			round = 0
			continue
		}
		drained, err := t.read(c)
		if err != nil {
			t.brokenIn(c, err)
			return
		}
		if drained && !c.again && c.Hungry() {
			switch {
			case c.peer.Dead:
				t.cut(c)
			case c.Idle():
				t.allotted.idleIn.Push(&c.idle, c)
				if t.allotted.needsIn() {
					t.reclaimIdle()
				}
			}
			return
		}
	}
}

// read makes one system call, and reports whether the kernel has nothing more.
func (t *Transport) read(c *incoming) (drained bool, err error) {
	v := t.vector()
	place, drop, header := c.Places()
	v.Add(place)
	if uint64(v.Drop(drop)) == drop {
		v.Add(header) // the next message's
	}
	c.reading, c.again = true, false
	t.leave()
	n, failed := c.stream.Read(v)
	t.enter()
	c.reading = false
	asked := v.Len()
	t.freeVector(v)
	if n > 0 {
		c.peer.beat.Hear()
		err = t.advance(c, n)
	}
	switch {
	case err != nil:
		return true, err
	case errors.Is(failed, syscall.EAGAIN):
		return true, nil
	case failed != nil:
		return true, failed
	case n == 0:
		return true, io.EOF
	}
	return n < asked && !c.hangup, nil
}

// advance notes n bytes that were read.
func (t *Transport) advance(c *incoming, n int) error {
	c.idle.Remove()
	c.whole = false
	before, spare := c.Messages, c.Unnamed
	err := t.layer.Advance(&c.Incoming, n)
	if spare && !c.Unnamed {
		c.named()
	}
	if err != nil {
		return err
	}
	t.meter.Received.Add(c.Messages - before)
	if t.life.Closing {
		t.life.Changed()
	}
	return nil
}

// postpone leaves a connection to the event loop, so that others have a turn.
func (t *Transport) postpone(c *incoming) {
	if c.stream.Buffered() {
		if !c.turn {
			c.turn = true
			t.turns = append(t.turns, c)
			t.hasTurns.Store(true)
			t.driver.Wake() // a goroutine that rests does not know
		}
		c.again = false
		return
	}
	c.reading, c.again = true, false
	t.leave()
	err := t.watcher.Rearm(c.fd, c.token)
	t.enter()
	c.reading = false
	c.again = c.again || err != nil
}
