package core

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/failure"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// accord is an agreement as the Work of a Request.
type accord struct{ *failure.Agreement }

// accord begins an agreement: see failure.State.Agreement.
func (c *View) accord(op string, kind uint32, flags, choice uint64, then func(*failure.Agreement) error) *Request {
	a := c.failures.Agreement(op, kind, flags, choice, then)
	r := c.NewRequest(op, &a.Whole, accord{a})
	a.Begin()
	return r
}

// Outcome implements Work.
func (a accord) Outcome() (Status, error) { return EmptyStatus, a.Err() }

// Cancel implements Work.
func (a accord) Cancel(op string) error {
	return mpierr.Invalid(op, rpi.ErrRequest, "an agreement cannot be cancelled")
}

// Release implements Work.
func (a accord) Release() {}

// Agree returns the bitwise and of the flags of all living ranks, when all have called it.
func (c *View) Agree(flags uint64) (uint64, error) {
	result := flags
	r, err := c.agreeing("mpi.Agree", flags, func(all uint64) { result = all })
	if err != nil {
		return flags, err
	}
	_, err = r.Wait(c.ctx)
	return result, err
}

// IAgree is Agree that does not wait. The flags must stay until the request has completed, which changes them.
func (c *View) IAgree(flags *uint64) (*Request, error) {
	return c.IAgreeThen(*flags, func(all uint64) { *flags = all })
}

// IAgreeThen is IAgree that calls then with the result, on any goroutine, before the request completes.
func (c *View) IAgreeThen(flags uint64, then func(all uint64)) (*Request, error) {
	return c.agreeing("mpi.IAgree", flags, then)
}

func (c *View) agreeing(op string, flags uint64, then func(all uint64)) (*Request, error) {
	if err := c.usable(op); err != nil {
		return nil, err
	}
	comm := c.Comm
	return c.accord(op, failure.ForFlags, flags, 0, func(a *failure.Agreement) error {
		then(a.Result.Flags)
		peer := a.Unacknowledged()
		if peer == matching.AnySource {
			return nil
		}
		return mpierr.Invalid(op, rpi.ErrProcFailed, "the ranks have agreed, but %s is gone, which not all have acknowledged with AckFailed", comm.name(peer)).
			About(comm.rankOf(peer))
	}), nil
}
