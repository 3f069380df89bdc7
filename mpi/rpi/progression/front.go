package progression

import (
	"context"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Front is those methods of an rpi.Transport with which programs start and await operations:
// it has the Layer do them, under the transport's lock. Use NewFront.
type Front struct {
	layer        *Layer
	driver       Driver
	lock, unlock func()
}

// NewFront returns the Front of a transport. lock takes the transport's lock, unlock does what is
// on the layer's Agenda and releases it.
func NewFront(l *Layer, d Driver, lock, unlock func()) Front {
	return Front{layer: l, driver: d, lock: lock, unlock: unlock}
}

// Driver moves messages: a progress.Driver.
type Driver interface {
	Begin(r *rpi.Request) (more bool)
	End(r *rpi.Request, more bool)
	Advance()
	Await(ctx context.Context, w *rpi.Waiter) error
}

// Start implements rpi.Transport.
func (f *Front) Start(r *rpi.Request) {
	more := f.driver.Begin(r)
	f.lock()
	f.layer.Start(r, more)
	f.unlock()
	f.driver.End(r, more)
}

// Cancel implements rpi.Transport.
func (f *Front) Cancel(r *rpi.Request) {
	f.lock()
	f.layer.Cancel(r)
	f.unlock()
}

// Iprobe implements rpi.Transport.
func (f *Front) Iprobe(c matching.Context, source matching.Rank, tag matching.Tag) (rpi.Status, bool, error) {
	f.driver.Advance()
	f.lock()
	defer f.unlock()
	return f.layer.Iprobe(c, source, tag)
}

// Improbe implements rpi.Transport.
func (f *Front) Improbe(c matching.Context, source matching.Rank, tag matching.Tag) (*matching.Message, rpi.Status, bool, error) {
	f.driver.Advance()
	f.lock()
	defer f.unlock()
	return f.layer.Improbe(c, source, tag)
}

// Await implements rpi.Transport.
func (f *Front) Await(ctx context.Context, w *rpi.Waiter) error { return f.driver.Await(ctx, w) }

// Advance implements rpi.Transport.
func (f *Front) Advance() { f.driver.Advance() }

// Scope implements rpi.Transport.
func (f *Front) Scope(c matching.Context, group []matching.Rank) {
	f.lock()
	defer f.unlock()
	f.layer.groups.Add(c, group)
}

// Release implements rpi.Transport.
func (f *Front) Release(c matching.Context) {
	f.lock()
	defer f.unlock()
	f.layer.Release(c)
}

// Pending implements rpi.Transport.
func (f *Front) Pending() rpi.Snapshot {
	f.lock()
	s := f.layer.Pending()
	f.unlock()
	s.Sort()
	return s
}

// Refuse implements rpi.Transport.
func (f *Front) Refuse() {
	f.lock()
	defer f.unlock()
	f.layer.Refuse()
}

// Discard implements rpi.Transport.
func (f *Front) Discard(c matching.Context, tag matching.Tag) {
	f.lock()
	defer f.unlock()
	f.layer.Discard(c, tag)
}
