// Package perpair is the classic TCP transport of MPI (LAM-TCP). Programs choose it by its name,
// with package mpi, and do not import it. It has one connection for each pair of ranks, over which
// all their messages travel in one order, and a message progression layer above it. It is the
// baseline that the transports with a stream per TRC are compared with.
package perpair

import (
	"net"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/driver"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/links"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/heartbeat"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// Name is the transport's name.
const Name = "tcp-perpair"

// Transport is one process's end of all its connections. One goroutine at a time
// reads from them and resumes writes that the kernel could not take at once;
// the first attempt to write is made by the goroutine that starts a request.
type Transport struct {
	*base
	cfg      rpi.Config
	self     *handshake.Self
	listener *net.TCPListener
	watcher  *socket.Watcher
	meter    socket.Meter

	life  *monitor.Life
	watch *heartbeat.Watch

	// driver decides which goroutine reads. What follows it has while it holds life.Progress.
	driver  *driver.Driver
	staging []byte      // where is read to
	again   []*conn     // connections that may have more to read
	served  []*conn     // those of before, for reuse
	more    atomic.Bool // there are some in again
	// lastResponder is the connection from which all has come lately, if there is one: see answered.
	// latest had the last inARow events, and fastPolls counts calls of PollFast.
	lastResponder     atomic.Pointer[conn]
	latest            *conn
	inARow, fastPolls int

	// The engine's lock guards it. It is held in what changes a conn (dial, abandon, adopt, lost, fail, drop, retire) and in what writes to
	// one, but for Send.
	conns []*conn // by rank; nil: never used
}

// base has all that is the same over each network.
type base = links.Engine

// Open makes the transport of a process: it listens, and connects to a peer
// when the first message for it is sent.
func Open(cfg rpi.Config) (rpi.Transport, error) {
	if cfg = cfg.WithDefaults(); cfg.Size == 1 {
		cfg.Progress = rpi.Event // there is no peer
	}
	t := &Transport{base: links.New(cfg, progression.InOneOrder), conns: make([]*conn, cfg.Size), staging: make([]byte, stagingSize)}
	t.life = monitor.NewLife(t.Lock)
	t.cfg = t.Config()
	if err := t.setUp(); err != nil {
		t.Stop()
		return nil, err
	}
	if cfg.Size == 1 {
		return t, nil
	}
	t.watch.Start()
	t.life.Go(t.server().Serve)
	if cfg.Progress != rpi.Inline {
		t.life.Go(func() { t.driver.Loop(t.life.Context) })
	}
	return t, nil
}

// setUp opens what the transport needs of the system.
func (t *Transport) setUp() (err error) {
	if t.self, err = handshake.NewSelf(t.cfg, handshake.PerPair); err != nil {
		return err
	}
	t.watch = heartbeat.NewWatch(watched{t}, t.cfg, t.self, &t.meter, t.life, t.Lock)
	if t.listener, t.watcher, err = socket.Open(t.cfg, &t.meter); err != nil {
		return err
	}
	if t.driver, err = driver.New(t.Around(inside{t}), t.cfg); err != nil {
		socket.Release(t.listener, t.watcher)
		return err
	}
	t.Use(network{t}, t.driver)
	return nil
}

// update makes a change under the lock.
func (t *Transport) update(change func()) {
	t.Lock.Lock()
	defer t.Lock.Unlock()
	change()
}

// Name implements rpi.Transport.
func (t *Transport) Name() string { return Name }

// Counters returns what the transport has asked of the kernel so far.
func (t *Transport) Counters() socket.Counters { return t.meter.Counters() }

// networkAddress is where peers reach the transport.
func (t *Transport) networkAddress() string {
	return t.cfg.Published(t.listener.Addr().(*net.TCPAddr).AddrPort()).String()
}

// conn returns the connection with a peer, whatever its state.
func (t *Transport) conn(peer matching.Rank) *conn {
	c := t.conns[peer]
	if c == nil {
		c = &conn{transport: t, peer: peer, fd: -1, recv: receiver{Reader: progression.Reader{Last: true}}}
		c.send.Queue = t.Layer.Queue(peer)
		t.conns[peer] = c
	}
	return c
}
