package core

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/pmi"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/failure"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/startup"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// process is one MPI process: a member of a job.
type process struct {
	rank, size int
	everyone   *group.Group // all processes of the job
	// oversubscribed: rank 0's host has more ranks than processors for them. Its card
	// tells all ranks, so that they choose the same algorithms: then those with few messages
	// are faster than those with few steps.
	oversubscribed bool
	// hosts has the number of the host of each rank of the job, equal on all ranks; nil: not known.
	hosts []int32
	// regroups: reductions may group by hosts though their results show it. All ranks say the same.
	regroups  bool
	transport rpi.Transport
	short     rpi.ShortWay     // transport, if it is one
	sharer    rpi.MemorySharer // transport, if it is one
	// nearby: ranks that are on one host try to share memory for short collective operations. All ranks say the same.
	nearby      bool
	boards      atomic.Int32 // communicators that have a board
	launcher    startup.Launcher
	application application
	published   atomic.Bool   // the cards of all processes can be read
	contexts    atomic.Uint64 // contexts made so far
	finalized   atomic.Bool   // by Finalize, or Abort
	aborted     atomic.Bool   // by Abort
	left        atomic.Bool   // its transport is closed, or about to be
	collectives collective.Process
	buffered    rpi.Account          // of buffered sends
	self        atomic.Pointer[Comm] // the communicator of this process alone, once it has been asked for
	selfOnce    sync.Once
	leaving     leaving
	windows     atomic.Int32 // that have not been freed
	sessions    sessions
	failures    failure.Process

	finalizeTimeout time.Duration
	leave           func()    // called when the process has left its job
	affected        sync.Once // to tell the launcher that this process has seen a peer fail

	// What is said of the process when it does not go on: see report.
	commsMu sync.Mutex
	comms   map[matching.Context]*Comm // that have not been released
	other   atomic.Pointer[otherWait]
	asking  sync.Mutex  // held while a question of the launcher is answered
	told    atomic.Bool // the launcher knows, and is about to end the process

	watches bool    // transport is a watched one
	trace   *traced // transport, if it is one

	// statistics: the launcher wants to know what the process has counted since begun.
	statistics bool
	begun      time.Time
}

// peerFailed tells the launcher, once, that an operation has failed because rank peer of
// the job has, or some rank if peer is AnySource. If this process ends with an error now,
// that one is the cause: so the launcher knows it when peerFailed returns, whichever goroutine tells it. An error of the
// launcher's changes nothing about the operation's.
func (p *process) peerFailed(peer matching.Rank) {
	p.affected.Do(func() {
		if peer == matching.AnySource {
			peer = pmi.AnyPeer
		}
		ctx, cancel := context.WithTimeout(context.Background(), partingTime)
		defer cancel()
		_ = p.launcher.PeerFailed(ctx, int(peer))
	})
}

// otherWait is a wait for something that is not a message.
type otherWait struct {
	in, what string // the call, and what it waits for
	since    time.Time
}

// waitsFor notes that the process waits for something that is not a message, until done is
// called.
func (p *process) waitsFor(in, what string) (done func()) {
	p.other.Store(&otherWait{in, what, time.Now()})
	return func() { p.other.Store(nil) }
}

// usable says why the process can start no operation, nil if it can.
func (p *process) usable(op string) error {
	switch {
	case p.open():
		return nil
	case p.failures.Expelled():
		return p.failures.Outside(op)
	case p.aborted.Load():
		return mpierr.Invalid(op, rpi.ErrClosed, "the process has called Abort")
	}
	return mpierr.Invalid(op, rpi.ErrClosed, "the process has called Finalize")
}

// open reports whether the process can start operations.
func (p *process) open() bool {
	return !p.failures.Expelled() && !p.aborted.Load() && !p.finalized.Load()
}

// A context is made of the rank in the job of the process that makes it, a
// number that this process never uses again, and the bits collective.Messages,
// rpi.Internal and another: see announcements. So no two communicators of a job ever have the same context, and
// none has rpi.Reserved. The world's has number 0.
const (
	contextFlagBits   = 3
	contextNumberBits = 36
	maxJobSize        = 1 << (63 - contextFlagBits - contextNumberBits)
)

// noticeContext is that of notices between processes, which have no communicator. It has a number that newContext never reaches.
const noticeContext = matching.Context((1<<contextNumberBits-1)<<contextFlagBits) | rpi.InOrder | rpi.Internal

// maxCommunicators bounds the communicators of a process at one time, together with its persistent collective
// operations. Those that it has freed and other ranks have not may be up to maxLeaving more. Each has up to four contexts, and
// package matching refuses peers that use too many contexts.
const (
	maxCommunicators = 16_000
	maxLeaving       = 256
)

// full says why this process can have no more communicators, nil if it can.
func (p *process) full(op string) *mpierr.Error {
	freed := int(p.leaving.underWay.Load())
	p.commsMu.Lock()
	defer p.commsMu.Unlock()
	n := len(p.comms)
	switch {
	case n < maxCommunicators+min(freed, maxLeaving):
		return nil
	case freed > maxLeaving:
		return mpierr.Invalid(op, rpi.ErrOther, "this process has %d communicators, which is the limit: it has freed %d of them, and other ranks have to free them too", n, freed)
	}
	return mpierr.Invalid(op, rpi.ErrOther, "this process has %d communicators, which is the limit: free communicators with Free", n)
}

// newContext returns a context that no communicator of the job has had.
func (p *process) newContext() matching.Context {
	number := p.contexts.Add(1)
	return matching.Context(uint64(p.rank)<<(contextNumberBits+contextFlagBits) | number<<contextFlagBits)
}

// world returns the communicator of all processes.
func (p *process) world() *Comm {
	p.failures.Listen()
	return newComm(p, worldContext, p.everyone)
}

// move moves messages until w is signalled or ctx ends, and returns the cause.
func (p *process) move(ctx context.Context, w *rpi.Waiter) error {
	err := p.transport.Await(ctx, w)
	w.Answer()
	return err
}
