package sctprpi

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progress"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Transport is one process's end of all its associations. Use New or Open.
type Transport struct {
	front
	cfg     rpi.Config
	options Options
	socket  socket.Socket // nil in a job of one
	address string
	// budget is how much of the bodies of long messages a peer's association may
	// hold, in bytes.
	budget   int
	refusals atomic.Uint64

	// ctx ends when the transport does; background counts its goroutines.
	ctx        context.Context
	cancel     context.CancelFunc
	background sync.WaitGroup

	// driver decides who takes events from the socket, progress is held while they
	// are taken. It comes before mu.
	driver   *progress.Driver
	progress sync.Mutex
	events   [eventBatch]socket.Event
	env      matching.Envelope

	// mu guards what follows.
	mu     sync.Mutex
	layer  *progression.Layer
	peers  []*peer // by rank; nil: never used
	assocs map[socket.AssocID]*association
	calls  calls
	todo   []action // that act must carry out
	state  state
	// dropped: the socket has been closed and refers to no memory.
	dropped bool
	pools   pools
	// changed is signalled when something happens that Connect or Close may wait
	// for.
	changed *sync.Cond
}

// front is what programs call of a Transport.
type front = progression.Front

type state uint8

const (
	running state = iota
	closing
	closed
)

// New makes the transport of a process: it opens a socket, and connects to a peer
// when the first message for it is sent, or the first receive from it is posted.
func New(cfg rpi.Config, o Options) (*Transport, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if cfg = cfg.WithDefaults(); cfg.Size == 1 {
		cfg.Progress = rpi.Event // there is nobody to talk to
	}
	t := &Transport{
		cfg: cfg, options: o, address: "none", budget: config(cfg, o).SendBuffer / 2,
		peers: make([]*peer, cfg.Size), assocs: make(map[socket.AssocID]*association),
	}
	t.changed = sync.NewCond(&t.mu)
	t.layer = progression.New(cfg, t)
	t.driver = progress.New(inside{t}, cfg)
	t.front = progression.NewFront(t.layer, t.driver, t.mu.Lock, t.unlock)
	t.ctx, t.cancel = context.WithCancel(context.Background())
	if cfg.Size == 1 {
		return t, nil
	}
	if t.socket, err = listen(cfg, o); err != nil {
		return nil, err
	}
	t.address = formatAddrs(t.socket.LocalAddrs())
	if cfg.Progress != rpi.Inline {
		t.background.Go(func() { t.driver.Loop(t.ctx) })
	}
	return t, nil
}

// Name implements rpi.Transport.
func (t *Transport) Name() string { return t.options.Name }

// Address implements rpi.Transport.
func (t *Transport) Address() string { return t.address }

// Refused returns how many associations have been turned away because they had not
// proven to be of the job.
func (t *Transport) Refused() uint64 { return t.refusals.Load() }

// Usage implements rpi.Metered.
func (t *Transport) Usage() rpi.Usage {
	if t.socket == nil {
		return rpi.Usage{}
	}
	u := rpi.Usage{Sockets: 1}
	if m, ok := t.socket.(socket.Meter); ok {
		u.SystemCalls = m.SystemCalls()
	}
	return u
}

// Queue implements progression.Link; the lock is held.
func (t *Transport) Queue(f *progression.Frame) {
	t.peer(f.Peer).queue.Push(f)
}

// Together implements progression.Link: frames of other streams are in no order with this one.
func (t *Transport) Together(f *progression.Frame, tag matching.Tag, context matching.Context) bool {
	return f.Context == context && (f.Tag == tag || context&rpi.InOrder != 0)
}

// peer returns what is known of another process.
func (t *Transport) peer(rank matching.Rank) *peer {
	p := t.peers[rank]
	if p == nil {
		p = &peer{rank: rank}
		t.peers[rank] = p
	}
	return p
}

// unlock does what is on the agenda, and releases the lock.
func (t *Transport) unlock() {
	for rank, ok := t.layer.Agenda.Next(); ok; rank, ok = t.layer.Agenda.Next() {
		switch p := t.peer(rank); {
		case p.phase == unused && t.state == running && p.queue.Empty():
			t.expect(p)
		case p.phase == unused && t.state == running || p.expected && !p.queue.Empty():
			t.dial(p)
		case p.phase == unused || p.phase == gone:
			t.drop(p)
		default:
			t.flush(p)
		}
	}
	t.mu.Unlock()
}
