package core

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// changedError says that a program has changed a buffer that it must leave alone. length is 1, or how many bytes at is the first of, one
// of which has changed.
type changedError struct {
	*original
	at, length int
	of         string // of how many bytes, and of what
	was, is    byte
}

func (e *changedError) Error() string {
	function, place := callSite(e.site[:e.depth])
	text := ""
	if function != "" {
		text = ", started by " + function
	}
	if place != "" {
		text += " at " + place
	}
	text += ": the program changed the buffer before the operation had completed: byte "
	if e.length == 1 {
		return text + fmt.Sprintf("%d of %s was %#02x and is %#02x", e.at, e.of, e.was, e.is)
	}
	return text + fmt.Sprintf("%d of %s, or one of the %d behind it", e.at, e.of, e.length-1)
}

// Unwrap returns the error's class.
func (e *changedError) Unwrap() error { return rpi.ErrBuffer }

// unnamed names the communicator if it is not the world, and describe has not.
func (c *Comm) unnamed() string {
	if c.Name() != "" {
		return ""
	}
	return c.where()
}

// launchWatched starts a nonblocking collective operation of which it is found out whether the program changes what this rank gives, if that
// is one piece of memory of its own: what the schedule calls In, or at the root of Bcast Out.
func (c *View) launchWatched(o *collective.Operation) *Request {
	given := &o.In
	if o.IsRootOf(collective.Bcast, c.rank) {
		given = &o.Out
	}
	w := &watchedWork{collectiveWork: (*collectiveWork)(o), comm: c.Comm}
	if o.Images == nil && len(*given) > 0 && !overlapping(o.In, o.Out) {
		w.original = newOriginal(bytesBuffer(*given), *given)
		*given = w.original.unchanged(*given)
	}
	return c.NewRequest(o.Op(), o.Start(), w)
}

// watchedWork is the Work of such an operation.
type watchedWork struct {
	*collectiveWork
	comm     *Comm
	original *original // nil: nothing is known
}

// Outcome implements Work.
func (w *watchedWork) Outcome() (Status, error) {
	status, err := w.collectiveWork.Outcome()
	if w.original == nil || err != nil {
		return status, err
	}
	if changed := w.original.check(); changed != nil {
		return status, mpierr.Because(changed, w.operation().Op(), rpi.ErrBuffer, "collective operation%s%v", w.comm.where(), changed)
	}
	return status, nil
}
