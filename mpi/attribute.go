package mpi

import (
	"context"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/attribute"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
)

// Key names an attribute: a value that a library attaches to communicators, to find it again (a keyval; MPI 4.1, section
// 7.7). Keys are made by NewKey, and may be used with any number of communicators.
type Key[T any] struct{ key *attribute.Key }

// NewKey returns a key that is equal to no other (MPI_COMM_CREATE_KEYVAL; section 7.7.2).
//
// copy is called in Dup and Idup for a value of the communicator that is duplicated. It returns what the duplicate gets, or that
// it gets none; an error fails the duplication on all ranks. If copy is nil duplicates get none
// (MPI_COMM_NULL_COPY_FN); Copied gives them the same value.
//
// delete is called when a value is deleted or replaced, and when its communicator is freed: that of the last one first. Those
// of Self and of the world are deleted in Finalize. It may be nil.
func NewKey[T any](copy func(c *Comm, value T) (T, bool, error), delete func(c *Comm, value T) error) *Key[T] {
	var (
		onCopy   attribute.Copy
		onDelete attribute.Delete
	)
	if copy != nil {
		onCopy = func(object, value any) (any, bool, error) { return copy(comm(object), value.(T)) }
	}
	if delete != nil {
		onDelete = func(object, value any) error { return delete(comm(object), value.(T)) }
	}
	return &Key[T]{attribute.NewKey(onCopy, onDelete)}
}

// comm is the communicator that an attribute is of.
func comm(object any) *Comm { return &Comm{object.(*core.Comm).View(context.Background())} }

// Copied gives a duplicate the same value (MPI_COMM_DUP_FN).
func Copied[T any](_ *Comm, value T) (T, bool, error) { return value, true, nil }

// Set attaches a value to c (MPI_COMM_SET_ATTR; section 7.7.2). One that c has already is deleted. ErrArg: the key is
// freed.
func (k *Key[T]) Set(c *Comm, value T) error { return public(c.core().SetAttribute(k.key, value)) }

// Get returns the value that c has, and whether it has one (MPI_COMM_GET_ATTR; section 7.7.2).
func (k *Key[T]) Get(c *Comm) (value T, ok bool, err error) {
	v, ok, err := c.core().Attribute(k.key)
	if ok {
		value = v.(T)
	}
	return value, ok, public(err)
}

// Delete deletes the value that c has (MPI_COMM_DELETE_ATTR; section 7.7.2). ErrArg: it has none.
func (k *Key[T]) Delete(c *Comm) error { return public(c.core().DeleteAttribute(k.key)) }

// Free ends the use of the key for new values (MPI_COMM_FREE_KEYVAL; section 7.7.2). Those that there are stay, and are
// copied and deleted as before. ErrArg: it has been freed.
func (k *Key[T]) Free() error {
	if !k.key.Free() {
		return public(mpierr.Invalid("mpi.Key.Free", ErrArg, "the key has been freed"))
	}
	return nil
}

// Predefined is an attribute that every communicator has (MPI 4.1, sections 9.1.2 and 11.10).
type Predefined uint8

// The predefined attributes.
const (
	TagUB         = Predefined(core.TagUB)         // the largest tag: MaxTag
	Host          = Predefined(core.Host)          // the rank of the host's process: ProcNull, as there is none
	IO            = Predefined(core.IO)            // the rank of a process that can read and write files: AnySource, as all can
	WtimeIsGlobal = Predefined(core.WtimeIsGlobal) // 1 if the clocks of all processes agree, else 0
	UniverseSize  = Predefined(core.UniverseSize)  // how many processes there can be
	LastUsedCode  = Predefined(core.LastUsedCode)  // the largest error class
	AppNum        = Predefined(core.AppNum)        // which part of mpirun's command line, from 0, this process is of, where the launcher tells it
)

// Predefined returns the value of a predefined attribute, and whether it has one (MPI_COMM_GET_ATTR; section 7.7.2).
func (c *Comm) Predefined(a Predefined) (value int, ok bool, err error) {
	value, ok, err = c.core().Predefined(core.Predefined(a))
	return value, ok, public(err)
}
