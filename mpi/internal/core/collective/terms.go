package collective

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// terms is what the ranks must agree on in a collective call.
type terms struct {
	routine   Routine
	reduction Reduction
	root      int
	sig       matching.Type // of the elements
	// length is the length of a rank's vector or block in bytes, or a number made of
	// several lengths. It is 0 if the ranks may pass different ones.
	length int
	// inPlace: each rank's result replaces what it gives, in operations in which all do that or none.
	inPlace bool
}

// A mark is a number made of the terms of a call. It stands where messages have
// their type:
//
//	bits 31, 30  alarm and disagree
//	bits 25–29   routine
//	bits 21–24   reduction; rpi.Optional
//	bits 0–20    hash of root, signature and length
//
// A message with another mark is refused, as is a message of another type.
const (
	routineShift   = 25
	reductionShift = 21
	hashBits       = reductionShift
	hashMask       = 1<<hashBits - 1
)

func (t *terms) mark() matching.Type {
	return matching.Type(t.routine)<<routineShift | matching.Type(t.reduction)<<reductionShift | t.hash()
}

// hash mixes root, signature and length.
func (t *terms) hash() matching.Type {
	x := uint64(t.sig)<<32 | uint64(uint32(t.root))
	x = (x ^ x>>29) * 0x9e3779b97f4a7c15
	x += uint64(t.length)
	if t.inPlace {
		x = ^x
	}
	x = (x ^ x>>32) * 0xbf58476d1ce4e5b9
	return matching.Type(x >> (64 - hashBits))
}

// RoutineOf is the operation of a message with this mark.
func RoutineOf(mark matching.Type) Routine { return Routine(mark >> routineShift & 0x1f) }

func reductionOf(mark matching.Type) Reduction {
	return Reduction(mark & rpi.Optional >> reductionShift)
}

// accepts reports whether a message with another mark than t's has elements that t's match: of any signature, or of the exact one of
// elements that match any. In all else the marks are equal.
func (t terms) accepts(mark matching.Type, e *Elements) bool {
	exact := t.sig
	if t.sig = Any; exact == Any {
		t.sig = e.Exact
	}
	return alike(t.mark(), mark)
}

// explains reports whether a mark can be of calls with the root, signature and
// length of t.
func (t terms) explains(mark matching.Type) bool {
	return t.hash() == mark&hashMask
}

// Mix adds a number to those that length is made of.
func Mix(length, n int) int {
	return int((uint64(length) ^ uint64(n)) * 0x100000001b3)
}
