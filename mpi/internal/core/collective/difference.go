package collective

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// difference is the error of a call that got a message with another mark than its own, and
// status s. It says in which of the terms the ranks differ. The mark has only a hash of
// them, so it tries which terms give that hash.
func (o *Operation) difference(theirs matching.Type, s rpi.Status) *mpierr.Error {
	return o.differing(theirs, s).About(o.space.comm.RankOf(s.Source))
}

func (o *Operation) differing(theirs matching.Type, s rpi.Status) *mpierr.Error {
	who := o.space.comm.PeerName(s.Source)
	const same = ": all ranks must pass the same"
	if other := RoutineOf(theirs); other != o.routine {
		return o.other(s.Source, other, o.routine)
	}
	if other := reductionOf(theirs); other != o.reduction && other != 0 && o.reduction != 0 {
		return mpierr.Invalid(o.op, rpi.ErrOp, "%s reduces by %v where this rank reduces by %v"+same, who, other, o.reduction)
	}
	other := o.terms
	if other.inPlace = !o.inPlace; other.explains(theirs) {
		return mpierr.Invalid(o.op, rpi.ErrArg, "%s exchanges %s where this rank does so %s: all ranks must do the same", who, where(other.inPlace), where(o.inPlace))
	}
	if o.routine == Create { // its length is made of more than can be guessed
		return mpierr.Invalid(o.op, rpi.ErrArg, "%s passes other arguments than this rank"+same, who)
	}
	if root, ok := o.otherRoot(theirs); ok {
		return mpierr.Invalid(o.op, rpi.ErrRoot, "%s's root is %d where this rank's is %d"+same, who, root, o.root)
	}
	count := o.length / o.elements.Size
	if name, n, ok := o.otherType(theirs, s); ok {
		return mpierr.Invalid(o.op, rpi.ErrType, "%s passes %s of %s where this rank passes %d of %s"+same, who, mpierr.Plural(n, "element"), name, count, o.elements.Type.Name())
	}
	if n, ok := o.otherCount(theirs, s); ok {
		return mpierr.Invalid(o.op, rpi.ErrCount, "%s passes %s where this rank passes %d"+same, who, mpierr.Plural(n, "element"), count)
	}
	return mpierr.Invalid(o.op, rpi.ErrArg, "%s passes another root, element type or length than this rank"+same, who)
}

// where says where the results of a call go.
func where(inPlace bool) string {
	if inPlace {
		return "in place"
	}
	return "between two buffers"
}

// other is the error of a call for which another rank has made another one.
func (o *Operation) other(peer matching.Rank, theirs, mine Routine) *mpierr.Error {
	return mpierr.Invalid(o.op, rpi.ErrOther, "%s called %v where this rank called %v: all ranks must call the same collective operations in the same order",
		o.space.comm.PeerName(peer), theirs, mine).About(o.space.comm.RankOf(peer))
}

func (o *Operation) otherRoot(mark matching.Type) (int, bool) {
	t := o.terms
	for t.root = range o.space.size {
		if t.root != o.root && t.explains(mark) {
			return t.root, true
		}
	}
	return 0, false
}

// otherType finds an element type that explains a mark, and the number of
// elements. It tries the number that this rank has, the length of the message, and
// the same number of bytes.
func (o *Operation) otherType(mark matching.Type, s rpi.Status) (name string, count int, ok bool) {
	o.space.process.Known(func(e Elements) bool {
		t := o.terms
		for _, t.length = range [...]int{o.length / o.elements.Size * e.Size, int(s.Length), o.length} {
			if t.sig = e.Sig; e.Sig != o.sig && t.explains(mark) {
				name, count, ok = e.Type.Name(), t.length/e.Size, true
				return false
			}
		}
		return true
	})
	return name, count, ok
}

// likely is how many elements otherCount tries.
const likely = 4096

// otherCount finds the number of elements that explains a mark.
func (o *Operation) otherCount(mark matching.Type, s rpi.Status) (int, bool) {
	t, size := o.terms, o.elements.Size
	if t.length = int(s.Length); t.length != o.length && t.explains(mark) {
		return t.length / size, true
	}
	for n := range likely {
		if t.length = n * size; t.length != o.length && t.explains(mark) {
			return n, true
		}
	}
	return 0, false
}
