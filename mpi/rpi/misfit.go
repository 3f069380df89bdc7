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

// Matcher says which messages a receive takes besides those of its own type.
type Matcher interface {
	// Matches reports whether a message of length bytes and a type fits the receive's elements, of which the buffer holds
	// room bytes. Whether it is too long is another question.
	Matches(sent matching.Type, length, room uint64) bool
}

// MaxElem is the largest size of an element that receivers and probes are told, in bytes.
const MaxElem = 1<<16 - 1

// Misfit returns why receive r cannot take a message, nil if it can. It cannot if m has a type
// that does not match, or is longer than r.Buf. The buffer then stays as it is.
func (r *Request) Misfit(m *matching.Envelope) error {
	switch {
	case m.Type != r.Type && !alike(m.Type, r) && (r.Matcher == nil || !r.Matcher.Matches(m.Type, m.Length, uint64(len(r.Buf)))):
		return &TypeError{Sent: m.Type, Wanted: r.Type}
	case m.Length > uint64(len(r.Buf)):
		return fmt.Errorf("%w: %d bytes were sent, the buffer has %d", ErrTruncate, m.Length, len(r.Buf))
	}
	return nil
}
