package pertrc

import (
	"errors"
	"io"
	"syscall"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// readRounds is how often a connection is read before others have a turn.
const readRounds = 16

// incoming is one connection of a TRC from a peer. In its stream stand
// messages, one after the other: an envelope, and the body.
type incoming struct {
	peer  *peer
	key   key
	fd    int // -1 while the handshake is not over, and in the end
	token uint64

	header [matching.EnvelopeSize]byte
	have   int // bytes of header
	// head is the message whose body comes next, nil while its envelope does.
	head *message
	// place and discard are where that body goes, once it is wanted: so many
	// bytes to the one, and then so many to nowhere.
	wanted  bool
	place   []byte
	discard uint64
	// begun: there has been a message; lastSeq is that of the last.
	begun   bool
	lastSeq matching.Seq

	// pumped: a goroutine reads as long as there is something to read, and
	// looks again after each step. reading: it is in a system call with fd.
	// again: there may be more for it to do than that call has told.
	pumped, reading, again bool
	hangup                 bool // the peer has closed its side
	doomed                 bool // nothing more is to be read
	tried                  bool // a goroutine that waits for the next message has tried to read it
	whole                  bool // head's body is in the kernel entirely

	// successor is the TRC's next connection, to be read when this has ended.
	successor  *incoming
	queued     bool // it is the successor of another connection
	reclaiming bool // its sender has been asked to close it
	inTasks    bool
	idle       idleLink[incoming]
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

// hungry reports whether something is to be read: an envelope, or a body that a receive wants.
func (c *incoming) hungry() bool { return c.head == nil || c.wanted }

// trash takes the bytes that are discarded. Its contents mean nothing.
var trash [64 << 10]byte

// pump reads what there is to read. The lock is held, but not while reading.
func (t *Transport) pump(c *incoming) {
	if c.pumped {
		c.again = c.again || c.reading
		return
	}
	c.pumped = true
	defer func() { c.pumped = false }()
	for round := 1; c.fd >= 0 && !c.queued && t.state != killed; round++ {
		switch {
		case c.doomed:
			if c.peer.failed != nil { // else it is about to be
				t.cut(c)
			}
			return
		case !c.hungry() && (c.whole || !c.peer.dead):
			return
		case !c.hungry():
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
		if drained && !c.again && c.hungry() {
			if c.peer.dead {
				t.cut(c)
			}
			return
		}
	}
}

// read makes one system call, and reports whether the kernel has nothing more.
func (t *Transport) read(c *incoming) (drained bool, err error) {
	v := t.memory.vector()
	if c.head != nil {
		v.Add(c.place)
		v.Add(trash[:min(c.discard, uint64(len(trash)))])
	}
	if c.discard <= uint64(len(trash)) {
		v.Add(c.header[c.have:]) // the next message's
	}
	c.reading, c.again = true, false
	t.leave()
	n, err := v.Read(c.fd)
	t.meter.Reads.Add(1)
	t.enter()
	c.reading = false
	asked := v.Len()
	t.memory.freeVector(v)
	switch {
	case errors.Is(err, syscall.EAGAIN):
		return true, nil
	case err != nil:
		return true, err
	case n == 0:
		return true, io.EOF
	}
	c.peer.beat.Hear()
	return n < asked && !c.hangup, t.advance(c, n)
}

// postpone leaves a connection to the event loop, so that others have a turn.
func (t *Transport) postpone(c *incoming) {
	c.reading, c.again = true, false
	t.leave()
	err := t.watcher.Rearm(c.fd, c.token)
	t.enter()
	c.reading = false
	c.again = c.again || err != nil
}
