package window

import (
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// role is what a request of the transport is for.
type role uint8

const (
	listening role = iota // for messages
	watching              // for a peer's end
	draining              // for messages of a peer that is gone
	asking                // sends a message of an origin
	answering             // sends an answer
	giving                // sends long data: of a Put
	landing               // receives it into the window
	yielding              // sends long data from the window: for a Get
	fetching              // receives it
)

// request is a request of the transport that a window has made. When it has completed the agent handles it.
type request struct {
	rpi.Request
	window *Window
	peer   *peer
	role   role
	slot   uint8
	id     uint32
	event  *Event // of giving, or nil
	buffer []byte // from Window.buffers
	// holds is what must happen before the agent may handle the request, and another use of it begin: it completes, and the
	// calls of the transport return that have it as their argument.
	holds atomic.Int32
	// begun: the transport has it. unwanted: it is to be cancelled. Each is set before the other is looked at, as the transport takes no
	// notice of a Cancel that comes before the Start.
	begun, unwanted atomic.Bool
}

// Tags: of messages, of the receives that watch peers, and then two for each slot, of Put and of Get.
const (
	messageTag matching.Tag = iota
	watchTag
	slotTags
)

func putTag(slot uint8) matching.Tag { return slotTags + 2*matching.Tag(slot) }
func getTag(slot uint8) matching.Tag { return slotTags + 2*matching.Tag(slot) + 1 }

// maxSlots is how many long operations of an origin may be under way in a window.
const maxSlots = 16

// All messages consist of bytes.
const (
	bytesType = matching.Type(datatype.Byte)
	byteSize  = 1
)

// request returns a request for a peer, nil for any.
func (w *Window) request(p *peer, role role) *request {
	var r *request
	if n := len(w.spare); n > 0 {
		r = w.spare[n-1]
		w.spare[n-1] = nil
		w.spare = w.spare[:n-1]
	} else {
		r = &request{window: w}
	}
	r.peer, r.role = p, role
	r.Context, r.Type, r.Elem, r.Then = w.context, bytesType, byteSize, r
	if p != nil {
		r.Peer = p.job
	}
	r.holds.Store(2)
	r.begun.Store(false)
	r.unwanted.Store(false)
	w.open++
	return r
}

// maxSpare bounds the requests that are kept for later.
const maxSpare = 256

// recycle takes back a request that has completed and has been handled.
func (w *Window) recycle(r *request) {
	w.open--
	if r.buffer != nil {
		w.buffers.Put(r.buffer)
	}
	r.Reset()
	r.peer, r.event, r.buffer, r.slot, r.id = nil, nil, nil, 0, 0
	if len(w.spare) < maxSpare {
		w.spare = append(w.spare, r)
	}
}

// message makes a message to a peer of a copy of data, to be sent when mu is not held any more.
func (w *Window) message(p *peer, role role, h header, data []byte) *request {
	r := w.request(p, role)
	r.buffer = w.buffers.Get(headerSize + len(data))
	r.Op, r.Tag = rpi.OpSend, messageTag
	r.Buf = append(h.append(r.buffer[:0]), data...)
	w.outbox = append(w.outbox, r)
	return r
}

// transfer makes a request for long data, to be started when mu is not held any more.
func (w *Window) transfer(p *peer, role role, slot uint8, data []byte) *request {
	r := w.request(p, role)
	r.slot, r.Buf = slot, data
	if r.Op = rpi.OpRecv; role == giving || role == yielding {
		r.Op = rpi.OpSend
	}
	if r.Tag = putTag(slot); role == yielding || role == fetching {
		r.Tag = getTag(slot)
	}
	w.outbox = append(w.outbox, r)
	return r
}

// cancel has a request cancelled when mu is not held any more, unless it has completed.
func (w *Window) cancel(r *request) {
	for n := r.holds.Load(); n > 0; n = r.holds.Load() {
		if r.holds.CompareAndSwap(n, n+1) {
			r.unwanted.Store(true)
			w.cancels = append(w.cancels, r)
			return
		}
	}
}

// let notes that something has happened that the agent waits for.
func (r *request) let() {
	if r.holds.Add(-1) == 0 {
		r.window.agent.add(r)
	}
}

// Completed implements rpi.Continuation.
func (r *request) Completed(*rpi.Request) { r.let() }

// Whole implements rpi.Continuation.
func (r *request) Whole() *rpi.Request { return &r.Request }
