package mpi

import (
	"context"
	"errors"
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// call is one call of a collective operation. Its messages have the
// communicator's collective context and the number of the call as their tag,
// so that consecutive calls never mix.
//
// An algorithm runs its schedule of sends and receives to the end whatever
// happens, and end returns the first error. After an error this rank sends
// alarms in place of messages, so that the ranks that need its part fail too
// and pass it on, and goes on receiving, so that nobody waits for it. If the
// error is that its context has ended, it does not wait for what it receives
// but leaves receives behind that drop it.
type call struct {
	comm *communicator
	ctx  context.Context
	op   string
	tag  matching.Tag
	kind *datatype
	err  *Error
	left bool // the context has ended
}

// alarm in a message's type, with an error class, says that its sender has
// failed in this call. The body is a single byte.
const alarm matching.Type = 1 << 30

var alarmBody = []byte{0}

// begin starts a collective call with messages of one type.
func (c *Comm) begin(op string, kind *datatype) (call, error) {
	if err := c.usable(op); err != nil {
		return call{}, err
	}
	if kind.refused != "" {
		return call{}, invalid(op, ErrType, "%s", kind.refused)
	}
	if c.busy.Swap(true) {
		return call{}, invalid(op, ErrComm, "another collective operation on this communicator is under way in this process")
	}
	tag := matching.Tag((c.calls.Add(1) - 1) & MaxTag)
	k := call{comm: c.communicator, ctx: c.ctx, op: op, tag: tag, kind: kind}
	if c.ctx.Err() != nil { // the others shall hear of it
		cause := context.Cause(c.ctx)
		k.left, k.err = true, &Error{Class: ErrCancelled, Op: op, Detail: "given up: " + cause.Error(), Err: cause}
	}
	return k, nil
}

// end ends the call and returns its error.
func (k *call) end() error {
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
	recv := k.startRecv(from, in)
	k.wait(k.startSend(to, out))
	k.wait(recv)
}

// startSend returns nil if there is nothing to wait for.
func (k *call) startSend(to int, b []byte) *rpi.Request {
	peer := k.comm.jobRank(to)
	if k.err != nil {
		k.raise(peer)
		return nil
	}
	return k.start(newOperation(), rpi.OpSend, peer, b)
}

// startRecv returns nil if there is nothing to wait for.
func (k *call) startRecv(from int, b []byte) *rpi.Request {
	peer := k.comm.jobRank(from)
	if k.left {
		k.drop(peer)
		return nil
	}
	return k.start(newOperation(), rpi.OpRecv, peer, b)
}

func (k *call) start(r *rpi.Request, op rpi.Op, peer matching.Rank, b []byte) *rpi.Request {
	r.Op, r.Context, r.Peer, r.Tag = op, k.comm.context|collective, peer, k.tag
	r.Type, r.Elem, r.Buf = k.kind.sig, uint16(k.kind.size), b
	k.comm.process.transport.Start(r)
	return r
}

// raise sends an alarm, and does not wait until it has left.
func (k *call) raise(to matching.Rank) {
	k.comm.process.transport.Start(&rpi.Request{
		Op: rpi.OpSend, Context: k.comm.context | collective, Peer: to, Tag: k.tag,
		Type: alarm | matching.Type(k.err.Class), Elem: 1, Buf: alarmBody,
	})
}

// drop leaves a receive behind that takes a message and fails, which ends the
// send at the other side.
func (k *call) drop(from matching.Rank) {
	k.start(new(rpi.Request), rpi.OpRecv, from, nil)
}

// wait waits until r, which may be nil, has completed and takes note of its
// error.
func (k *call) wait(r *rpi.Request) {
	if r == nil {
		return
	}
	defer recycle(r)
	view := Comm{communicator: k.comm, ctx: k.ctx}
	cause := view.finish(r)
	if k.err == nil {
		k.err = k.check(r, cause)
	}
	if cause == nil {
		return
	}
	k.left = true
	switch { // the other side still counts on what was cancelled
	case !r.Status.Cancelled || r.Err != nil:
	case r.Op == rpi.OpSend:
		k.raise(r.Peer)
	default:
		k.drop(r.Peer)
	}
}

// check is the error of r, which has completed.
func (k *call) check(r *rpi.Request, cause error) *Error {
	switch {
	case cause != nil:
		return k.comm.givenUp(k.op, r, cause)
	case r.Err != nil:
		return k.failure(r)
	case r.Op == rpi.OpRecv && r.Status.Length != uint64(len(r.Buf)):
		return k.mismatch(ErrCount, r)
	}
	return nil
}

// failure is the error of r, which has failed.
func (k *call) failure(r *rpi.Request) *Error {
	var other *rpi.TypeError
	switch {
	case errors.As(r.Err, &other) && other.Sent&^0xff == alarm:
		class := Class(other.Sent & 0xff)
		return &Error{Class: class, Op: k.op, Detail: fmt.Sprintf("it failed on %s: %v", k.comm.name(r.Status.Source), class)}
	case errors.Is(r.Err, ErrTruncate):
		return k.mismatch(ErrTruncate, r)
	}
	return k.comm.failure(k.op, r)
}

// mismatch is the error of a receive whose message has another length.
func (k *call) mismatch(class Class, r *rpi.Request) *Error {
	return invalid(k.op, class, "rank %d sent %s of %s where this rank expects %d: the ranks must pass matching lengths",
		k.comm.rankOf(r.Status.Source), plural(int(r.Status.Length)/k.kind.size, "element"), k.kind.name, len(r.Buf)/k.kind.size)
}
