package core

import (
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// A communicator's buffered sends count on its own account if it has one, else on that of the session that it comes from, and else on
// that of the process (MPI 4.1, section 3.6). What a face lets its programs attach, flush and detach are limits of these.

// account is where a buffered send on the communicator counts.
func (c *Comm) account() *rpi.Account {
	if own := c.buffered.Load(); own != nil {
		return own
	}
	if c.session != nil {
		return c.session.account()
	}
	return &c.process.buffered
}

// account is where buffered sends count on communicators of the session that have no limit of their own.
func (s *Session) account() *rpi.Account {
	if own := s.buffered.Load(); own != nil {
		return own
	}
	return &s.process.buffered
}

// limit bounds what counts on an account of one communicator or session. Less than 0: there is none.
func limit(place *atomic.Pointer[rpi.Account], bytes int) {
	if bytes < 0 {
		place.Store(nil)
		return
	}
	own := place.Load()
	if own == nil {
		own = new(rpi.Account)
		place.Store(own)
	}
	own.Limit(bytes)
}

// LimitBuffer bounds the bytes of the communicator's buffered messages that have not left, with
// rpi.BufferedOverhead for each. Less than 0: the communicator has no limit of its own.
func (c *View) LimitBuffer(op string, bytes int) error {
	if err := c.usable(op); err != nil {
		return err
	}
	limit(&c.buffered, bytes)
	return nil
}

// LimitBuffer is LimitBuffer for the communicators of the session that have no limit of their own.
func (s *Session) LimitBuffer(op string, bytes int) error {
	if err := s.usable(op); err != nil {
		return err
	}
	limit(&s.buffered, bytes)
	return nil
}

// LimitProcessBuffer is LimitBuffer for the communicators of the process that have no limit of their own.
func (c *View) LimitProcessBuffer(op string, bytes int) error {
	if err := c.usable(op); err != nil {
		return err
	}
	c.process.buffered.Limit(bytes)
	return nil
}

// FlushBuffer returns a request that completes as soon as no message is on the account of the communicator's buffered sends.
func (c *View) FlushBuffer(op string) (*Request, error) {
	if err := c.usable(op); err != nil {
		return nil, err
	}
	return c.flush(op, c.account()), nil
}

// FlushBuffer is FlushBuffer for the account of the session.
func (s *Session) FlushBuffer(op string) (*Request, error) {
	if err := s.usable(op); err != nil {
		return nil, err
	}
	return s.process.sessions.founder.flush(op, s.account()), nil
}

// FlushProcessBuffer is FlushBuffer for the account of the process.
func (c *View) FlushProcessBuffer(op string) (*Request, error) {
	if err := c.usable(op); err != nil {
		return nil, err
	}
	return c.flush(op, &c.process.buffered), nil
}

func (c *Comm) flush(op string, a *rpi.Account) *Request {
	f := new(flush)
	a.Flush(&f.whole)
	return c.NewRequest(op, &f.whole, f)
}

// flush is the Work of waiting for buffered messages to leave.
type flush struct{ whole rpi.Request }

// Outcome implements Work.
func (*flush) Outcome() (Status, error) { return EmptyStatus, nil }

// Cancel implements Work.
func (*flush) Cancel(op string) error {
	return mpierr.Invalid(op, rpi.ErrRequest, "the flush of a buffer cannot be cancelled")
}

// Release implements Work.
func (*flush) Release() {}
