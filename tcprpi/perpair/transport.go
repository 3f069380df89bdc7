// Package perpair is the classic TCP transport of MPI (LAM-TCP): one
// connection for each pair of ranks, over which all their messages travel in
// one order, and a message progression layer above it. It is the baseline
// that the transports with a stream per TRC are compared with.
package perpair

import (
	"context"
	"net"
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progress"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/tcprpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/heartbeat"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// Name is the transport's name.
const Name = "tcp-perpair"

// Transport is one process's end of all its connections. One goroutine at a time
// reads from them and resumes writes that the kernel could not take at once;
// the first attempt to write is made by the goroutine that starts a request.
type Transport struct {
	front
	cfg      rpi.Config
	listener *net.TCPListener
	poller   *socket.Poller
	meter    socket.Meter

	// driver decides who reads, progress is held meanwhile. It comes before mu.
	driver   *progress.Driver
	progress sync.Mutex
	staging  []byte      // where is read to
	again    []*conn     // connections that may have more to read
	served   []*conn     // those of before, for reuse
	more     atomic.Bool // there are some in again
	// favourite is the connection from which all has come lately, if there is one: see favour.
	// latest had the last inARow events, and glances counts looks at it.
	favourite       atomic.Pointer[conn]
	latest          *conn
	inARow, glances int

	// ctx ends when the transport does; background counts its goroutines.
	ctx        context.Context
	cancel     context.CancelFunc
	background sync.WaitGroup
	clock      *heartbeat.Clock

	mu    sync.Mutex
	layer *progression.Layer
	conns []*conn // by rank; nil: never used
	state state
	// changed is signalled when a connection changes in a way that Connect or
	// Close may wait for.
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

// Open makes the transport of a process: it listens, and connects to a peer
// when the first message for it is sent.
func Open(cfg rpi.Config) (rpi.Transport, error) {
	if cfg = cfg.WithDefaults(); cfg.Size == 1 {
		cfg.Progress = rpi.Event // there is nobody to talk to
	}
	t := &Transport{cfg: cfg, conns: make([]*conn, cfg.Size), staging: make([]byte, stagingSize)}
	t.changed = sync.NewCond(&t.mu)
	t.layer = progression.New(cfg, t)
	t.driver = progress.New(inside{t}, cfg)
	t.front = progression.NewFront(t.layer, t.driver, t.mu.Lock, t.unlock)
	t.ctx, t.cancel = context.WithCancel(context.Background())
	if cfg.Size == 1 {
		return t, nil
	}
	var err error
	if t.poller, err = socket.NewPoller(&t.meter); err != nil {
		return nil, err
	}
	if t.listener, err = socket.Listen(cfg); err != nil {
		t.poller.Close()
		return nil, err
	}
	t.clock = heartbeat.NewClock(cfg.PeerTimeout)
	t.background.Go(func() { t.clock.Run(t.ctx, t.heartbeat) })
	t.background.Go(t.accept)
	if cfg.Progress != rpi.Inline {
		t.background.Go(func() { t.driver.Loop(t.ctx) })
	}
	return t, nil
}

// Name implements rpi.Transport.
func (t *Transport) Name() string { return Name }

// Counters returns what the transport has asked of the kernel so far.
func (t *Transport) Counters() tcprpi.Counters { return t.meter.Counters() }

// Usage implements rpi.Metered.
func (t *Transport) Usage() rpi.Usage {
	c := t.Counters()
	return rpi.Usage{Sockets: int(c.Open), SystemCalls: c.SystemCalls()}
}

// Address implements rpi.Transport.
func (t *Transport) Address() string {
	if t.listener == nil {
		return "none"
	}
	return t.listener.Addr().String()
}

// Queue implements progression.Link; the lock is held.
func (t *Transport) Queue(f *progression.Frame) {
	t.conn(f.Peer).send.Push(f)
}

// Together implements progression.Link: all share a connection.
func (t *Transport) Together(*progression.Frame, matching.Tag, matching.Context) bool { return true }

// conn returns the connection with a peer, whatever its state.
func (t *Transport) conn(peer matching.Rank) *conn {
	c := t.conns[peer]
	if c == nil {
		c = &conn{peer: peer, fd: -1}
		t.conns[peer] = c
	}
	return c
}

// unlock does what is on the agenda, and releases the lock.
func (t *Transport) unlock() {
	for peer, ok := t.layer.Agenda.Next(); ok; peer, ok = t.layer.Agenda.Next() {
		switch c := t.conn(peer); {
		case c.phase == idle && t.state == running:
			t.dial(c)
		case c.phase == gone || c.phase == idle:
			t.drop(c)
		default:
			t.flush(c)
		}
	}
	t.mu.Unlock()
}
