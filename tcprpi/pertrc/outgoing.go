package pertrc

import (
	"errors"
	"fmt"
	"time"

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

// outgoing is a TRC to a peer: its messages that have not left, and its
// connection. A connection without messages is idle.
type outgoing struct {
	peer *peer
	key  key
	phase
	fd    int
	token uint64

	head, tail *frame
	written    int // bytes of head that have left
	retracted  int // frames in the queue whose messages were taken back or refused
	// writing: a goroutine is in a system call with frames of the queue.
	writing bool
	// blocked: the kernel takes no more until the watcher says so. again: it
	// said so while a goroutine was writing.
	blocked, again bool
	leaving        bool // to be closed as soon as it is idle

	since    time.Time   // it has wanted a connection
	trouble  error       // the last attempt to make one has had
	patience *time.Timer // that ends the wait for a descriptor
	inTasks  bool
	idle     idleLink[outgoing]
}

func (o *outgoing) listed() *bool { return &o.inTasks }

// outgoing returns the TRC with a key, whatever its state.
func (t *Transport) outgoing(p *peer, k key) *outgoing {
	o := p.out[k]
	if o == nil {
		o = &outgoing{peer: p, key: k, fd: -1}
		if p.out == nil {
			p.out = make(map[key]*outgoing)
		}
		p.out[k] = o
	}
	return o
}

func (t *Transport) push(o *outgoing, f *frame) {
	t.told++
	if o.head == nil {
		o.head = f
		o.peer.busy++
		t.allotted.idleOut.remove(&o.idle)
	} else {
		o.tail.next = f
	}
	o.tail = f
}

func (t *Transport) pop(o *outgoing) *frame {
	f := o.head
	o.head, f.next = f.next, nil
	o.written = 0
	if o.head == nil {
		o.tail = nil
		t.rest(o)
	}
	return f
}

// unqueue takes out a frame of which nothing has left.
func (t *Transport) unqueue(o *outgoing, f *frame) {
	t.told--
	if o.head == f {
		t.pop(o)
		return
	}
	prev := o.head
	for prev.next != f {
		prev = prev.next
	}
	if prev.next, f.next = f.next, nil; prev.next == nil {
		o.tail = prev
	}
}

// rest notes that a TRC has no message left.
func (t *Transport) rest(o *outgoing) {
	o.peer.busy--
	if t.state == closing {
		t.changed.Broadcast()
	}
	switch {
	case o.phase == connected:
		t.allotted.idleOut.push(&o.idle, o)
		if o.leaving || len(t.allotted.waiting) > 0 {
			t.attend(o)
		}
	case o.phase == unconnected || o.phase == waiting:
		t.attend(o) // it needs no connection any more
	}
}

func (o *outgoing) attend(t *Transport) {
	switch {
	case o.phase == ended:
	case o.peer.failed != nil:
		t.drop(o)
	case o.phase == connected:
		t.flush(o)
	case o.head == nil && o.phase != dialing:
		t.retire(o)
	case o.phase == unconnected && o.peer.control != nil:
		t.request(o)
	}
}

func (o *outgoing) event(t *Transport, e socket.Event) {
	if o.phase != connected {
		return
	}
	if e.Hangup && !o.peer.said && o.peer.failed == nil { // a receiver closes no connection
		t.brokenOut(o, errors.New("it was closed"))
	}
	if e.Writable {
		o.again = true
		if o.blocked {
			o.blocked = false
			t.flush(o)
		}
	}
}

// brokenOut notes that a connection is broken.
func (t *Transport) brokenOut(o *outgoing, err error) {
	if o.peer.failed == nil && !o.peer.said {
		t.connectionLost(o.peer, fmt.Errorf("the connection to it for %v broke: %w", o.key, err))
	}
}

// retire closes the connection of a TRC that has no messages, and forgets it.
func (t *Transport) retire(o *outgoing) {
	t.allotted.idleOut.remove(&o.idle)
	was := o.phase
	o.phase = ended
	delete(o.peer.out, o.key)
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
	if o.writing {
		return
	}
	t.giveBack(o, o.peer.failed)
	if o.phase != dialing {
		t.retire(o)
	}
}

func (t *Transport) giveBack(o *outgoing, err error) {
	for o.head != nil {
		t.dropped(t.pop(o), err)
	}
}

func (k key) String() string {
	if k.tag < 0 {
		return fmt.Sprintf("context %#x", uint64(k.context))
	}
	return fmt.Sprintf("tag %d in context %#x", k.tag, uint64(k.context))
}
