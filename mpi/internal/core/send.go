package core

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Send sends a buffer.
func (c *View) Send(op string, mode rpi.Mode, e Buffer, dest, tag int) error {
	if mode == rpi.Standard && c.trySend(e, dest, tag, false) {
		return nil
	}
	if err := c.sending(op, e, dest, tag); err != nil {
		return err
	}
	r := newOperation()
	defer recycle(r)
	c.prepareSend(r, mode, e, dest, tag)
	_, err := c.run(op, r)
	return err
}

// Isend starts to send a buffer.
func (c *View) Isend(op string, mode rpi.Mode, e Buffer, dest, tag int) (*Request, error) {
	if mode == rpi.Standard && c.trySend(e, dest, tag, true) {
		return c.sent(op), nil
	}
	if err := c.sending(op, e, dest, tag); err != nil {
		return nil, err
	}
	r := c.newRequest(op)
	c.prepareSend(r.raw, mode, e, dest, tag)
	c.start(r.raw)
	return r, nil
}

// trySend sends a message the short way, and reports whether it has. If it has not nothing has happened, and there may be something wrong
// with the arguments. others: the caller may send others at once.
func (c *View) trySend(e Buffer, dest, tag int, others bool) bool {
	m, short := c.short(e, dest, tag)
	if !short {
		return false
	}
	m.Others = others
	return c.process.short.TrySend(m)
}

// short returns the message to or from a rank that may go the short way, and reports whether it may.
func (c *View) short(e Buffer, rank, tag int) (m rpi.Short, short bool) {
	if c == nil || c.Comm == nil || c.state.Load() != ready || !c.process.open() || c.process.short == nil || c.ctx.Err() != nil {
		return m, false
	}
	plain := e.Type.Plain()
	peer, found := c.peers.Lookup(rank)
	if !found || plain == nil || e.wrong("") != nil || uint(tag) > MaxTag {
		return m, false
	}
	return rpi.Short{
		Context: c.context, Peer: peer, Tag: matching.Tag(tag), Type: matching.Type(plain.Signature), Elem: plain.Item,
		Buf: unsafe.Slice((*byte)(e.Addr), e.Count*plain.Size),
	}, true
}
