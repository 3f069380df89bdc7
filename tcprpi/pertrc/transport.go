package pertrc

import (
	"context"
	"math"
	"net"
	"sync"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/driver"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/heartbeat"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// Name is the transport's name.
const Name = "tcp-pertrc"

// Transport is one process's end of all its connections.
type Transport struct {
	cfg      rpi.Config
	self     matching.Rank
	listener *net.TCPListener
	watcher  *socket.Watcher
	meter    socket.Meter

	// driver decides which goroutine takes events from the watcher, progress is held meanwhile. It
	// comes before mu.
	driver   *driver.Driver
	progress sync.Mutex

	// ctx ends when the transport does; background counts its goroutines.
	ctx        context.Context
	cancel     context.CancelFunc
	background sync.WaitGroup
	clock      *heartbeat.Clock

	// mu guards all below, and is never held across a system call that can block. What becomes necessary
	// meanwhile is listed, and done by work before the lock is released.
	mu    sync.Mutex
	state state
	calls int    // system calls under way with memory of requests
	peers []peer // by rank
	alive int    // peers that have neither failed nor finalized
	// changed is signalled when something changes that Connect, Close or an
	// acceptor may wait for.
	changed *sync.Cond

	match    matching.Engine
	probes   []*rpi.Request
	requests rpi.RequestTable
	corked   []*incoming // whose head a matched probe has taken

	discarded rpi.Discarded
	refusing  bool // this process starts no receives any more: see StopReceiving
	refused   rpi.Lost
	lost      rpi.Lost // other messages that were not received
	groups    rpi.Groups
	final     *rpi.Snapshot // at the end

	tasks    taskList
	sockets  socketTable
	toClose  []int // descriptors for work to close
	dials    []*outgoing
	dialers  int
	allotted descriptors

	memory memory

	// told and heardOf count messages and notes: see rpi.Snapshot.
	told, heardOf uint64
}

type state uint8

const (
	running state = iota
	closing
	killed
)

// Open makes the transport of a process: it listens, and connects to a peer
// when the first message for it is sent.
func Open(cfg rpi.Config) (rpi.Transport, error) {
	if cfg = cfg.WithDefaults(); cfg.Size == 1 {
		cfg.Progress = rpi.Event // there is no peer
	}
	t := &Transport{cfg: cfg, self: matching.Rank(cfg.Rank), peers: make([]peer, cfg.Size), alive: cfg.Size - 1}
	for rank := range t.peers {
		t.peers[rank].rank = matching.Rank(rank)
	}
	t.allotted = descriptors{limit: socket.Limit(), ceiling: math.MaxInt}
	t.changed = sync.NewCond(&t.mu)
	t.ctx, t.cancel = context.WithCancel(context.Background())
	if err := t.setUp(); err != nil {
		return nil, err
	}
	if cfg.Size == 1 {
		return t, nil
	}
	sharers.Add(1)
	t.clock = heartbeat.NewClock(cfg.PeerTimeout)
	t.background.Go(func() { t.clock.Run(t.ctx, t.heartbeat) })
	t.background.Go(t.accept)
	if cfg.Progress != rpi.Inline {
		t.background.Go(func() { t.driver.Loop(t.ctx) })
	}
	return t, nil
}

// setUp opens what the transport needs of the system.
func (t *Transport) setUp() (err error) {
	if t.listener, t.watcher, err = socket.Open(t.cfg, &t.meter); err != nil {
		return err
	}
	if t.driver, err = driver.New(inside{t}, t.cfg); err != nil {
		socket.Release(t.listener, t.watcher)
	}
	return err
}

// Name implements rpi.Transport.
func (t *Transport) Name() string { return Name }

// Counters returns what the transport has asked of the kernel so far.
func (t *Transport) Counters() socket.Counters { return t.meter.Counters() }

// Usage implements rpi.Metered.
func (t *Transport) Usage() rpi.Usage {
	c := t.Counters()
	return rpi.Usage{Sockets: int(c.Open), SystemCalls: c.SystemCalls() + t.driver.SystemCalls()}
}

// Address implements rpi.Transport.
func (t *Transport) Address() string {
	if t.listener == nil {
		return "none"
	}
	return t.listener.Addr().String()
}

// Start implements rpi.Transport.
func (t *Transport) Start(r *rpi.Request) {
	t.mu.Lock()
	switch {
	case t.state == killed:
		r.Complete(errClosed(r))
	case t.refusing && r.AsksForMessage():
		r.Complete(r.TooLate())
	case r.Op == rpi.OpSend:
		t.send(r)
	case r.Op == rpi.OpRecv:
		t.receive(r)
	default:
		t.probe(r)
	}
	t.work()
	t.mu.Unlock()
}

// Cancel implements rpi.Transport.
func (t *Transport) Cancel(r *rpi.Request) {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.work()
	switch {
	case r.Completed():
	case r.Op == rpi.OpSend:
		t.cancelSend(r)
	case r.Op == rpi.OpRecv:
		if t.withdraw(r) {
			r.Status.Cancelled = true
			r.Complete(nil)
			t.pairMatches()
			t.refuseLost()
		}
	case t.forgetProbe(r):
		r.Status.Cancelled = true
		r.Complete(nil)
	}
}

// Await implements rpi.Transport.
func (t *Transport) Await(ctx context.Context, w *rpi.Waiter) error {
	return t.driver.Await(ctx, w)
}

// Advance implements rpi.Transport.
func (t *Transport) Advance() { t.driver.Advance() }

// Scope implements rpi.Transport.
func (t *Transport) Scope(c matching.Context, group []matching.Rank) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.groups.Add(c, group)
}

// Release implements rpi.Transport. The connections of the context are closed.
func (t *Transport) Release(c matching.Context) {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.work()
	for m := range t.match.Messages() {
		if own := m.Owner.(*message); m.Context == c && own.sender == nil && t.match.Take(m) {
			t.discard(own)
		}
	}
	t.match.Release(c)
	delete(t.discarded, c)
	delete(t.groups, c)
	for i := range t.peers {
		p := &t.peers[i]
		p.sent.Forget(c)
		delete(p.posted, c)
		for k, o := range p.out {
			if k.context == c {
				t.dismiss(o)
			}
		}
	}
}

// Discard implements rpi.Transport.
func (t *Transport) Discard(c matching.Context, tag matching.Tag) {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.work()
	t.discarded.Add(c, tag)
	for m := range t.match.Messages() {
		if m.Context == c {
			t.sift(m.Owner.(*message))
		}
	}
}
