package sctprpi

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/driver"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Transport is one process's end of all its associations. Use New or Open.
type Transport struct {
	requests
	cfg     rpi.Config
	options Options
	socket  socket.Core // nil in a job of one
	address string
	// budget is how much of the bodies of long messages a peer's association may
	// hold, in bytes.
	budget     int
	rejections atomic.Uint64

	// ctx ends when the transport does; background counts its goroutines.
	ctx        context.Context
	cancel     context.CancelFunc
	background sync.WaitGroup

	// driver decides which goroutine takes events from the socket, progress is held while they
	// are taken. It comes before mu.
	driver   *driver.Driver
	progress sync.Mutex
	events   [eventBatch]socket.Event
	env      matching.Envelope

	// mu guards what follows.
	mu     sync.Mutex
	layer  *progression.Layer
	peers  []*peer // by rank; nil: never used
	assocs map[socket.AssocID]*association
	calls  calls
	todo   []action // to be carried out by the goroutine that holds progress
	state  state
	// dropped: the socket has been closed and refers to no memory.
	dropped bool
	pools   pools
	// changed is signalled when something happens that Connect or Close may wait
	// for.
	changed *sync.Cond
}

// requests is what programs call of a Transport.
type requests = driver.Requests

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
		cfg.Progress = rpi.Event // there is no peer
	}
	t := &Transport{
		cfg: cfg, options: o, address: "none", budget: config(cfg, o).SendBuffer / 2,
		peers: make([]*peer, cfg.Size), assocs: make(map[socket.AssocID]*association),
	}
	t.changed = sync.NewCond(&t.mu)
	t.layer = progression.New(cfg, progression.ByTRC, t.carried)
	t.ctx, t.cancel = context.WithCancel(context.Background())
	if err := t.setUp(); err != nil {
		return nil, err
	}
	if cfg.Size > 1 {
		t.background.Go(func() { t.driver.Loop(t.ctx) })
	}
	return t, nil
}

// setUp opens the socket, unless there is no peer, and makes its driver.
func (t *Transport) setUp() (err error) {
	if t.cfg.Size > 1 {
		if t.socket, err = listen(t.cfg, t.options); err != nil {
			return err
		}
		t.address = formatAddrs(t.socket.LocalAddrs())
	}
	var network driver.Network = inside{t}
	if t.socket != nil && t.socket.Embedded() {
		network = embedded{inside{t}}
	}
	if t.driver, err = driver.New(network, t.cfg); err != nil {
		return errors.Join(err, t.closeSocket())
	}
	if t.socket != nil {
		t.socket.SetWake(t.driver.Wake)
	}
	t.requests = driver.NewRequests(t.layer, t.driver, &t.mu, t.Finish)
	return nil
}

// closeSocket closes the socket, if there is one. No goroutine of the driver uses it any more.
func (t *Transport) closeSocket() error {
	if t.socket == nil {
		return nil
	}
	return t.socket.Close()
}

// Name implements rpi.Transport.
func (t *Transport) Name() string { return t.options.Name }

// Address implements rpi.Transport.
func (t *Transport) Address() string { return t.address }

// Rejected returns how many associations have been ended because they had not
// proven to be of the job.
func (t *Transport) Rejected() uint64 { return t.rejections.Load() }

// Usage implements rpi.Metered.
func (t *Transport) Usage() rpi.Usage {
	if t.socket == nil {
		return rpi.Usage{}
	}
	u := rpi.Usage{Sockets: 1, SystemCalls: t.driver.SystemCalls()}
	if m, ok := t.socket.(socket.Meter); ok {
		u.SystemCalls += m.SystemCalls()
	}
	return u
}

// peer returns what is known of another process.
func (t *Transport) peer(rank matching.Rank) *peer {
	p := t.peers[rank]
	if p == nil {
		p = &peer{rank: rank, queue: t.layer.Queue(rank)}
		t.peers[rank] = p
	}
	return p
}
