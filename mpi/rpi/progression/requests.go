package progression

import (
	"context"
	"sync"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Carrier is a transport that carries the frames of a Layer. W is the work that it takes off the
// layer.
type Carrier[W any] interface {
	// Work takes the next work, such as the frames of a ready peer, so that no other goroutine does
	// it too. The caller holds the transport's lock.
	Work() W
	// Do does that work and all that follows. The caller does not hold the lock.
	Do(W)
	// Carried shows the frames that the transport has taken and not given back with Sent or
	// Dropped. It may leave out those that a system call has right now. The caller holds the lock.
	Carried(show func(*Frame))
}

// Requests are the methods of an rpi.Transport with which programs start and await operations. Each
// locks the transport, calls the Layer, takes the work that follows, unlocks, and does the work.
// Use NewRequests.
type Requests[W any] struct {
	layer   *Layer
	driver  Driver
	mu      *sync.Mutex
	carrier Carrier[W]
}

// NewRequests returns the Requests of a transport, whose lock is mu.
func NewRequests[W any](l *Layer, d Driver, mu *sync.Mutex, c Carrier[W]) Requests[W] {
	return Requests[W]{layer: l, driver: d, mu: mu, carrier: c}
}

// Driver moves messages: a driver.Driver.
type Driver interface {
	Begin(r *rpi.Request) (more bool)
	End(r *rpi.Request, more bool)
	Advance()
	Await(ctx context.Context, w *rpi.Waiter) error
}

// Finish unlocks the transport, and does the work that the calls under the lock have left.
func (q *Requests[W]) Finish() {
	w := q.carrier.Work()
	q.mu.Unlock()
	q.carrier.Do(w)
}

// Start implements rpi.Transport.
func (q *Requests[W]) Start(r *rpi.Request) {
	more := q.driver.Begin(r)
	q.mu.Lock()
	q.layer.Start(r, more)
	q.Finish()
	q.driver.End(r, more)
}

// Cancel implements rpi.Transport.
func (q *Requests[W]) Cancel(r *rpi.Request) {
	q.mu.Lock()
	q.layer.Cancel(r)
	q.Finish()
}

// Iprobe implements rpi.Transport.
func (q *Requests[W]) Iprobe(c matching.Context, source matching.Rank, tag matching.Tag) (rpi.Status, bool, error) {
	q.driver.Advance()
	q.mu.Lock()
	defer q.Finish()
	return q.layer.Iprobe(c, source, tag)
}

// Improbe implements rpi.Transport.
func (q *Requests[W]) Improbe(c matching.Context, source matching.Rank, tag matching.Tag) (*matching.Message, rpi.Status, bool, error) {
	q.driver.Advance()
	q.mu.Lock()
	defer q.Finish()
	return q.layer.Improbe(c, source, tag)
}

// Await implements rpi.Transport.
func (q *Requests[W]) Await(ctx context.Context, w *rpi.Waiter) error { return q.driver.Await(ctx, w) }

// Advance implements rpi.Transport.
func (q *Requests[W]) Advance() { q.driver.Advance() }

// Scope implements rpi.Transport.
func (q *Requests[W]) Scope(c matching.Context, group []matching.Rank) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.layer.groups.Add(c, group)
}

// Release implements rpi.Transport.
func (q *Requests[W]) Release(c matching.Context) {
	q.mu.Lock()
	q.layer.Release(c)
	q.Finish()
}

// Pending implements rpi.Transport.
func (q *Requests[W]) Pending() rpi.Snapshot {
	q.mu.Lock()
	s := q.layer.Pending(q.carrier.Carried)
	q.mu.Unlock()
	s.Sort()
	return s
}

// StopReceiving implements rpi.Transport.
func (q *Requests[W]) StopReceiving() {
	q.mu.Lock()
	q.layer.StopReceiving()
	q.Finish()
}

// Discard implements rpi.Transport.
func (q *Requests[W]) Discard(c matching.Context, tag matching.Tag) {
	q.mu.Lock()
	q.layer.Discard(c, tag)
	q.Finish()
}
