package monitor

import (
	"context"
	"fmt"
	"sync"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Life is that of a transport: it runs, then closes in good order, and then is over. It has the transport's goroutines, and what Connect and
// Close wait for. The lock is held in calls of all its methods but Go, Connect, Close, Kill and Join. Use NewLife.
type Life struct {
	// Context ends when the transport is over.
	Context context.Context
	// Progress is held while what has come from the network is taken in. It comes before the lock.
	Progress sync.Mutex

	// Closing: Close is under way. Over: Kill has been called, by Close at the latest, and what is under way only ends. No other code sets them.
	Closing, Over bool

	cancel     context.CancelFunc
	background sync.WaitGroup
	lock       *Lock
	changed    *sync.Cond
}

// NewLife begins the life of the transport with this lock.
func NewLife(l *Lock) *Life {
	ctx, cancel := context.WithCancel(context.Background())
	return &Life{Context: ctx, cancel: cancel, lock: l, changed: sync.NewCond(l)}
}

// Running reports whether neither Close nor Kill has been called.
func (l *Life) Running() bool { return !l.Closing && !l.Over }

// Changed notes that the state has changed in a way that something may wait for.
func (l *Life) Changed() { l.changed.Broadcast() }

// Wait waits until the state has Changed. The lock is given up meanwhile, as by Unlock.
func (l *Life) Wait() { l.changed.Wait() }

// WakeAtEnd has the state count as Changed when ctx ends, unless it is stopped before.
func (l *Life) WakeAtEnd(ctx context.Context) (stop func() bool) { return WakeAtEnd(ctx, l.changed) }

// WakeAtEnd wakes the goroutines that wait on c when ctx ends, unless it is stopped before.
func WakeAtEnd(ctx context.Context, c *sync.Cond) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		c.L.Lock()
		defer c.L.Unlock()
		c.Broadcast()
	})
}

// Go runs f in a goroutine that ends with the transport: soon after Context. The caller is such a goroutine, or it holds the lock and the
// transport is not Over: Kill waits for those that there are.
func (l *Life) Go(f func()) { l.background.Go(f) }

// Connect waits until there is a connection with each peer of a job of so many ranks, or until there can be none with one. settled says, of a
// rank, whether one of both is so, and why there is none. Errors: that, rpi.ErrClosed, or an rpi.PeerError when ctx ends.
func (l *Life) Connect(ctx context.Context, size int, settled func(matching.Rank) (bool, error)) error {
	defer l.WakeAtEnd(ctx)()
	l.lock.Lock()
	defer l.lock.Unlock()
	for rank := range matching.Rank(size) {
		done, err := settled(rank)
		for ; !done; done, err = settled(rank) {
			if ctx.Err() != nil {
				return &rpi.PeerError{Peer: rank, Cause: fmt.Errorf("no connection: %w", context.Cause(ctx))}
			}
			if !l.Running() {
				return rpi.ErrClosed
			}
			l.changed.Wait()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Close ends a transport that runs, in good order. begin is called once, unless it is nil, then part whenever the state has Changed: it goes on
// with taking leave, and returns the peers that have not done so too, and whether all is done. In the end, or when ctx ends, or the transport
// is killed meanwhile, kill is called. Error: an rpi.PartingError if ctx has ended before.
func (l *Life) Close(ctx context.Context, begin func(), part func() (missed []matching.Rank, done bool), kill func()) error {
	defer l.WakeAtEnd(ctx)()
	l.lock.Lock()
	if !l.Running() {
		l.lock.Unlock()
		return nil
	}
	l.Closing = true
	l.Changed()
	if begin != nil {
		begin()
	}
	missed, done := part()
	for !done && ctx.Err() == nil && l.Closing {
		if l.changed.Wait(); l.Closing {
			missed, done = part()
		}
	}
	l.lock.Unlock()
	kill()
	if err := ctx.Err(); err != nil && len(missed) > 0 {
		return &rpi.PartingError{Peers: missed, Cause: err}
	}
	return nil
}

// Kill ends a transport at once, unless it is over. A goroutine that takes in messages may be filling a request's buffer. So requests end last:
// stop ends the waits for the network, which may need the lock, and then drop gives up all that is left, with Progress and the lock held.
func (l *Life) Kill(stop, drop func()) {
	l.lock.Lock()
	if l.Over {
		l.lock.Unlock()
		return
	}
	l.Closing, l.Over = false, true
	l.Changed()
	l.lock.Leave()
	l.cancel()
	stop()
	l.Join()
	l.Progress.Lock()
	defer l.Progress.Unlock()
	l.lock.Lock()
	defer l.lock.Leave()
	drop()
}

// Join waits for the goroutines of Go, once Context has ended.
func (l *Life) Join() { l.background.Wait() }
