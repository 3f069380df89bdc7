package schedule

// Bcast sends p from the rank at place root to all others (MPI 4.1, section 6.4).
func Bcast(b *Builder, r Ranks, root int, p Part, after Ref) Ref {
	if r.Hosts != nil {
		return bcastHosts(b, r, root, p, after)
	}
	switch c := b.choose(OpBcast, r.Size, p.Length, false); c.Algorithm {
	case Binomial:
		return bcastBinomial(b, r, root, p, after)
	case ScatterRing, ScatterAllgather:
		return bcastScatter(b, r, root, p, c.Algorithm == ScatterRing, after)
	case Chain:
		return bcastChain(b, r, root, p, c.Segment, after)
	case BinaryTree:
		return bcastBinaryTree(b, r, root, p, c.Segment, after)
	default:
		return unknown(OpBcast, c)
	}
}

// bcastBinomial sends p from the rank at place root to all others along a binomial tree: ⌈log₂ n⌉ steps, each with the
// whole message.
func bcastBinomial(b *Builder, r Ranks, root int, p Part, after Ref) Ref {
	v := r.from(root)
	here, bit := after, 1
	for ; bit < r.Size; bit *= 2 {
		if v&bit != 0 {
			here = b.Recv(r.At(r.Me-bit), p, after)
			break
		}
	}
	done := here
	for bit /= 2; bit > 0; bit /= 2 {
		if v+bit < r.Size {
			done = b.Join(done, b.Send(r.At(r.Me+bit), p, here))
		}
	}
	return done
}

// bcastScatter scatters p along a binomial tree, a piece for each rank; then all gather the pieces (van de Geijn). Each
// rank sends and receives about twice the message however many there are. The ring takes n-1 steps between neighbours,
// the other way ⌈log₂ n⌉.
func bcastScatter(b *Builder, r Ranks, root int, p Part, ring bool, after Ref) Ref {
	s := cut(p, r.Size)
	got, done := scatterPieces(b, r, root, s, after)
	v := r.from(root)
	if ring {
		return b.Join(done, allgatherRing(b, r, v, s, scatter, got, done))
	}
	return b.Join(done, allgatherCirculant(b, r, v, s, scatter, got, done))
}

// scatterPieces sends the root's pieces along a binomial tree: the one at place v from the root gets piece v, and those
// of the ranks under it on the way. got: it has come; done: all has left.
func scatterPieces(b *Builder, r Ranks, root int, s pieces, after Ref) (got, done Ref) {
	v := r.from(root)
	got, bit := after, 1
	for ; bit < r.Size; bit *= 2 {
		if v&bit != 0 {
			got = b.Recv(r.At(r.Me-bit), s.of(v, min(v+bit, r.Size)), after)
			break
		}
	}
	done = got
	for bit /= 2; bit > 0; bit /= 2 {
		if v+bit < r.Size {
			done = b.Join(done, b.Send(r.At(r.Me+bit), s.of(v+bit, min(v+2*bit, r.Size)), got))
		}
	}
	return got, done
}

// bcastChain passes segments from rank to rank, from the root on: for long messages and few ranks. All but the ends send
// while they receive.
func bcastChain(b *Builder, r Ranks, root int, p Part, segment int, after Ref) Ref {
	v := r.from(root)
	segment, n := cut(p, 1).v.segments(segment)
	done := after
	for i := range n {
		here, s := after, segmentOf(p, segment, n, i)
		if v > 0 {
			here = b.Recv(r.At(r.Me-1), s, after)
			done = b.Join(done, here)
		}
		if v+1 < r.Size {
			done = b.Join(done, b.Send(r.At(r.Me+1), s, here))
		}
	}
	return done
}

// bcastBinaryTree passes segments down a binary tree: each rank sends twice what it receives, over log₂ n hops.
func bcastBinaryTree(b *Builder, r Ranks, root int, p Part, segment int, after Ref) Ref {
	v := r.from(root)
	segment, n := cut(p, 1).v.segments(segment)
	done := after
	for i := range n {
		here, s := after, segmentOf(p, segment, n, i)
		if v > 0 {
			here = b.Recv(r.At(root+(v-1)/2), s, after)
			done = b.Join(done, here)
		}
		for child := 2*v + 1; child <= 2*v+2 && child < r.Size; child++ {
			done = b.Join(done, b.Send(r.At(root+child), s, here))
		}
	}
	return done
}

// manySegments bounds the steps of a very long message.
const manySegments = 256

// segments is the length of a segment of whole elements, and how many the vector has. It has one if segment is 0 or there
// is nothing in it.
func (v Vector) segments(segment int) (length, n int) {
	if segment <= 0 || v.Count == 0 {
		return v.Length(), 1
	}
	count := max(segment/v.Elem, (v.Count+manySegments-1)/manySegments, 1)
	return count * v.Elem, (v.Count + count - 1) / count
}

// segmentOf is the i-th of n segments of p.
func segmentOf(p Part, segment, n, i int) Part {
	if n == 1 {
		return p
	}
	return p.Sub(i*segment, min(segment, p.Length-i*segment))
}

// bcastHosts sends the message to one rank of each host; these send it to the others there.
func bcastHosts(b *Builder, r Ranks, root int, p Part, after Ref) Ref {
	host, first := r.onHost(), r.first(root)
	here := after
	if host.Me == first {
		here = Bcast(b, r.firsts(b, root), int(r.Hosts.of[root]), p, after)
	}
	return Bcast(b, host, first, p, here)
}
