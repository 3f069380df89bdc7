package core

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// difference is the error of a call that got a message with another mark than its own, and
// status s. It says in which of the terms the ranks differ. The mark has only a hash of
// them, so it tries which terms give that hash.
func (k *call) difference(theirs matching.Type, s rpi.Status) *mpierr.Error {
	return k.differing(theirs, s).About(k.comm.rankOf(s.Source))
}

func (k *call) differing(theirs matching.Type, s rpi.Status) *mpierr.Error {
	who := k.comm.name(s.Source)
	const same = ": all ranks must pass the same"
	if other := routineOf(theirs); other != k.routine {
		return k.other(s.Source, other, k.routine)
	}
	if other := reductionOf(theirs); other != k.reduction && other != 0 && k.reduction != 0 {
		return mpierr.Invalid(k.op, rpi.ErrOp, "%s reduces by %v where this rank reduces by %v"+same, who, other, k.reduction)
	}
	if root, ok := k.otherRoot(theirs); ok {
		return mpierr.Invalid(k.op, rpi.ErrRoot, "%s's root is %d where this rank's is %d"+same, who, root, k.root)
	}
	count := k.length / k.kind.Size
	if name, n, ok := k.otherType(theirs, s); ok {
		return mpierr.Invalid(k.op, rpi.ErrType, "%s passes %s of %s where this rank passes %d of %s"+same, who, mpierr.Plural(n, "element"), name, count, k.kind.Name)
	}
	if n, ok := k.otherCount(theirs, s); ok {
		return mpierr.Invalid(k.op, rpi.ErrCount, "%s passes %s where this rank passes %d"+same, who, mpierr.Plural(n, "element"), count)
	}
	return mpierr.Invalid(k.op, rpi.ErrArg, "%s passes another root, element type or length than this rank"+same, who)
}

// other is the error of a call for which another rank has made another one.
func (k *call) other(peer matching.Rank, theirs, mine routine) *mpierr.Error {
	return mpierr.Invalid(k.op, rpi.ErrOther, "%s called %v where this rank called %v: all ranks must call the same collective operations in the same order",
		k.comm.name(peer), theirs, mine).About(k.comm.rankOf(peer))
}

func (k *call) otherRoot(mark matching.Type) (int, bool) {
	t := k.terms
	for t.root = range k.comm.group.size {
		if t.root != k.root && t.explains(mark) {
			return t.root, true
		}
	}
	return 0, false
}

// otherType finds an element type that explains a mark, and the number of
// elements. It tries the number that this rank has, the length of the message, and
// the same number of bytes.
func (k *call) otherType(mark matching.Type, s rpi.Status) (name string, count int, ok bool) {
	try := func(d *Type) bool {
		t := k.terms
		for _, t.length = range [...]int{k.length / k.kind.Size * d.Size, int(s.Length), k.length} {
			if t.sig = d.Sig; d.Size > 0 && d.Unsendable == "" && d.Sig != k.sig && t.explains(mark) {
				name, count, ok = d.Name, t.length/d.Size, true
				return false
			}
		}
		return true
	}
	for i := range Basic {
		if !try(&Basic[i]) {
			return name, count, ok
		}
	}
	compounds.Range(func(_, d any) bool { return try(d.(*Type)) })
	return name, count, ok
}

// likely is how many elements otherCount tries.
const likely = 4096

// otherCount finds the number of elements that explains a mark.
func (k *call) otherCount(mark matching.Type, s rpi.Status) (int, bool) {
	t, size := k.terms, k.kind.Size
	if t.length = int(s.Length); t.length != k.length && t.explains(mark) {
		return t.length / size, true
	}
	for n := range likely {
		if t.length = n * size; t.length != k.length && t.explains(mark) {
			return n, true
		}
	}
	return 0, false
}
