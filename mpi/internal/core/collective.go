package core

import (
	"context"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// call is one call of a collective operation. Its messages have the
// communicator's collective context, and the number of the call as their tag, so
// that consecutive calls never mix. In place of an element type they have the
// mark, a hash of what the ranks must agree on.
//
// After an error this rank sends alarms in place of messages, so that the ranks
// that need its part fail too and pass the alarm on. It receives nothing more:
// the transport drops what others still send it. If the ranks may disagree about
// which rank sends to which, all ranks get an alarm.
type call struct {
	comm *Comm
	ctx  context.Context
	op   string
	tag  matching.Tag
	kind *Type
	terms
	mark matching.Type
	err  *mpierr.Error
	told bool // all ranks have got an alarm
}

// begin starts a collective call with messages of one type. It takes the call's
// number even if the call then fails because of its arguments, so that the next
// calls of all ranks still belong together.
func (c *View) begin(r routine, kind *Type) (call, error) {
	op := r.op()
	if err := c.usable(op); err != nil {
		return call{}, err
	}
	return c.enter(r, kind)
}

func (c *View) enter(r routine, kind *Type) (call, error) {
	op := r.op()
	if c.busy.Swap(true) {
		return call{}, mpierr.Invalid(op, rpi.ErrComm, "another collective operation on this communicator is under way in this process")
	}
	tag := matching.Tag((c.calls.Add(1) - 1) & MaxTag)
	k := call{comm: c.Comm, ctx: c.ctx, op: op, tag: tag, kind: kind, terms: terms{routine: r}}
	switch {
	case kind.Unsendable != "":
		k.err = mpierr.Invalid(op, rpi.ErrType, "%s", kind.Unsendable)
	case c.ctx.Err() != nil:
		cause := context.Cause(c.ctx)
		k.err = mpierr.Because(cause, op, rpi.ErrCancelled, "given up: %v", cause)
	}
	return k, nil
}

// require makes err, the error of an argument, the error of the call.
func (k *call) require(err *mpierr.Error) {
	if k.err == nil {
		k.err = err
	}
}

// agree sets what the ranks must agree on. It reports false if the call has
// failed: then all ranks have got an alarm.
func (k *call) agree(root, length int, r Reduction) bool {
	k.root, k.length, k.reduction, k.sig = root, length, r, k.kind.Sig
	k.mark = k.terms.mark()
	k.comm.post.marks[int(k.tag)%len(k.comm.post.marks)] = k.mark
	if k.err != nil {
		k.tellAll(0)
		return false
	}
	return !k.alarmed()
}

// end ends the call and returns its error.
func (k *call) end() error {
	if k.err != nil {
		k.comm.process.transport.Discard(k.comm.context|collective, k.tag)
	}
	k.comm.busy.Store(false)
	if k.err != nil {
		return k.err
	}
	return nil
}

// send sends b to rank to.
func (k *call) send(to int, b []byte) { k.wait(k.startSend(to, b)) }

// recv receives a message that must have exactly the length of b.
func (k *call) recv(from int, b []byte) { k.wait(k.startRecv(from, b)) }

// exchange sends and receives at the same time.
func (k *call) exchange(to int, out []byte, from int, in []byte) {
	k.finish(k.startExchange(to, out, from, in))
}

// exchange is a send and a receive under way at the same time. Both are nil if
// there is nothing to wait for.
type exchange struct{ send, recv *rpi.Request }

func (k *call) startExchange(to int, out []byte, from int, in []byte) exchange {
	recv := k.startRecv(from, in)
	return exchange{send: k.startSend(to, out), recv: recv}
}

// finish waits until both have completed.
func (k *call) finish(x exchange) {
	if x.send != nil && !x.send.Completed() {
		k.attend(x.send, x.recv)
	}
	if x.recv != nil && x.recv.Completed() {
		k.wait(x.recv)
		k.wait(x.send)
		return
	}
	k.wait(x.send)
	k.wait(x.recv)
}

// startSend returns nil if there is nothing to wait for.
func (k *call) startSend(to int, b []byte) *rpi.Request {
	peer := k.comm.jobRank(to)
	if k.err != nil {
		k.raise(peer)
		return nil
	}
	return k.start(rpi.OpSend, peer, b)
}

// startRecv returns nil if there is nothing to wait for.
func (k *call) startRecv(from int, b []byte) *rpi.Request {
	if k.err != nil {
		return nil
	}
	return k.start(rpi.OpRecv, k.comm.jobRank(from), b)
}

func (k *call) start(op rpi.Op, peer matching.Rank, b []byte) *rpi.Request {
	r := newOperation()
	r.Op, r.Context, r.Peer, r.Tag = op, k.comm.context|collective, peer, k.tag
	r.Type, r.Elem, r.Buf = k.mark, uint16(k.kind.Size), b
	k.comm.process.transport.Start(r)
	return r
}

// await waits until r has completed, or an alarm has come, or the context has
// ended. Only in the last case it returns an error, the cause.
func (k *call) await(r *rpi.Request) error {
	if r.Completed() {
		return nil
	}
	w := k.waiter()
	defer k.release(w)
	if !r.Subscribe(w) {
		return nil
	}
	defer r.Unsubscribe(w)
	for !k.alarmed() && !r.Completed() {
		k.askPeers(r)
		if err := k.comm.process.transport.Await(k.ctx, w); err != nil && !r.Completed() {
			return err
		}
		w.Answer()
	}
	return nil
}

// waiter returns a waiter that alarms wake too.
func (k *call) waiter() *rpi.Waiter {
	w := rpi.NewWaiter()
	k.comm.post.waiting.Store(w)
	k.comm.process.watch.start()
	return w
}

func (k *call) release(w *rpi.Waiter) {
	k.comm.post.waiting.Store(nil)
	w.Release()
}

// attend waits until send has completed or recv has failed. If recv fails the
// peer has failed, and send might wait for ever.
func (k *call) attend(send, recv *rpi.Request) {
	w := k.waiter()
	defer k.release(w)
	if recv.Subscribe(w) {
		defer recv.Unsubscribe(w)
	}
	if send.Subscribe(w) {
		defer send.Unsubscribe(w)
	}
	for !k.alarmed() && !send.Completed() && !(recv.Completed() && recv.Err != nil) {
		k.askPeers(send, recv)
		if k.comm.process.transport.Await(k.ctx, w) != nil {
			return
		}
		w.Answer()
	}
}

// wait waits until r, which may be nil, has completed, and records its error.
// After an error the call waits for no other request.
func (k *call) wait(r *rpi.Request) {
	if r == nil {
		return
	}
	defer recycle(r)
	p := k.comm.process
	var cause error
	if k.err == nil {
		cause = k.await(r)
	}
	if k.err != nil || cause != nil {
		p.transport.Cancel(r)
		_ = p.await(context.Background(), r)
	}
	if k.err == nil {
		k.fail(r, cause)
	}
	if r.Op == rpi.OpSend && r.Status.Cancelled { // the peer still expects the message
		k.raise(r.Peer)
	}
}
