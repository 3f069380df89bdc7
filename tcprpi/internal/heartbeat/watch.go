package heartbeat

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// Transport is a transport as its Watch sees it. Its lock is held in calls of all methods but TakeForDead.
type Transport interface {
	// Beat returns the counts of a peer that can be heard, nil if there is no connection with it, or it is dead.
	Beat(peer matching.Rank) *Peer
	// Unread reports whether something has come from such a peer that has not been read.
	Unread(peer matching.Rank) bool
	// Speak has such a peer hear something, unless it is Quiet.
	Speak(peer matching.Rank)
	// Failed returns why a peer is gone, nil if it is not. Dead reports whether it is dead: it did not say farewell.
	Failed(peer matching.Rank) error
	Dead(peer matching.Rank) bool
	// Fail notes that a peer is dead.
	Fail(peer matching.Rank, cause error)
	// TakeForDead fails a peer, and tells it so, if that is possible at once. If not, the peer asks. silence is how long nothing was heard from it,
	// 0 if that is not the reason.
	TakeForDead(peer matching.Rank, cause error, silence time.Duration)
}

// Watch watches over the peers of a transport.
type Watch struct {
	*Clock
	transport Transport
	cfg       rpi.Config
	self      *handshake.Self
	meter     *socket.Meter
	life      *monitor.Life
	lock      *monitor.Lock
}

// NewWatch returns the watch of a transport with this life and lock. It begins with Start.
func NewWatch(t Transport, cfg rpi.Config, self *handshake.Self, meter *socket.Meter, life *monitor.Life, lock *monitor.Lock) *Watch {
	return &Watch{Clock: NewClock(cfg.PeerTimeout), transport: t, cfg: cfg, self: self, meter: meter, life: life, lock: lock}
}

// Start has the Clock call Tick, to the end of the transport.
func (w *Watch) Start() { w.life.Go(func() { w.Run(w.life.Context, w.Tick) }) }

// Tick gives up peers that have been silent for too long, and has the others hear something.
func (w *Watch) Tick() {
	for peer := range matching.Rank(w.cfg.Size) {
		if w.check(peer) {
			w.transport.TakeForDead(peer, rpi.Silent(w.cfg.PeerTimeout), w.cfg.PeerTimeout)
		}
	}
}

// check does so for a peer that is not dead.
func (w *Watch) check(peer matching.Rank) (dead bool) {
	w.lock.Lock()
	defer w.lock.Unlock()
	p := w.transport.Beat(peer)
	if p == nil || w.life.Over {
		return false
	}
	if w.transport.Failed(peer) == nil { // else it has finalized
		switch p.Check(func() bool { return w.transport.Unread(peer) }) {
		case Doubtful:
			w.life.Go(func() { w.Ask(peer) })
		case Dead:
			return true
		}
	}
	w.transport.Speak(peer)
	return false
}

// Suspected is rpi.Watchful's.
func (w *Watch) Suspected() (suspected []matching.Rank) {
	w.lock.Lock()
	defer w.lock.Unlock()
	for peer := range matching.Rank(w.cfg.Size) {
		p := w.transport.Beat(peer)
		if p != nil && !w.life.Over && w.transport.Failed(peer) == nil && p.Suspected(func() bool { return w.transport.Unread(peer) }) {
			suspected = append(suspected, peer)
		}
	}
	return suspected
}

// Ask asks a peer whether it lives, and fails it if it has given this process up.
func (w *Watch) Ask(peer matching.Rank) {
	ctx, cancel := context.WithTimeout(w.life.Context, w.AskTime())
	defer cancel()
	err := w.self.Witness(ctx, peer, w.meter)
	w.lock.Lock()
	defer w.lock.Unlock()
	if p := w.transport.Beat(peer); p != nil {
		p.Answered(err == nil)
	}
	if errors.Is(err, rpi.ErrGivenUp) && !w.life.Over {
		w.transport.Fail(peer, err)
	}
}

// Testify answers a peer that asks whether this process lives.
func (w *Watch) Testify(nc *net.TCPConn, visit *handshake.Visit) {
	w.lock.Lock()
	dead := w.transport.Dead(visit.From)
	w.lock.Unlock()
	visit.Testify(nc, w.meter, dead)
}
