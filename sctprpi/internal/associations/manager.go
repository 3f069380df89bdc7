package associations

import (
	"errors"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/driver"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Control is the stream of the handshake. Afterwards the transport may use it too.
const Control socket.StreamID = 0

// User is the transport above a Manager. Unless said otherwise the lock is held when its methods
// are called, and so is the progress token: nothing else is decided about associations meanwhile.
type User interface {
	// Accepted: p has an association, and Data may follow from it. It may be another one than
	// before: then what has arrived by that will not go on. It may release the lock for a while.
	Accepted(p *Peer)
	// Opened: the association of p takes messages from now on.
	Opened(p *Peer)
	// Data takes in a piece of a message of p, which is authenticated. An error ends the
	// association, and fails p. It may release the lock for a while.
	Data(p *Peer, e *socket.Event) error
	// Handled: the events that the socket had have been handled. It may release the lock for a while.
	Handled()
	// Writable: the socket takes messages to p again.
	Writable(p *Peer)
	// Released: a zero-copy send has completed.
	Released(owner any, outcome socket.Outcome)
	// Failed: p is gone, for ever. It has failed or finalized, or there was no way to connect to it.
	Failed(p *Peer, cause error)

	// Closing: Close has been called. What no receive has taken never will be.
	Closing()
	// Busy is asked by Close, which may not have the progress token. queued: there is something for
	// p that the socket does not have yet, so that the association cannot be shut down. lent: the
	// socket still has memory for p. When queued ends the transport calls Flushed.
	Busy(p *Peer) (queued, lent bool)
	// Release sends what waits for other messages: see driver.Network. No lock is held.
	Release()
	// Stop is called when the socket has been closed. No goroutine waits in the driver any more. No lock is held.
	Stop()
	// Killed is the last call. The socket is closed, and refers to no memory. All peers are gone.
	Killed()
}

// Design is what a transport says of itself.
type Design struct {
	// Protocol is the name and version of what it sends: see handshake.Terms.
	Protocol string
	// Setting is a value that must be the same in all processes. SettingName is what the user
	// calls it.
	Setting     int64
	SettingName string
	// Socket is what SocketConfig returns, with the changes of the transport.
	Socket socket.Config
	// Around, unless nil, returns the network as the driver is to see it. Elsewhere, unless nil, reports whether a peer is
	// reached otherwise than by an association.
	Around    func(driver.Network) driver.Network
	Elsewhere func(peer matching.Rank) bool
}

// Manager makes and ends the associations of one process. Use New, then Run.
type Manager struct {
	cfg        rpi.Config
	name       string
	terms      handshake.Terms
	user       User
	elsewhere  func(matching.Rank) bool
	socket     socket.Core // nil in a job of one
	address    string      // without the seal
	sealing    sealing
	rejections atomic.Uint64
	lookups    lookups

	life *monitor.Life

	driver *driver.Driver           // decides which goroutine takes events from the socket
	events [eventBatch]socket.Event // while it holds life.Progress

	// lock, the transport's, guards what follows.
	lock   *monitor.Lock
	peers  []*Peer // by rank; nil: never used
	assocs map[socket.AssocID]*association
	calls  calls
	todo   []action // to be carried out by the goroutine that holds progress
	// farewell is Close's wait for nothing but the last packets of associations, nil before. impatient: it is over.
	farewell  *time.Timer
	impatient bool
}

// Defaults returns cfg with its defaults. In a job of one there is no peer, and nothing to drive.
func Defaults(cfg rpi.Config) rpi.Config {
	if cfg = cfg.WithDefaults(); cfg.Size == 1 {
		cfg.Progress = rpi.Event
	}
	return cfg
}

// New opens a socket and returns its manager, which uses the transport's lock. cfg is what Defaults returns.
func New(cfg rpi.Config, o Options, d Design, lock *monitor.Lock, u User) (*Manager, error) {
	m := &Manager{
		cfg: cfg, name: o.Name, user: u, elsewhere: d.Elsewhere, address: "none", lock: lock, life: monitor.NewLife(lock),
		terms: handshake.Terms{
			Protocol: d.Protocol, Rank: cfg.Rank, Size: cfg.Size,
			Setting: d.Setting, SettingName: d.SettingName, Token: cfg.Token,
		},
		peers: make([]*Peer, cfg.Size), assocs: make(map[socket.AssocID]*association),
	}
	var err error
	if m.sealing, err = newSealing(cfg, o); err != nil {
		return nil, err
	}
	m.terms.ID, m.terms.Sealing = m.sealing.own.ID, m.sealing.records
	if cfg.Size > 1 {
		m.sealing.protect(&d.Socket)
		if m.socket, err = listen(cfg, o, d.Socket); err != nil {
			return nil, err
		}
		m.address = formatAddrs(published(cfg, m.socket.LocalAddrs()))
	}
	var from driver.Network = network{m}
	if m.socket != nil && m.socket.Embedded() {
		from = embedded{network{m}}
	}
	if d.Around != nil {
		from = d.Around(from)
	}
	if m.driver, err = driver.New(from, cfg); err != nil {
		return nil, errors.Join(err, m.closeSocket())
	}
	if m.socket != nil {
		m.socket.SetWake(m.driver.Wake)
		m.lookUpInFloods()
	}
	return m, nil
}

// Run starts the event loop, when the transport is ready for calls.
func (m *Manager) Run() {
	if m.socket != nil {
		m.life.Go(func() { m.driver.Loop(m.life.Context) })
	}
}

// closeSocket closes the socket, if there is one. No goroutine of the driver uses it any more.
func (m *Manager) closeSocket() error {
	if m.socket == nil {
		return nil
	}
	return m.socket.Close()
}

// Driver decides which goroutine takes events from the socket.
func (m *Manager) Driver() *driver.Driver { return m.driver }

// Socket is for options of associations, and what else this package does not know. It is nil in a
// job of one. The lock must not be held during its calls.
func (m *Manager) Socket() socket.Core { return m.socket }

// Name implements rpi.Transport.
func (m *Manager) Name() string { return m.name }

// Address implements rpi.Transport.
func (m *Manager) Address() string { return m.sealing.publish(m.address) }

// Rejected returns how many associations have been ended because they had not
// proven to be of the job.
func (m *Manager) Rejected() uint64 { return m.rejections.Load() }

// Usage is the transport's, without what it holds itself.
func (m *Manager) Usage() rpi.Usage {
	if m.socket == nil {
		return rpi.Usage{}
	}
	u := rpi.Usage{Sockets: 1, SystemCalls: m.driver.SystemCalls(), Waited: m.driver.Waited(), Blocked: m.driver.Blocked()}
	m.addAssociations(&u)
	if meter, ok := m.socket.(socket.Meter); ok {
		u.SystemCalls += meter.SystemCalls()
	}
	return u
}

// addAssociations adds what the socket says of each association.
func (m *Manager) addAssociations(u *rpi.Usage) {
	m.lock.Lock()
	ids := slices.Collect(maps.Keys(m.assocs))
	m.lock.Unlock()
	for _, id := range ids {
		if s, err := m.socket.Status(id); err == nil {
			u.Held += s.Held
			u.Chunks += s.ChunksSent
			u.Resent += s.Retransmissions
		}
	}
}

// Peer returns what is known of another process.
func (m *Manager) Peer(rank matching.Rank) *Peer {
	p := m.peers[rank]
	if p == nil {
		p = &Peer{Rank: rank}
		m.peers[rank] = p
	}
	return p
}
