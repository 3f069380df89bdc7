package core

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Checks of the arguments of point-to-point operations. Each names the value
// that is wrong and what would be right.

// sending checks the arguments of a send.
func (c *View) sending(op string, e Buffer, dest, tag int) error {
	if err := c.usable(op); err != nil {
		return err
	}
	if err := e.wrong(op); err != nil {
		return err
	}
	switch {
	case dest == AnySource:
		return mpierr.Invalid(op, rpi.ErrRank, "dest is AnySource, which is for receives only")
	case dest != ProcNull && (dest < 0 || dest >= c.peers.Size()):
		return mpierr.Invalid(op, rpi.ErrRank, "dest %d is not in a communicator of %s", dest, mpierr.Plural(c.peers.Size(), "rank"))
	case tag == AnyTag:
		return mpierr.Invalid(op, rpi.ErrTag, "the tag of a send is AnyTag, which is for receives only")
	case tag < 0 || tag > MaxTag:
		return mpierr.Invalid(op, rpi.ErrTag, "tag %d is not between 0 and %d", tag, MaxTag)
	}
	return nil
}

// receiving checks the arguments of a receive.
func (c *View) receiving(op string, e Buffer, source, tag int) error {
	if err := c.usable(op); err != nil {
		return err
	}
	if err := e.wrong(op); err != nil {
		return err
	}
	return c.matching(op, source, tag)
}

// matching checks what a receive or probe on a usable communicator is to match.
func (c *View) matching(op string, source, tag int) error {
	switch {
	case source == AnySource && c.asserts(noAnySource):
		return mpierr.Invalid(op, rpi.ErrRank, "source is AnySource, but mpi_assert_no_any_source has been set")
	case tag == AnyTag && c.asserts(noAnyTag):
		return mpierr.Invalid(op, rpi.ErrTag, "tag is AnyTag, but mpi_assert_no_any_tag has been set")
	case source != ProcNull && source != AnySource && (source < 0 || source >= c.peers.Size()):
		return mpierr.Invalid(op, rpi.ErrRank, "source %d is not in a communicator of %s", source, mpierr.Plural(c.peers.Size(), "rank"))
	case tag != AnyTag && (tag < 0 || tag > MaxTag):
		return mpierr.Invalid(op, rpi.ErrTag, "tag %d is neither AnyTag nor between 0 and %d", tag, MaxTag)
	}
	return nil
}

// apart checks that two buffers, of which one is written to, share no memory. Those that are not one piece may lie between each
// other, and are not checked.
func (b Buffer) apart(op string, other Buffer) *mpierr.Error {
	one, ok := b.Piece()
	two, both := other.Piece()
	if ok && both && overlapping(one, two) {
		return mpierr.Invalid(op, rpi.ErrBuffer, "the send and the receive buffer overlap")
	}
	return nil
}

// overlapping reports whether two pieces of memory share some.
func overlapping(a, b []byte) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	first, second := uintptr(unsafe.Pointer(&a[0])), uintptr(unsafe.Pointer(&b[0]))
	return first < second+uintptr(len(b)) && second < first+uintptr(len(a))
}

// same reports whether two buffers are the same memory.
func same(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
