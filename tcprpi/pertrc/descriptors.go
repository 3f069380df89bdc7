package pertrc

import (
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// sharers counts the transports of this process, which share its descriptors.
var sharers atomic.Int64

const (
	// reserved is how many descriptors at least are left to the program, the
	// handshakes under way and whatever else; beyond, an eighth of all.
	reserved = 32
	// fewest is how many sockets a transport may have in any case, if the
	// kernel gives them.
	fewest = 4
	// afterRefusal is the pause until the kernel is asked for one more than it has given: others may have closed theirs.
	afterRefusal = 10 * socket.Breather
)

// descriptors is what a transport knows of its sockets for messages. Those in
// use are never closed; those that are idle, when others need the room.
type descriptors struct {
	limit   int // of the process
	ceiling int // how many there were when the kernel refused one
	in, out int // sockets, including those that are being made

	idleOut trc.List[outgoing] // without messages, that used last at the end
	idleIn  trc.List[incoming]
	// waiting are the TRCs that wait for room, and visitors counts the connections of peers that do.
	waiting  []*outgoing
	visitors int
	asking   bool // the kernel is about to be asked for one more
}

// bound is how many sockets the transport may have.
func (d *descriptors) bound() int {
	usable := d.limit - max(reserved, d.limit/8)
	return max(fewest, min(usable/int(max(1, sharers.Load())), d.ceiling))
}

// room reports whether there is room for one more socket in a direction that
// has n. One direction leaves an eighth to the other.
func (d *descriptors) room(n int) bool {
	bound := d.bound()
	return d.in+d.out < bound && n < bound-bound/8
}

// full reports whether there is no room for any socket more.
func (d *descriptors) full() bool { return d.in+d.out >= d.bound() }

// needsOut reports whether something waits that an outgoing connection less would help, needsIn the same of incoming ones.
func (d *descriptors) needsOut() bool { return len(d.waiting) > 0 || d.visitors > 0 && d.full() }

func (d *descriptors) needsIn() bool { return d.visitors > 0 || len(d.waiting) > 0 && d.full() }

// refused notes that the kernel gives no descriptor, or port, more.
func (t *Transport) refused() {
	d := &t.allotted
	d.ceiling = max(fewest, d.in+d.out)
	if d.asking {
		return
	}
	d.asking = true
	time.AfterFunc(afterRefusal, func() {
		t.lock.Lock()
		d.asking = false
		if !t.life.Over {
			t.granted()
		}
		t.lock.Unlock()
	})
}

// granted notes that the kernel has given one more, or may: perhaps it has another.
func (t *Transport) granted() {
	if d := &t.allotted; d.ceiling < math.MaxInt {
		d.ceiling++
		t.vacancy()
	}
}

// slots is how many handshakes may be under way in each direction, of at most
// most.
func (d *descriptors) slots(most int) int { return min(max(2, d.limit/64), most) }

// request asks for a connection for a TRC that has messages. If there is no
// room for it, it waits until there is, or the connect timeout is over.
func (t *Transport) request(o *outgoing) {
	if t.handOn(o) {
		return
	}
	d := &t.allotted
	if !d.room(d.out) {
		if idle := d.idleOut.First(); idle != nil {
			t.retire(idle)
		}
	}
	if !d.room(d.out) {
		t.wait(o)
		return
	}
	o.phase = dialing
	d.out++
	o.asked = time.Now()
	t.dials = append(t.dials, o)
	t.startDialer()
	t.admitNext() // there may be room for several
}

// wait has a TRC wait for a descriptor.
func (t *Transport) wait(o *outgoing) {
	o.phase = waiting
	if o.since.IsZero() {
		o.since = time.Now()
	}
	t.allotted.waiting = append(t.allotted.waiting, o)
	if o.patience == nil {
		o.patience = time.AfterFunc(time.Until(o.since.Add(t.cfg.ConnectTimeout)), func() {
			t.lock.Lock()
			defer t.lock.Unlock()
			if o.phase == waiting && !t.life.Over {
				t.giveUp(o)
			}
		})
	}
	t.reclaimIdle()
}

func (d *descriptors) unlist(o *outgoing) {
	if i := slices.Index(d.waiting, o); i >= 0 {
		d.waiting = slices.Delete(d.waiting, i, i+1)
	}
}

// vacancy notes that there may be room for a socket more.
func (t *Transport) vacancy() {
	t.life.Changed()
	t.admitNext()
}

// admitNext has the TRC go on that has waited for longest, if there is room. When it has taken that, the next one does.
func (t *Transport) admitNext() {
	if d := &t.allotted; len(d.waiting) > 0 && d.room(d.out) {
		o := d.waiting[0]
		d.waiting = slices.Delete(d.waiting, 0, 1)
		o.phase = unconnected
		t.attend(o)
	}
}

// reclaimIdle asks peers to close the connections from them that have been
// idle for the longest: a sixteenth, so that it need not be done for each.
func (t *Transport) reclaimIdle() {
	d := &t.allotted
	for range 1 + d.in/16 {
		c := d.idleIn.First()
		if c == nil {
			return
		}
		c.idle.Remove()
		if !c.reclaiming && c.fd >= 0 {
			c.reclaiming = true
			t.layer.Tell(c.peer.Peer, reclaim(c))
		}
	}
}
