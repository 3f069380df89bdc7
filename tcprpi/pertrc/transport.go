package pertrc

import (
	"math"
	"net"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/driver"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/heartbeat"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// Name is the transport's name.
const Name = "tcp-pertrc"

// collectiveSlots is how many connections the collective operations of a communicator have to a process. Each costs a
// descriptor at both ends and some round trips once, so there are few: operations that are under way at the same time,
// and hold each other's slot, have connections of their own for as long as they need them (package trc).
const collectiveSlots = 4

// Transport is one process's end of all its connections.
type Transport struct {
	requests
	cfg      rpi.Config
	rank     matching.Rank
	self     *handshake.Self
	listener *net.TCPListener
	watcher  *socket.Watcher
	meter    socket.Meter

	driver *driver.Driver // decides which goroutine takes events from the watcher
	life   *monitor.Life
	watch  *heartbeat.Watch

	// lock guards all below, and is never held across a system call that can block: leave and enter are around those. What becomes
	// necessary meanwhile is listed, and done by work before the lock is given up. Functions are called with it, but for those of
	// rpi.Transport and driver.Network, and those that goroutines begin with.
	lock  *monitor.Lock
	calls int // system calls under way with memory of requests
	layer *trc.Layer
	peers []peer // by rank

	tasks    taskList
	sockets  socketTable
	toClose  []int // descriptors for work to close
	dials    []*outgoing
	dialers  int
	attempts uint32 // to connect, for messages
	allotted descriptors
	vectors  []*socket.Vector // for reuse

	// turns are connections of which more is to be read that the watcher does not know of, when others have had a turn.
	turns    []*incoming
	hasTurns atomic.Bool
}

// requests is what programs call of a Transport.
type requests = driver.Requests

// Open makes the transport of a process: it listens, and connects to a peer
// when the first message for it is sent.
func Open(cfg rpi.Config) (rpi.Transport, error) {
	if cfg = cfg.WithDefaults(); cfg.Size == 1 {
		cfg.Progress = rpi.Event // there is no peer
	}
	t := &Transport{cfg: cfg, rank: matching.Rank(cfg.Rank), peers: make([]peer, cfg.Size)}
	t.layer = trc.New(cfg, carrier{t}, collectiveSlots)
	for rank := range t.peers {
		t.peers[rank].Peer = t.layer.Peer(matching.Rank(rank))
	}
	t.allotted = descriptors{limit: socket.Limit(), ceiling: math.MaxInt}
	t.lock = monitor.New(t.work)
	t.life = monitor.NewLife(t.lock)
	if err := t.setUp(); err != nil {
		return nil, err
	}
	if cfg.Size == 1 {
		return t, nil
	}
	sharers.Add(1)
	t.watch.Start()
	t.life.Go(t.server().Serve)
	if cfg.Progress != rpi.Inline {
		t.life.Go(func() { t.driver.Loop(t.life.Context) })
	}
	return t, nil
}

// setUp opens what the transport needs of the system.
func (t *Transport) setUp() (err error) {
	if t.self, err = handshake.NewSelf(t.cfg, handshake.PerTRC); err != nil {
		return err
	}
	t.watch = heartbeat.NewWatch(watched{t}, t.cfg, t.self, &t.meter, t.life, t.lock)
	if t.listener, t.watcher, err = socket.Open(t.cfg, &t.meter); err != nil {
		return err
	}
	if t.driver, err = driver.New(inside{t}, t.cfg); err != nil {
		socket.Release(t.listener, t.watcher)
	}
	t.requests = driver.NewRequests(t.layer, t.driver, t.lock)
	return err
}

// Name implements rpi.Transport.
func (t *Transport) Name() string { return Name }

// Counters returns what the transport has asked of the kernel so far.
func (t *Transport) Counters() socket.Counters { return t.meter.Counters() }

// Usage implements rpi.Metered.
func (t *Transport) Usage() rpi.Usage {
	t.lock.Lock()
	held := t.layer.Held
	t.lock.Unlock()
	c := t.Counters()
	return rpi.Usage{Sockets: int(c.Open), SystemCalls: c.SystemCalls() + t.driver.SystemCalls(), Waited: t.driver.Waited(), Blocked: t.driver.Blocked(), Held: held}
}

// Address implements rpi.Transport.
func (t *Transport) Address() string {
	if t.listener == nil {
		return "none"
	}
	return t.self.Publish(t.networkAddress())
}

// networkAddress is where peers reach the transport.
func (t *Transport) networkAddress() string {
	return t.cfg.Published(t.listener.Addr().(*net.TCPAddr).AddrPort()).String()
}

// Start implements rpi.Transport.
func (t *Transport) Start(r *rpi.Request) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.layer.Start(r, false)
}
