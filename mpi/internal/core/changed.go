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

// launchWatched starts a nonblocking collective operation of which it is found out whether the program changes what this rank gives.
func (c *View) launchWatched(o *collective.Operation) *Request {
	w := &watchedWork{(*collectiveWork)(o), c.given(o)}
	w.given.remember()
	return c.NewRequest(o.Op(), o.Start(), w)
}

// watchedWork is the Work of such an operation.
type watchedWork struct {
	*collectiveWork
	given *given
}

// Outcome implements Work.
func (w *watchedWork) Outcome() (Status, error) {
	status, err := w.collectiveWork.Outcome()
	return status, w.given.check(err)
}

// given is the memory of the program that has what this rank gives to a collective operation, nil if it is not looked after.
type given struct {
	comm      *Comm
	operation *collective.Operation
	memory    []byte
	sent      *[]byte // what the operation takes for it
	original  *original
}

// given returns what this rank gives, if that is one piece of memory of its own: what the schedule calls In, or at the root of Bcast Out.
func (c *View) given(o *collective.Operation) *given {
	sent := &o.In
	if o.IsRootOf(collective.Bcast, c.rank) {
		sent = &o.Out
	}
	if o.Images != nil || len(*sent) == 0 || overlapping(o.In, o.Out) {
		return nil
	}
	return &given{comm: c.Comm, operation: o, memory: *sent, sent: sent}
}

// remember is called when the operation is about to start, each time if it is persistent.
func (g *given) remember() {
	if g != nil {
		g.original = newOriginal(bytesBuffer(g.memory), g.memory)
		*g.sent = g.original.unchanged(g.memory)
	}
}

// check returns err, the error of the operation, or else that of memory which has changed since remember.
func (g *given) check(err error) error {
	if g == nil || err != nil {
		return err
	}
	if changed := g.original.check(); changed != nil {
		return mpierr.Because(changed, g.operation.Op(), rpi.ErrBuffer, "collective operation%s%v", g.comm.where(), changed)
	}
	return nil
}
