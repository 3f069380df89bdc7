package core

import (
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/attribute"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/info"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// object is what a program can attach to a communicator.
type object struct {
	name       atomic.Pointer[string]
	attributes attribute.Set
	handler    atomic.Pointer[ErrorHandler]
	assertions atomic.Uint32

	hintsMu sync.Mutex
	hints   *info.Info // those that are known, nil if there are none
}

// ErrorHandler is what a face calls with the errors of a communicator (MPI 4.1, section 9.3).
type ErrorHandler func(c *Comm, err error)

// SetErrorHandler sets the error handler; nil: errors are returned. Nothing in this package calls it.
func (c *Comm) SetErrorHandler(h ErrorHandler) { c.object.handler.Store(&h) }

// ErrorHandler is the error handler. Communicators made of c inherit it.
func (c *Comm) ErrorHandler() ErrorHandler {
	if h := c.object.handler.Load(); h != nil {
		return *h
	}
	return nil
}

// inherit gives c, which is made of parent, what communicators get from that they are made of.
func (c *Comm) inherit(parent *Comm) *Comm {
	c.object.handler.Store(parent.object.handler.Load())
	c.session = parent.session
	return c
}

// maxName bounds names (MPI_MAX_OBJECT_NAME, without the end that C needs).
const maxName = 127

// SetName names the communicator, on this rank.
func (c *View) SetName(name string) error {
	const op = "mpi.Comm.SetName"
	if err := c.usable(op); err != nil {
		return err
	}
	if len(name) > maxName {
		return mpierr.Invalid(op, rpi.ErrArg, "a name of %d bytes; the limit is %d", len(name), maxName)
	}
	c.object.name.Store(&name)
	return nil
}

// Name is the name of the communicator; empty if it has none.
func (c *Comm) Name() string {
	if name := c.object.name.Load(); name != nil {
		return *name
	}
	return ""
}

// Name is the name of the communicator; empty if it has none, or is null.
func (c *View) Name() string {
	if c.Null() {
		return ""
	}
	return c.Comm.Name()
}

// title is how errors begin that are about the communicator.
func (c *Comm) title() string {
	if name := c.Name(); name != "" {
		return "the communicator " + name
	}
	return "the communicator"
}

// called names the communicator where an operation is described, if it has a name.
func (c *Comm) called() string {
	if name := c.Name(); name != "" {
		return " on " + name
	}
	return ""
}

// Compare compares two communicators.
func (c *View) Compare(d *View) (group.Comparison, error) {
	const op = "mpi.Comm.Compare"
	if err := c.usable(op); err != nil {
		return group.Unequal, err
	}
	if err := d.usable(op); err != nil {
		return group.Unequal, err
	}
	if c.Comm == d.Comm {
		return group.Identical, nil
	}
	if c.Inter() != d.Inter() {
		return group.Unequal, nil
	}
	return max(c.group.Compare(d.group), c.peers.Compare(d.peers), group.Congruent), nil
}

// SetAttribute attaches a value to the communicator. If it has one of that key already that one is deleted.
func (c *View) SetAttribute(k *attribute.Key, value any) error {
	const op = "mpi.Key.Set"
	if err := c.usable(op); err != nil {
		return err
	}
	if k.Freed() {
		return mpierr.Invalid(op, rpi.ErrArg, "the key has been freed")
	}
	return refused(op, c.object.attributes.Put(c.Comm, k, value))
}

// Attribute returns the value of a key.
func (c *View) Attribute(k *attribute.Key) (any, bool, error) {
	if err := c.usable("mpi.Key.Get"); err != nil {
		return nil, false, err
	}
	value, ok := c.object.attributes.Get(k)
	return value, ok, nil
}

// DeleteAttribute deletes the value of a key.
func (c *View) DeleteAttribute(k *attribute.Key) error {
	const op = "mpi.Key.Delete"
	if err := c.usable(op); err != nil {
		return err
	}
	return refused(op, c.object.attributes.Delete(c.Comm, k))
}

// refused is the error of a function of the program that copies or deletes an attribute.
func refused(op string, err error) error {
	switch {
	case err == nil:
		return nil
	case err == attribute.ErrNone:
		return mpierr.Invalid(op, rpi.ErrArg, "%v", err)
	}
	return mpierr.Because(err, op, rpi.ErrOther, "the function of an attribute's key: %v", err)
}
