package core

import (
	"context"
	"errors"
	"sync"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Blocking operations take their requests from a pool.
var operations = sync.Pool{New: func() any { return new(rpi.Request) }}

func newOperation() *rpi.Request { return operations.Get().(*rpi.Request) }

// recycle gives back r, whose outcome has been taken.
func recycle(r *rpi.Request) {
	releaseImage(r)
	r.Reset()
	operations.Put(r)
}

// prepareSend fills in a request for a send.
func (c *Comm) prepareSend(r *rpi.Request, mode rpi.Mode, e Buffer, dest, tag int) {
	r.Op, r.Mode, r.Context, r.Peer, r.Tag = rpi.OpSend, mode, c.context, c.jobRank(dest), matching.Tag(tag)
	attach(r, e)
	if mode == rpi.Buffered {
		r.Account = c.account()
	}
}

// prepareReceive fills in a request for a receive.
func (c *Comm) prepareReceive(r *rpi.Request, e Buffer, source, tag int) {
	r.Op, r.Context, r.Peer, r.Tag = rpi.OpRecv, c.context, c.jobRank(source), matching.Tag(tag)
	attach(r, e)
}

// start hands r to the transport. A request to or from ProcNull completes at
// once instead.
func (c *Comm) start(r *rpi.Request) {
	if r.Peer == procNull {
		r.Complete(nil)
		return
	}
	pack(r)
	c.process.transport.Start(r)
}

// run runs the operation r to its end, and returns its outcome.
func (c *View) run(op string, r *rpi.Request) (Status, error) {
	if err := c.expired(op, r); err != nil {
		return EmptyStatus, err
	}
	c.start(r)
	return c.outcome(op, r, c.finish(r))
}

// expired is the error of r, which has not been started, if the context of
// the view has ended.
func (c *View) expired(op string, r *rpi.Request) error {
	if c.ctx.Err() == nil {
		return nil
	}
	return c.givenUp(op, r, context.Cause(c.ctx))
}

// finish waits for r, which has been started. When the context of the view
// ends it cancels r; r completes all the same, cancelled or not. It returns
// what ended the context.
func (c *View) finish(r *rpi.Request) error {
	cause := c.awaitUnlessInterrupted(r)
	if cause != nil {
		c.process.transport.Cancel(r)
		c.process.await(context.Background(), r)
	}
	return cause
}

// outcome is the result of r, which has completed. cause is what finish has
// returned for it.
func (c *View) outcome(op string, r *rpi.Request, cause error) (Status, error) {
	unpack(r)
	if t := c.process.trace; t != nil {
		t.received(r)
	}
	status := c.status(r)
	switch {
	case r.Err != nil:
		return status, c.failure(op, r)
	case r.Status.Cancelled:
		if errors.Is(cause, rpi.ErrProcFailed) {
			r.Err = cause
			return status, c.failure(op, r)
		}
		return status, c.givenUp(op, r, cause)
	}
	return status, nil
}

// awaitUnlessInterrupted is await, until the context of the view ends, or it is not known whether r ever completes.
func (c *View) awaitUnlessInterrupted(r *rpi.Request) error {
	return c.process.transport.AwaitRequest(c.ctx, r, c.stop)
}

// await waits until r has completed, or until ctx ends and returns the cause.
func (p *process) await(ctx context.Context, r *rpi.Request) error {
	return p.transport.AwaitRequest(ctx, r, nil)
}
