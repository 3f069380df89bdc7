package failure

import (
	"encoding/binary"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/agree"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// notice is what a process tells another about a communicator: about is its context, number that of an agreement, 0 if the communicator has
// been revoked.
type notice struct {
	from   matching.Rank
	about  matching.Context
	number uint32
	body   []byte
}

const noticeHeader = 8 + 4

// maxEarly bounds the notices that a process keeps about communicators that it does not have.
const maxEarly = 4096

// noticeType is the type of all notices: bytes.
const noticeType matching.Type = 1

// inbox is the receive of notices.
type inbox struct {
	process *Process
	receive rpi.Request
	// restart is held while receive is started: what it has received may be dealt with before Start has returned.
	restart sync.Mutex
	queued  atomic.Bool // in Continuations
}

// Listen begins to take in notices.
func (p *Process) Listen() {
	if p.Size > 1 {
		p.inbox.process = p
		p.inbox.listen()
	}
}

// listen starts the receive.
func (i *inbox) listen() {
	i.restart.Lock()
	defer i.restart.Unlock()
	r, p := &i.receive, i.process
	r.Op, r.Context, r.Peer, r.Tag, r.Then = rpi.OpRecv, p.Notices, matching.AnySource, matching.AnyTag, i
	r.Type, r.Elem, r.Buf = noticeType, 1, make([]byte, noticeHeader+agree.Length(p.Size))
	p.Transport.Start(r)
}

// Completed implements rpi.Continuation.
func (i *inbox) Completed(*rpi.Request) {
	if !i.queued.Swap(true) {
		i.process.Continuations.Add(i)
	}
}

// Whole implements rpi.Continuation.
func (i *inbox) Whole() *rpi.Request { return nil }

// Run implements rpi.Runner.
func (i *inbox) Run(bool) {
	i.restart.Lock()
	r := &i.receive
	var n notice
	ok := r.Err == nil && r.Status.Length >= noticeHeader
	if ok {
		b := r.Buf[:r.Status.Length]
		n = notice{r.Status.Source, matching.Context(binary.LittleEndian.Uint64(b)), binary.LittleEndian.Uint32(b[8:]), b[noticeHeader:]}
	} else if errors.Is(r.Err, rpi.ErrClosed) || errors.Is(r.Err, rpi.ErrDeserted) {
		i.restart.Unlock()
		return // this process has left its job, or all others have; a sender that has died amid a notice is no reason
	}
	r.Reset()
	i.queued.Store(false)
	i.restart.Unlock()
	i.listen()
	if ok {
		i.process.take(n)
	}
}

// send sends a notice, without waiting until it has left.
func (p *Process) send(to matching.Rank, about matching.Context, number uint32, body func(b []byte) []byte) {
	b := binary.LittleEndian.AppendUint64(nil, uint64(about))
	b = binary.LittleEndian.AppendUint32(b, number)
	if body != nil {
		b = body(b)
	}
	p.Transport.Start(&rpi.Request{Op: rpi.OpSend, Context: p.Notices, Peer: to, Type: noticeType, Elem: 1, Buf: b, Then: unheeded{}})
}

// unheeded follows when a notice has left: nothing.
type unheeded struct{}

func (unheeded) Completed(*rpi.Request) {}
func (unheeded) Whole() *rpi.Request    { return nil }

// take takes in a notice. Its communicator may be released meanwhile: the State stays good.
func (p *Process) take(n notice) {
	p.mu.Lock()
	s := p.states[n.about]
	if s == nil {
		if len(p.early) == maxEarly {
			p.early = slices.Delete(p.early, 0, 1)
		}
		p.early = append(p.early, n)
	}
	p.mu.Unlock()
	switch {
	case s == nil:
	case n.number == 0:
		s.Revoke()
	default:
		s.receive(n)
	}
}

// earlyOf takes the early notices about a communicator. mu is held.
func (p *Process) earlyOf(about matching.Context) (notices []notice) {
	p.early = slices.DeleteFunc(p.early, func(n notice) bool {
		if n.about == about {
			notices = append(notices, n)
		}
		return n.about == about
	})
	return notices
}
