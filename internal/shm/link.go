package shm

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/internal/shm/internal/meeting"
	"github.com/sctpmpi/sctpmpi/internal/shm/internal/onecopy"
	"github.com/sctpmpi/sctpmpi/internal/shm/internal/ring"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/driver"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
)

// Link is one process's end of all memory that it shares with peers. Use New, then Around, then Start.
type Link struct {
	cfg    rpi.Config
	layer  *progression.Layer
	driver *driver.Driver

	// off: nothing is shared, with any peer. name and listener are where peers meet this process.
	off      bool
	name     string
	listener *meeting.Listener
	beacon   *onecopy.Beacon
	doorbell *meeting.Doorbell // of this process, nil if there is none

	noticed sync.Once
	watches watches

	// looksInTurn is how often a goroutine looks before others have the processor.
	looksInTurn int
	dials       chan struct{} // has a value for each meeting that this process has begun
	deaths      *deaths       // of processes, nil until the first meeting

	// life.Progress guards what follows, up to lock.
	life  *monitor.Life
	inbox *inbox
	ready []int // for Look
	frame ring.Frame
	reads reads

	// attached is the number of peers with which memory is shared now. broken: the ring to one of them is.
	attached atomic.Int32
	broken   atomic.Bool
	turns    atomic.Uint32 // in which nothing was found

	// lock, the transport's, guards what follows. It is held in all functions that take a *peer, but for those that meet one (meet, join, attach,
	// failUndecided, reachedElsewhere, isDeciding), in peer, part and failBroken, and in those that the engine calls while it holds it: Takes,
	// Has, Carried, Usage, TrySend and Ring.
	lock  *monitor.Lock
	peers []*peer // by rank; nil: never used
	bells []*peer // to be rung
	made  int     // bytes of memory that this process has made
}

// maxDials bounds the meetings that a process begins at the same time.
const maxDials = 4

// New makes the link of a process, whose transport has this layer and this lock. cfg must have its defaults. If nothing can be
// shared the link leaves all peers to the network.
func New(cfg rpi.Config, layer *progression.Layer, lock *monitor.Lock) *Link {
	l := &Link{
		cfg: cfg, layer: layer, lock: lock, peers: make([]*peer, cfg.Size),
		dials: make(chan struct{}, maxDials), looksInTurn: looksInTurn, life: monitor.NewLife(lock),
	}
	l.cfg.LocalSize = cmp.Or(cfg.LocalSize, cfg.Size)
	if cfg.Oversubscribed {
		l.looksInTurn = 1
	}
	if l.off = cfg.SharedMemory == nil || cfg.Size == 1; !l.off {
		err := l.publish()
		if l.off = err != nil; l.off {
			l.noticeNone(err)
		}
	}
	return l
}

// publish chooses where peers meet this process.
func (l *Link) publish() (err error) {
	if l.cfg.OneProcess {
		l.name = register(l)
		return nil
	}
	l.listener, err = meeting.Listen(l.meetingConfig())
	if err != nil {
		return err
	}
	l.name, l.beacon = l.listener.Place(), onecopy.NewBeacon()
	if l.cfg.Launcher > 0 {
		_ = onecopy.AllowReaders(l.cfg.Launcher) // if it fails, the peers find out
	}
	return nil
}

// Start begins to meet peers. The driver is that of what Around has returned.
func (l *Link) Start(d *driver.Driver) {
	l.driver = d
	if l.listener != nil {
		if fd := d.Doorbell(); fd >= 0 {
			l.doorbell, _ = meeting.DoorbellOf(fd) // without one, meetings fail
		}
		l.life.Go(l.accept)
	}
}

// Takes hands the frames that are queued for a peer to the link, if that is how the peer is reached. If it is not decided
// yet, the link decides it; frames stay in their queue until then. If it returns false the peer is reached by the network.
func (l *Link) Takes(rank matching.Rank) bool {
	if l.off {
		return false
	}
	p := l.peer(rank)
	switch p.stage {
	case undecided:
		l.decide(p)
	case shared:
		l.send(p)
	case gone:
		l.drop(p)
	}
	return p.stage != elsewhere
}

// Has reports whether a peer is not reached by the network, as far as is known.
func (l *Link) Has(rank matching.Rank) bool {
	p := l.peers[rank]
	return p != nil && (p.stage == shared || p.stage == gone)
}

// Carried shows the frames that have left their queue and are not given back to the layer.
func (l *Link) Carried(show func(*progression.Frame)) {
	for _, p := range l.peers {
		if p != nil {
			p.carried(show)
		}
	}
}

// Usage adds what the link uses.
func (l *Link) Usage(u *rpi.Usage) {
	u.Shared = l.made
	for _, p := range l.peers {
		if p != nil && p.neighbour != nil { // also of one that is gone by now
			u.SharedPeers++
		}
	}
}

// Connect decides for each peer how it is reached. It ends with ctx. Errors: rpi.ErrClosed, or a PeerError.
func (l *Link) Connect(ctx context.Context) error {
	if l.off {
		return nil
	}
	decided := func(rank matching.Rank) (bool, error) {
		p := l.peer(rank)
		if p.stage == undecided && int(rank) != l.cfg.Rank && l.life.Running() { // perhaps a meeting that the peer had begun has come to nothing
			l.decide(p)
		}
		if p.stage == gone {
			return true, l.layer.Failed(rank)
		}
		return p.stage > deciding || int(rank) == l.cfg.Rank, nil
	}
	l.lock.Lock()
	for rank := range l.peers {
		_, _ = decided(matching.Rank(rank)) // all at once
	}
	l.lock.Unlock()
	return l.life.Connect(ctx, len(l.peers), decided)
}

// Shares reports whether memory may be shared with a peer, if it is on this host.
func (l *Link) Shares(rank matching.Rank) bool {
	return !l.off && int(rank) != l.cfg.Rank && l.cfg.SharedMemory(int(rank))
}

// OneProcess reports whether all ranks are in this process.
func (l *Link) OneProcess() bool { return l.cfg.OneProcess }

// peer returns what is known of a peer.
func (l *Link) peer(rank matching.Rank) *peer {
	p := l.peers[rank]
	if p == nil {
		p = &peer{rank: rank, queue: l.layer.Queue(rank)}
		if !l.Shares(rank) {
			p.stage = elsewhere
		}
		l.peers[rank] = p
	}
	return p
}

// update makes a change for which the progress token is needed too, and does the work that follows from it.
func (l *Link) update(change func()) {
	l.life.Progress.Lock()
	defer l.life.Progress.Unlock()
	l.lock.Lock()
	defer l.lock.Unlock()
	change()
}

// errLeft: the peer has ended, or has left the job otherwise than by Close.
var errLeft = errors.New("it has left shared memory without finalizing: it has ended or was killed")
