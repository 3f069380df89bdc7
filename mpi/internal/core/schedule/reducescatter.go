package schedule

// ReduceScatterBlock combines the vectors in of all, of Size times v, and leaves the i-th v of the result in out of the
// rank at place i (MPI 4.1, section 6.10.1).
func ReduceScatterBlock(b *Builder, r Ranks, in, out Part, v Vector, op Op, after Ref) Ref {
	whole := Vector{v.Count * r.Size, v.Elem}
	return reduceScatter(b, r, whole.cut(in, r.Size), out, op, after)
}

// ReduceScatter combines the vectors in of all, and leaves counts[i] elements of the result, of elem bytes, in out of the
// rank at place i (MPI 4.1, section 6.10.2).
func ReduceScatter(b *Builder, r Ranks, in, out Part, counts []int, elem int, op Op, after Ref) Ref {
	ends, sum := b.sums(len(counts)), 0
	for i, count := range counts {
		sum += count
		ends[i] = sum
	}
	whole := Vector{sum, elem}
	return reduceScatter(b, r, pieces{part: in, n: r.Size, v: whole, ends: ends}, out, op, after)
}

func reduceScatter(b *Builder, r Ranks, in pieces, out Part, op Op, after Ref) Ref {
	switch c := b.choose(OpReduceScatter, r.Size, in.v.Length(), op.Commutes); c.Algorithm {
	case Circulant, Ring:
		return reduceScatterPieces(b, r, in, out, c.Algorithm == Ring, after)
	case Pairwise:
		return reduceScatterPairwise(b, r, in, out, after)
	case ReduceThenScatter:
		return reduceThenScatter(b, r, in, out, after)
	default:
		return unknown(OpReduceScatter, c)
	}
}

// reduceScatterPieces combines on the way, in few steps or around a ring. The operation commutes.
func reduceScatterPieces(b *Builder, r Ranks, in pieces, out Part, ring bool, after Ref) Ref {
	sum := in.in(b.Scratch(in.v.Length()))
	got, done := Start, Start
	if ring {
		got, done = reduceScatterRing(b, r, in, sum, after)
	} else {
		got, done = reduceScatterCirculant(b, r, in, sum, after)
	}
	return b.Join(done, b.Copy(out, sum.of(r.Me, r.Me+1), got, done))
}

// manyMessages is how many messages of reduceScatterPairwise are under way to a rank at most.
const manyMessages = 32

// reduceScatterPairwise sends each rank its piece, and combines what comes from the first rank to the last: one step with
// n-1 messages, or several where there are many.
func reduceScatterPairwise(b *Builder, r Ranks, in pieces, out Part, after Ref) Ref {
	mine := in.of(r.Me, r.Me+1)
	done := after
	theirs := b.Scratch(mine.Length * r.Size)
	from := func(i int) Part { return theirs.Sub(i*mine.Length, mine.Length) }
	refs := b.integers(r.Size)
	for i := range r.Size {
		refs[i] = int32(after)
	}
	for i := 1; i < r.Size; i++ {
		to, source, before := (r.Me+i)%r.Size, (r.Me-i+r.Size)%r.Size, after
		if i > manyMessages {
			before = Ref(refs[(source+manyMessages)%r.Size])
		}
		done = b.Join(done, b.Send(r.At(to), in.of(to, to+1), before))
		refs[source] = int32(b.Recv(r.At(source), from(source), before))
	}
	// The first one is changed, so it is not to be in.
	sum, here := from(0), Ref(refs[0])
	if r.Me == 0 {
		here = b.Copy(sum, mine, after)
	}
	for i := 1; i < r.Size; i++ {
		right := from(i)
		if i == r.Me {
			right = mine
		}
		here = b.Combine(sum, right, here, Ref(refs[i]))
	}
	return b.Join(done, b.Copy(out, sum, here, done))
}

// reduceThenScatter combines everything at the first rank, and scatters the result: for short vectors.
func reduceThenScatter(b *Builder, r Ranks, in pieces, out Part, after Ref) Ref {
	sum := in.in(b.Scratch(in.v.Length()))
	reduced := reduceBinomial(b, r, 0, in.part, sum.part, after)
	got, done := scatterPieces(b, r, 0, sum, reduced)
	return b.Join(done, b.Copy(out, sum.of(r.Me, r.Me+1), got))
}
