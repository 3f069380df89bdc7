package core

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// deaths are the processes of the job that this one knows to be dead, in the order in which it has learned of them. A communicator
// has acknowledged those up to some place in the list, so that all it needs to know is one number.
type deaths struct {
	count atomic.Int64 // the length of dead
	mu    sync.Mutex
	dead  []matching.Rank
	gone  map[matching.Rank]bool // dead or finalized
}

// add notes that a process is gone.
func (d *deaths) add(peer matching.Rank, dead bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.gone == nil {
		d.gone = make(map[matching.Rank]bool)
	}
	d.gone[peer] = true
	if dead {
		d.enter(peer)
	}
}

// report notes that another process has found one dead, of which the transport here does not know yet. It may still have messages of it.
func (d *deaths) report(peer matching.Rank) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.enter(peer)
}

// enter enters a process in the list, once. mu is held.
func (d *deaths) enter(peer matching.Rank) {
	if !slices.Contains(d.dead, peer) {
		d.dead = append(d.dead, peer)
		d.count.Store(int64(len(d.dead)))
	}
}

// list is the dead. It is not changed, but others may follow.
func (d *deaths) list() []matching.Rank {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dead[:len(d.dead):len(d.dead)]
}

// isGone reports whether a process is known to be dead, or to have finalized.
func (d *deaths) isGone(peer matching.Rank) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.gone[peer]
}

// isDead reports whether a process is known to be dead.
func (d *deaths) isDead(peer matching.Rank) bool { return slices.Contains(d.list(), peer) }

// unacknowledged returns a dead process that could send on the communicator if it lived, and whose death the program has not acknowledged
// on it, AnySource if there is none.
func (c *Comm) unacknowledged() matching.Rank {
	acked := c.acked.Load()
	if acked >= c.process.deaths.count.Load() {
		return matching.AnySource
	}
	dead := c.process.deaths.list()
	for _, peer := range dead[acked:] {
		if c.peers.Has(peer) {
			return peer
		}
	}
	c.acked.CompareAndSwap(acked, int64(len(dead))) // they do not matter here
	return matching.AnySource
}

// errUnacknowledged is the cause of the error of a receive from any source.
var errUnacknowledged = errors.New("it may have been the one to send; after AckFailed such receives go on")

// interrupted is why a wait for r, which has been started, must not go on: it is from any source, and one is dead. Nil if it can.
func (c *Comm) interrupted(r *rpi.Request) error {
	if r.Peer != matching.AnySource || r.Op == rpi.OpSend || r.Context != c.context || c.process.expelled.Load() != nil {
		return nil
	}
	if peer := c.unacknowledged(); peer != matching.AnySource {
		return &rpi.PeerError{Peer: peer, Cause: errUnacknowledged}
	}
	return nil
}

// undecided is the error of r, a receive from any source that is still open, when interrupted has returned cause.
func (c *Comm) undecided(op string, r *rpi.Request, cause error) error {
	gone, _ := errors.AsType[*rpi.PeerError](cause)
	return mpierr.Because(nil, op, rpi.ErrProcFailedPending, "%s is pending: %s is gone: %v", c.describe(r), c.name(gone.Peer), gone.Cause).
		About(c.rankOf(gone.Peer))
}

// failedUpTo are the dead processes of the communicator among the first n of the list.
func (c *Comm) failedUpTo(n int64) []matching.Rank {
	var failed []matching.Rank
	for _, peer := range c.process.deaths.list()[:n] {
		if c.group.Has(peer) || c.peers.Has(peer) {
			failed = append(failed, peer)
		}
	}
	return failed
}

// GetFailed is the group of those processes of the communicator that this process knows to be dead, in the order in which it has
// learned of them.
func (c *View) GetFailed(op string) (*Group, error) {
	if err := c.usable(op); err != nil {
		return nil, err
	}
	return &Group{c.process, group.Of(c.failedUpTo(c.process.deaths.count.Load()))}, nil
}

// GetAcked is the group of those of GetFailed whose death has been acknowledged.
func (c *View) GetAcked(op string) (*Group, error) {
	if err := c.usable(op); err != nil {
		return nil, err
	}
	return &Group{c.process, group.Of(c.failedUpTo(c.acked.Load()))}, nil
}

// AckFailed acknowledges the first n of GetFailed, all of them if n is larger, and returns how many are acknowledged now.
func (c *View) AckFailed(op string, n int) (acked int, err error) {
	if err := c.usable(op); err != nil {
		return 0, err
	}
	if n < 0 {
		return 0, mpierr.Invalid(op, rpi.ErrArg, "%d failures are to be acknowledged", n)
	}
	dead := c.process.deaths.list()
	failed := c.failedUpTo(int64(len(dead)))
	place := len(dead)
	if n < len(failed) {
		place = slices.Index(dead, failed[n])
	}
	for {
		before := c.acked.Load()
		if int64(place) <= before {
			return len(c.failedUpTo(before)), nil
		}
		if c.acked.CompareAndSwap(before, int64(place)) {
			return len(c.failedUpTo(int64(place))), nil
		}
	}
}

// peerGone is rpi.Config.Gone.
func (p *process) peerGone(peer matching.Rank, cause error) {
	if errors.Is(cause, rpi.ErrGivenUp) {
		p.castOut()
	}
	p.deaths.add(peer, !errors.Is(cause, rpi.ErrFinalized))
	p.collectives.Continuations.Add((*mourning)(p))
}

// mourning does what follows from deaths.
type mourning process

// Run implements rpi.Runner.
func (m *mourning) Run(bool) { (*process)(m).service.mourn() }

// reported is the cause of GiveUp for a peer of which another rank has said that it is dead.
func reported(by matching.Rank) error {
	return fmt.Errorf("rank %d of the job has found it dead", by)
}

// errEnded is the cause of GiveUp for a peer of which the launcher has said that it is dead.
var errEnded = errors.New("the launcher says that it has ended without Finalize")

// lastWordsTime is how long what a process has sent before its end may take to be read. Connections that tell of the end themselves do
// so within that time, as a rule, behind what was sent.
const lastWordsTime = 50 * time.Millisecond

// launcherSaysDead gives up a process that the launcher has seen end.
func (p *process) launcherSaysDead(rank int) {
	if rank == p.rank || rank >= p.size {
		return
	}
	go func() { // the launcher may have more to say meanwhile
		time.Sleep(lastWordsTime)
		p.transport.Advance()
		p.transport.GiveUp(matching.Rank(rank), errEnded)
	}()
}
