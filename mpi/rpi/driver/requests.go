package driver

import (
	"context"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
)

// Layer is what starts and matches the operations of a transport: the message progression layer, or package trc. It
// has no lock and does no I/O. The transport does what its calls leave to be done.
type Layer interface {
	Start(r *rpi.Request, more bool)
	Cancel(r *rpi.Request)
	Iprobe(c matching.Context, source matching.Rank, tag matching.Tag) (rpi.Status, bool, error)
	Improbe(c matching.Context, source matching.Rank, tag matching.Tag) (*matching.Message, rpi.Status, bool, error)
	Discard(c matching.Context, tag matching.Tag)
	StopReceiving()
	Scope(c matching.Context, group []matching.Rank)
	AllowOvertaking(c matching.Context, allowed bool)
	Revoke(c matching.Context)
	Release(c matching.Context)
	Pending() rpi.Snapshot
}

// Requests are the methods of an rpi.Transport with which programs start and await operations. Each
// calls the Layer with the transport's lock held.
type Requests struct {
	layer  Layer
	driver *Driver
	lock   *monitor.Lock
}

// NewRequests returns the Requests of a transport with that lock. What follows a completed operation (rpi.Request.Then) runs at the end of the call, but nothing that calls a function
// of the program: the event loop calls these methods too.
func NewRequests(l Layer, d *Driver, lock *monitor.Lock) Requests {
	return Requests{layer: l, driver: d, lock: lock}
}

// Start implements rpi.Transport.
func (q *Requests) Start(r *rpi.Request) {
	then := q.driver.then
	if r.Then != nil {
		then = nil // what follows runs already
	}
	then.Enter()
	more := q.driver.Begin(r)
	q.lock.Lock()
	q.layer.Start(r, more)
	q.lock.Unlock()
	q.driver.End(r, more)
	then.Leave(false)
}

// do calls the Layer. What follows the operations that it completes runs at the end.
func (q *Requests) do(call func()) {
	q.driver.then.Enter()
	defer q.driver.then.Leave(false)
	q.lock.Lock()
	defer q.lock.Unlock()
	call()
}

// Cancel implements rpi.Transport.
func (q *Requests) Cancel(r *rpi.Request) { q.do(func() { q.layer.Cancel(r) }) }

// Iprobe implements rpi.Transport.
func (q *Requests) Iprobe(c matching.Context, source matching.Rank, tag matching.Tag) (status rpi.Status, found bool, err error) {
	q.probe(func() bool {
		status, found, err = q.layer.Iprobe(c, source, tag)
		return found
	})
	return status, found, err
}

// Improbe implements rpi.Transport.
func (q *Requests) Improbe(c matching.Context, source matching.Rank, tag matching.Tag) (m *matching.Message, status rpi.Status, found bool, err error) {
	q.probe(func() bool {
		m, status, found, err = q.layer.Improbe(c, source, tag)
		return found
	})
	return m, status, found, err
}

// probe moves messages, and then looks for one.
func (q *Requests) probe(look func() (found bool)) {
	found := false
	q.driver.Advance()
	q.do(func() { found = look() })
	if !found {
		q.driver.spins.FoundNothing()
	}
}

// AwaitRequest implements rpi.Transport.
func (q *Requests) AwaitRequest(ctx context.Context, r *rpi.Request, stop func(*rpi.Request) error) error {
	return q.driver.AwaitRequest(ctx, r, stop)
}

// Await implements rpi.Transport.
func (q *Requests) Await(ctx context.Context, w *rpi.Waiter) error { return q.driver.Await(ctx, w) }

// Advance implements rpi.Transport.
func (q *Requests) Advance() { q.driver.Advance() }

// Scope implements rpi.Transport.
func (q *Requests) Scope(c matching.Context, group []matching.Rank) {
	q.lock.Lock()
	defer q.lock.Unlock()
	q.layer.Scope(c, group)
}

// AllowOvertaking implements rpi.Transport.
func (q *Requests) AllowOvertaking(c matching.Context, allowed bool) {
	q.do(func() { q.layer.AllowOvertaking(c, allowed) })
}

// Expect implements rpi.Transport.
func (q *Requests) Expect(more int) { q.driver.expected.Add(int32(more)) }

// Revoke implements rpi.Transport.
func (q *Requests) Revoke(c matching.Context) { q.do(func() { q.layer.Revoke(c) }) }

// Release implements rpi.Transport.
func (q *Requests) Release(c matching.Context) { q.do(func() { q.layer.Release(c) }) }

// Pending implements rpi.Transport.
func (q *Requests) Pending() rpi.Snapshot {
	q.lock.Lock()
	s := q.layer.Pending()
	q.lock.Unlock()
	s.Sort()
	return s
}

// StopReceiving implements rpi.Transport.
func (q *Requests) StopReceiving() { q.do(func() { q.layer.StopReceiving() }) }

// Discard implements rpi.Transport.
func (q *Requests) Discard(c matching.Context, tag matching.Tag) {
	q.do(func() { q.layer.Discard(c, tag) })
}

// WaitTimes implements rpi.Timed.
func (q *Requests) WaitTimes() *rpi.Histogram { return q.driver.WaitTimes() }
