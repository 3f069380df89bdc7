package rpi

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
)

// Optional are the bits of a type that need not agree, in contexts with InOrder, if either the
// message or the receive has 0 in all of them.
const Optional matching.Type = 0xf << 21

// alike reports whether receive r takes messages of type t, although its own type is another.
func alike(t matching.Type, r *Request) bool {
	return r.Context&InOrder != 0 && (t^r.Type)&^Optional == 0 && (t&Optional == 0 || r.Type&Optional == 0)
}

// Misfit returns why receive r cannot take message m, nil if it can. It cannot if m has another
// type, even without elements, or is longer than r.Buf. The buffer then stays as it is.
func (r *Request) Misfit(m *matching.Message) error {
	switch {
	case m.Type != r.Type && !alike(m.Type, r):
		return &TypeError{Sent: m.Type, Wanted: r.Type}
	case m.Length > uint64(len(r.Buf)):
		return fmt.Errorf("%w: %d bytes were sent, the buffer has %d", ErrTruncate, m.Length, len(r.Buf))
	}
	return nil
}
