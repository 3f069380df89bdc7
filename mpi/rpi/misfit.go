package rpi

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
)

// Optional is the bits of a type that need not agree, in contexts with InOrder, if
// those of the message or of the receive are all 0.
const Optional matching.Type = 0xf << 21

// alike reports whether receive r takes messages of type t, which is not its own.
func alike(t matching.Type, r *Request) bool {
	return r.Context&InOrder != 0 && (t^r.Type)&^Optional == 0 && (t&Optional == 0 || r.Type&Optional == 0)
}

// Misfit says why receive r cannot take message m, nil if it can: m has another
// type, even if it has no elements, or it is longer than r.Buf. The buffer then
// stays as it is.
func (r *Request) Misfit(m *matching.Message) error {
	switch {
	case m.Type != r.Type && !alike(m.Type, r):
		return &TypeError{Sent: m.Type, Wanted: r.Type}
	case m.Length > uint64(len(r.Buf)):
		return fmt.Errorf("%w: %d bytes were sent, the buffer has %d", ErrTruncate, m.Length, len(r.Buf))
	}
	return nil
}
