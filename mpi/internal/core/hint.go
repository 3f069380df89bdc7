package core

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
)

// TypeOf returns the type with a signature, nil if this process has seen none.
func TypeOf(sig matching.Type) *Type {
	if int(sig) < len(Basic) && Basic[sig].Size > 0 {
		return &Basic[sig]
	}
	if t, ok := compounds.Load(sig); ok {
		return t.(*Type)
	}
	return nil
}

// hint says what would fit where a message with count elements of one type, of
// bytes in all, has met a receive for another type: nothing if the two have
// nothing in common.
func hint(sent, wanted matching.Type, count, bytes int) string {
	s, w := TypeOf(sent), TypeOf(wanted)
	switch {
	case w == nil || count == 0:
		return ""
	case s == nil:
		return fmt.Sprintf(": an element that was sent has %d bytes, one of %s has %d", bytes/count, w.Name, w.Size)
	case s.part() != 0 && s.part() == w.part():
		text := ": " + s.parts()
		if s.parts() != "" && w.parts() != "" {
			text += ", "
		}
		text += w.parts()
		if bytes%w.Size == 0 {
			text += fmt.Sprintf("; receive it as %s, or send it as %d of %s", s.Name, bytes/w.Size, w.Name)
		}
		return text
	case s.Size == w.Size:
		return fmt.Sprintf(": both have %d bytes, but other parts; receive it as %s, and convert it", s.Size, s.Name)
	}
	return ""
}

// part is the only type that t is made of, its own if t is basic, 0 if there is
// none.
func (t *Type) part() matching.Type {
	if t.Sig&Compound == 0 {
		return t.Sig
	}
	return t.Part
}

// parts says how many of that t is made of; nothing if t is basic.
func (t *Type) parts() string {
	if t.Sig&Compound == 0 {
		return ""
	}
	part := TypeOf(t.Part)
	return fmt.Sprintf("%s is %d of %s", t.Name, t.Size/part.Size, part.Name)
}
