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

	mu    sync.Mutex
	layer *progression.Layer
	conns []*conn // by rank; nil: never used
	dirty []*conn // conns that unlock must look at
	state state
	// held are connections with messages that wait for more, holding says that there are
	// some.
	held    []*conn
	holding atomic.Bool
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
	t.front = progression.NewFront(t.layer, t.driver, t.mu.Lock, t.unlock, t.burst)
	t.ctx, t.cancel = context.WithCancel(context.Background())
	if cfg.Size == 1 {
		return t, nil
	}
	var err error
	if t.poller, err = socket.NewPoller(&t.meter); err != nil {
		return nil, err
	}
	if t.listener, err = socket.Listen(cfg, Name); err != nil {
		t.poller.Close()
		return nil, err
	}
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
	c := t.conn(f.Peer)
	c.send.Push(f)
	t.attend(c)
}

// Reach implements progression.Link; the lock is held.
func (t *Transport) Reach(peer matching.Rank) {
	if c := t.conn(peer); c.phase == idle {
		t.attend(c)
	}
}

// burst notes that what is queued for a peer may wait for more; the lock is held.
func (t *Transport) burst(peer matching.Rank) {
	if c := t.conns[peer]; c != nil && c.dirty {
		c.burst = true
	}
}

// attend has unlock look at a connection.
func (t *Transport) attend(c *conn) {
	if !c.dirty {
		c.dirty = true
		t.dirty = append(t.dirty, c)
	}
}

// conn returns the connection with a peer, whatever its state.
func (t *Transport) conn(peer matching.Rank) *conn {
	c := t.conns[peer]
	if c == nil {
		c = &conn{peer: peer, fd: -1}
		t.conns[peer] = c
	}
	return c
}

// unlock sends what was queued while the lock was held, and releases it.
func (t *Transport) unlock() {
	for len(t.dirty) > 0 {
		last := len(t.dirty) - 1
		c := t.dirty[last]
		t.dirty = t.dirty[:last]
		burst := c.burst
		c.dirty, c.burst = false, false
		switch {
		case c.phase == idle && t.state == running:
			t.dial(c)
		case c.phase == gone || c.phase == idle:
			t.drop(c)
		case !burst || !t.hold(c):
			t.flush(c)
		}
	}
	t.mu.Unlock()
}

// holdLimit is how many messages may wait for others to share a system call with.
const holdLimit = 32

// hold leaves what is queued for a peer to whoever comes next, and reports whether that is
// right.
func (t *Transport) hold(c *conn) bool {
	q := &c.send
	if q.held++; q.held >= holdLimit {
		return false
	}
	if !q.listed {
		q.listed = true
		t.held = append(t.held, c)
	}
	if !t.holding.Swap(true) {
		t.driver.Held()
	}
	return true
}

// release sends what waits for more.
func (t *Transport) release() {
	t.mu.Lock()
	t.holding.Store(false)
	for i, c := range t.held {
		c.send.listed = false
		t.attend(c)
		t.held[i] = nil
	}
	t.held = t.held[:0]
	t.unlock()
}
