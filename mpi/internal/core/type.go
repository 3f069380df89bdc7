package core

import (
	"errors"
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Type is the type of the elements of a buffer. One with Err stands for a type that cannot be sent, or for memory that is not
// there: operations fail with that error.
type Type = datatype.Type

// Basic is the predefined type of a kind.
func Basic(k datatype.Kind) *Type { return datatype.Basic(k) }

// Wrong is the error of an operation whose arguments a function of package datatype has refused.
func Wrong(op string, err error) *mpierr.Error {
	class := mpierr.Class(rpi.ErrArg)
	switch {
	case errors.Is(err, datatype.ErrType):
		class = rpi.ErrType
	case errors.Is(err, datatype.ErrCount):
		class = rpi.ErrCount
	case errors.Is(err, datatype.ErrTruncate):
		class = rpi.ErrTruncate
	case errors.Is(err, datatype.ErrConvert):
		class = rpi.ErrConversion
	}
	return mpierr.Invalid(op, class, "%v", err)
}

// signature is that of t in messages.
func signature(t *Type) matching.Type { return matching.Type(t.Signature()) }

// matcher is a type as the transport asks it which messages it takes.
type matcher datatype.Type

// Matches implements rpi.Matcher.
func (m *matcher) Matches(sent matching.Type, length, room uint64) bool {
	t := (*Type)(m)
	count := uint64(0)
	if size := uint64(t.Size()); size > 0 {
		count = room / size
	}
	return t.Matches(datatype.Signature(sent), int64(length), int64(count))
}

// elements describes t to package collective.
func elements(t *Type) collective.Elements {
	return collective.Elements{Sig: signature(t), Exact: matching.Type(t.ExactSignature()), Size: int(max(t.Item(), 1)), Type: t}
}

// known lists the types that this process knows.
func known(yield func(collective.Elements) bool) {
	datatype.Known(func(t *Type) bool { return yield(elements(t)) })
}

// hint says what would fit where a message with count elements of one type, of bytes in all, has met a receive for another
// type: nothing if the two have nothing in common.
func hint(sent datatype.Signature, wanted *Type, count, bytes int) string {
	if count <= 0 || wanted.Item() == 0 {
		return ""
	}
	size, s := bytes/count, sent.Known()
	switch {
	case int64(size) == wanted.Item() && s != nil:
		return fmt.Sprintf(": both have %d bytes, but other parts; receive it as %s, and convert it", size, s.Name())
	case s == nil || s.Kind() == datatype.Invalid:
		return fmt.Sprintf(": an element that was sent has %d bytes, one of %s has %d", size, wanted.Name(), wanted.Item())
	}
	return ""
}
