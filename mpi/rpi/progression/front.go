package progression

import (
	"context"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Front is those methods of an rpi.Transport with which programs start and await operations:
// it has the Layer do them, under the transport's lock. All fields must be set.
type Front struct {
	Layer  *Layer
	Driver Driver
	// Lock takes the transport's lock, Unlock sends what has been queued meanwhile and
	// releases it.
	Lock, Unlock func()
	// Burst says, under the lock, that the message just started is one of several to a
	// peer, for which what is queued may wait.
	Burst func(peer matching.Rank)
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
	more := f.Driver.Begin(r)
	f.Lock()
	f.Layer.Start(r)
	if more {
		f.Burst(r.Peer)
	}
	f.Unlock()
	f.Driver.End(r, more)
}

// Cancel implements rpi.Transport.
func (f *Front) Cancel(r *rpi.Request) {
	f.Lock()
	f.Layer.Cancel(r)
	f.Unlock()
}

// Iprobe implements rpi.Transport.
func (f *Front) Iprobe(c matching.Context, source matching.Rank, tag matching.Tag) (rpi.Status, bool, error) {
	f.Driver.Advance()
	f.Lock()
	defer f.Unlock()
	return f.Layer.Iprobe(c, source, tag)
}

// Improbe implements rpi.Transport.
func (f *Front) Improbe(c matching.Context, source matching.Rank, tag matching.Tag) (*matching.Message, rpi.Status, bool, error) {
	f.Driver.Advance()
	f.Lock()
	defer f.Unlock()
	return f.Layer.Improbe(c, source, tag)
}

// Await implements rpi.Transport.
func (f *Front) Await(ctx context.Context, w *rpi.Waiter) error { return f.Driver.Await(ctx, w) }

// Advance implements rpi.Transport.
func (f *Front) Advance() { f.Driver.Advance() }

// Release implements rpi.Transport.
func (f *Front) Release(c matching.Context) {
	f.Lock()
	defer f.Unlock()
	f.Layer.Release(c)
}
