package datatype

import (
	"fmt"
	"sync"
)

// Signature is what a message says of the kinds of its elements, in 32 bits. That of a type is the shortest sequence of kinds
// which gives the type's by being repeated: a [Kind] if that is one, and else a hash of the sequence with its highest
// bit set. It depends neither on counts nor on displacements: all of float64, {float64, float64}, and a column of a
// matrix of float64 have the same one, and so have {int32, float64} and an array of three of them.
//
// # What a receiver can tell
//
// MPI wants the kinds of a message to be the first ones of those of the receive (section 3.3.1). A receiver decides that by
// [Type.Matches] from the signature, the number of bytes and its own type: the beginning of its own with as many bytes has one
// signature only. It errs if the hashes of two different sequences agree, one in 2^31. It cannot tell how the sender's type
// was made, and of a message longer than the receive, which is an error anyway, only whether its signature is the same.
type Signature uint32

// Any matches all messages and receives. It is the signature of Packed, and of types without elements. Those who ask that
// bytes match anything pass it instead of a type's.
const Any Signature = 0

const mixed Signature = 1 << 31

func (p pattern) signature() Signature {
	switch {
	case len(p.root) == 0 || len(p.root) == 1 && p.root[0].kind == Packed:
		return Any
	case len(p.root) == 1:
		return Signature(p.root[0].kind)
	}
	hash := (p.one.hash ^ uint64(p.one.elements)) * 0x9e3779b97f4a7c15
	return mixed | Signature(hash>>33)
}

// Signature returns that of any number of elements of t, at least one. It is Any if t is loose.
func (t *Type) Signature() Signature {
	if t.loose {
		return Any
	}
	return t.prepare().exact
}

// ExactSignature is Signature as it would be if t were not loose.
func (t *Type) ExactSignature() Signature { return t.prepare().exact }

// Alike reports whether elements of t may be received as elements of other.
func (t *Type) Alike(other *Type) bool {
	a, b := t.Signature(), other.Signature()
	return a == b || a == Any || b == Any
}

// Matches reports whether a message of size bytes with signature theirs may be received into count elements of t. Whether it
// is too long is another question.
func (t *Type) Matches(theirs Signature, size, count int64) bool {
	mine := t.Signature()
	if size == 0 || theirs == mine || theirs == Any || mine == Any {
		return true
	}
	if theirs&mine&mixed == 0 && theirs&mixed != 0 { // elements of one kind have no other ones at the beginning
		return false
	}
	if total, err := t.Bytes(count); err != nil || size > total {
		return false
	}
	all := t.pattern.appendTo(nil, count)
	if _, ok := prefix(all, size); !ok {
		return false
	}
	return primitive(take(nil, all, size)).signature() == theirs
}

// seen has the first Go type that was seen with a signature: Signature → *Type.
var seen sync.Map

// Known returns a type with the signature, the predefined one or a Go type of this program; nil if there is none.
func (s Signature) Known() *Type {
	if k := Kind(s); s < Signature(kindEnd) && k.basic() {
		return Basic(k)
	}
	if t, ok := seen.Load(s); ok {
		return t.(*Type)
	}
	return nil
}

// Known lists types that programs use, one of each signature: those that Signature.Known returns.
func Known(yield func(*Type) bool) {
	for k := range kindEnd {
		if k.basic() && k.matching() == k && !yield(Basic(k)) {
			return
		}
	}
	seen.Range(func(s, t any) bool { return s.(Signature)&mixed == 0 || yield(t.(*Type)) })
}

// String names s in errors: the kind, or a Go type of this program that has it.
func (s Signature) String() string {
	switch t := s.Known(); {
	case t != nil:
		return t.Name()
	case s == Any:
		return "any type"
	}
	return fmt.Sprintf("a type unknown here (signature %#x)", uint32(s))
}
