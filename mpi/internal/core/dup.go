package core

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/info"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

var contextType = Basic(datatype.Uint64)

// Dup returns a communicator with the same processes, and what it has of hints and attributes that are copied.
func (c *View) Dup() (*Comm, error) {
	return c.dupBlocking(func() (*info.Info, error) { return c.hints(), nil })
}

// DupWithInfo is Dup with other hints.
func (c *View) DupWithInfo(hints *info.Info) (*Comm, error) {
	return c.dupBlocking(func() (*info.Info, error) { return accepted(hints) })
}

func (c *View) dupBlocking(hints func() (*info.Info, error)) (*Comm, error) {
	dup, o, err := c.duplicate(Blocking, hints)
	if err != nil {
		return nil, err
	}
	if err := o.Do(c.ctx); err != nil {
		return nil, dup.drop(err)
	}
	dup.open()
	return dup, nil
}

// Idup is Dup that does not wait. The communicator can be used when the request has completed.
func (c *View) Idup(hints *info.Info) (*Comm, *Request, error) {
	dup, o, err := c.duplicate(Nonblocking, func() (*info.Info, error) {
		if hints == nil {
			return c.hints(), nil
		}
		return accepted(hints)
	})
	if err != nil {
		return nil, nil, err
	}
	o.Then = func(failed bool) {
		if !failed {
			dup.open()
		}
	}
	r, err := c.launch(Nonblocking, o)
	if err != nil {
		return nil, nil, dup.drop(err)
	}
	return dup, r, nil
}

// private returns a communicator with the same processes for the library's own use: it has no hints, and no attribute is copied.
func (c *View) private() (*Comm, error) { return c.dupBlocking(nil) }

// duplicate begins a duplication. The communicator gets its context when the operation is complete. Without hints it is for private.
func (c *View) duplicate(f Form, hints func() (*info.Info, error)) (*Comm, *collective.Operation, error) {
	o, err := c.begin(collective.Dup, f, contextType)
	if err != nil {
		return nil, nil, err
	}
	dup := makeComm(c.process, c.group).inherit(c.Comm)
	dup.bridge, dup.peers = c.bridge, c.peers
	o.Require(c.process.full(o.Op()))
	if hints != nil {
		dup.arrange(c.topology)
		if o.Err() == nil {
			if err := c.object.attributes.CopyTo(c.Comm, &dup.object.attributes); err != nil {
				o.Require(mpierr.Because(err, o.Op(), rpi.ErrOther, "the function of an attribute's key: %v", err))
			}
		}
		if set, err := hints(); err != nil {
			o.Require(mpierr.Wrap(o.Op(), err))
		} else {
			dup.hint(set)
		}
	}
	if c.ranks().Me == 0 {
		dup.context = c.process.newContext()
	}
	c.collect(o, bytesOf(&dup.context)) // only one adds something
	return dup, o, nil
}

// collect makes the operation a reduction of memory to which each rank adds bits. All ranks fail if one does.
func (c *View) collect(o *collective.Operation, memory []byte) { c.collectAgreed(o, 0, memory) }

// collectAgreed is collect of ranks that must have made agreed of the same arguments.
func (c *View) collectAgreed(o *collective.Operation, agreed int, memory []byte) {
	if !o.Agree(0, agreed, 0) {
		return
	}
	o.Out, o.Combine, o.Safe = memory, either, true
	b, all := o.Builder(), schedule.Part{Buffer: schedule.Out, Length: len(memory)}
	b.InPlace(0)
	schedule.Allreduce(b, c.ranks(), all, all, schedule.Vector{Count: 1, Elem: len(memory)}, schedule.Op{Commutes: true, Exact: true}, schedule.Start)
}

// either combines two memories.
func either(left, right []byte) {
	for i := range left {
		left[i] |= right[i]
	}
}

// bytesOf is the memory of a value.
func bytesOf[T any](value *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(value)), unsafe.Sizeof(*value))
}

// drop gives up a communicator that could not be made because of err. Its attributes are deleted.
func (c *Comm) drop(err error) error {
	_ = c.object.attributes.Clear(c) // err is what the program has to know
	return err
}
