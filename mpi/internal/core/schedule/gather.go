package schedule

// Gather puts the blocks of all ranks, In of length bytes each, one after the other into Out of the rank at place root, in
// the order of places.
func Gather(b *Builder, r Ranks, root, length int, after Ref) Ref {
	if b.choose(OpGather, r.Size, length, false).Algorithm == Linear {
		return gatherLinear(b, r, root, Part{In, 0, length}, func(i int) Part { return Part{Out, i * length, length} }, after)
	}
	return gatherBinomial(b, r, root, length, after)
}

// Gatherv is Gather of blocks of different lengths. own is this rank's, and at says at the root where each goes.
func Gatherv(b *Builder, r Ranks, root int, own Part, at func(place int) Part, after Ref) Ref {
	return gatherLinear(b, r, root, own, at, after)
}

// gatherBinomial gathers along a binomial tree: ⌈log₂ n⌉ steps. Places are counted from the root, so that the blocks of a subtree
// are in one piece, and the root receives them where they belong, but for one subtree that may wrap around.
func gatherBinomial(b *Builder, r Ranks, root, length int, after Ref) Ref {
	v, own := (r.Me-root+r.Size)%r.Size, Part{In, 0, length}
	t := subtree(v, r.Size)
	switch {
	case v == 0:
		return gatherAtRoot(b, r, length, after)
	case t == 1:
		return b.Send(r.At(r.Me-v&-v), own, after)
	}
	blocks := b.Scratch(t * length)
	all := b.Copy(blocks.Sub(0, length), own, after)
	for bit := 1; bit < t; bit *= 2 {
		n := subtree(v+bit, r.Size)
		all = b.Join(all, b.Recv(r.At(r.Me+bit), blocks.Sub(bit*length, n*length), after))
	}
	return b.Send(r.At(r.Me-v&-v), blocks, all)
}

func gatherAtRoot(b *Builder, r Ranks, length int, after Ref) Ref {
	done := b.Copy(Part{Out, r.Me * length, length}, Part{In, 0, length}, after)
	for bit := 1; bit < r.Size; bit *= 2 {
		n, first := subtree(bit, r.Size), (r.Me+bit)%r.Size
		if first+n <= r.Size {
			done = b.Join(done, b.Recv(r.At(r.Me+bit), Part{Out, first * length, n * length}, after))
			continue
		}
		blocks, fit := b.Scratch(n*length), r.Size-first
		got := b.Recv(r.At(r.Me+bit), blocks, after)
		done = b.Join(done,
			b.Copy(Part{Out, first * length, fit * length}, blocks.Sub(0, fit*length), got),
			b.Copy(Part{Out, 0, (n - fit) * length}, blocks.Sub(fit*length, (n-fit)*length), got))
	}
	return done
}

// subtree is the number of places of which v is the first in a binomial tree of size places, itself included.
func subtree(v, size int) int {
	if v == 0 {
		return size
	}
	return min(v&-v, size-v)
}

// manyReceives is how many receives a root has open at a time in gatherLinear.
const manyReceives = 64

// gatherLinear has each rank send its block to the root, which receives it where it belongs. Nothing is copied.
func gatherLinear(b *Builder, r Ranks, root int, own Part, at func(place int) Part, after Ref) Ref {
	if r.Me != root {
		return b.Send(r.At(root), own, after)
	}
	done := b.Copy(at(root), own, after)
	var open [manyReceives]Ref
	for i := 1; i < r.Size; i++ {
		slot, before := &open[i%manyReceives], after
		if i > manyReceives {
			before = *slot
		}
		place := (root + i) % r.Size
		*slot = b.Recv(r.At(place), at(place), before)
		done = b.Join(done, *slot)
	}
	return done
}
