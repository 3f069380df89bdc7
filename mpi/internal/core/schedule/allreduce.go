package schedule

import "math/bits"

// Allreduce combines the vectors in of all, and leaves the result in out of each, equal to the bit (MPI 4.1, section
// 6.9.6). Algorithms that differ only in how many messages they take group alike.
func Allreduce(b *Builder, r Ranks, in, out Part, v Vector, op Op, after Ref) Ref {
	if r.Hosts != nil && op.Commutes && op.Exact {
		return allreduceHosts(b, r, in, out, v, op, after)
	}
	switch c := b.choose(OpAllreduce, r.Size, v.Length(), op.Commutes); c.Algorithm {
	case Doubling:
		return allreduceDoubling(b, r, in, out, after)
	case Tree:
		return allreduceTree(b, r, in, out, after)
	case Gathered:
		return allreduceGathered(b, r, in, out, v, after)
	case Halving:
		return allreduceHalving(b, r, in, out, v, after)
	case Circulant, Ring:
		return allreducePieces(b, r, in, out, v, c.Algorithm == Ring, after)
	default:
		return unknown(OpAllreduce, c)
	}
}

// allreduceDoubling is recursive doubling: after each step twice as many ranks, which stand side by side, have the same
// vector. log₂ n steps with the whole vector, and two more if the number of ranks is no power of two.
func allreduceDoubling(b *Builder, r Ranks, in, out Part, after Ref) Ref {
	h := newHypercube(r, -1)
	peer, before := h.pair()
	if h.me < 0 {
		sent := b.Send(peer, in, after)
		return b.Recv(peer, out, sent)
	}
	paired := h.Me < 2*h.extra
	changes, first := bits.OnesCount(uint(h.me)), h.me&1 != 0
	if paired {
		first = before
		if before {
			changes++
		}
	}
	s := newSum(b, in, out, changes, first, r.Size > 1, after)
	if paired {
		s.take(b, peer, before)
	}
	for bit := 1; bit < h.size; bit *= 2 {
		other := h.me ^ bit
		s.exchange(b, h.rank(other), other < h.me)
	}
	done := b.Copy(out, s.at, s.ready, s.free)
	if paired {
		done = b.Join(done, b.Send(peer, out, done))
	}
	return done
}

// allreduceTree combines the vectors along a binomial tree, and sends the result back the same way: few messages, which
// is faster than few steps where ranks share processors. It groups like allreduceDoubling.
func allreduceTree(b *Builder, r Ranks, in, out Part, after Ref) Ref {
	h := newHypercube(r, -1)
	peer, before := h.pair()
	if h.me < 0 {
		sent := b.Send(peer, in, after)
		return b.Recv(peer, out, sent)
	}
	paired := h.Me < 2*h.extra
	children := bits.TrailingZeros(uint(h.me | h.size)) // in the hypercube
	changes := 0
	if paired && before {
		changes = 1
	}
	s := newSum(b, in, out, changes, changes > 0, paired || children > 0, after)
	if paired {
		s.take(b, peer, before)
	}
	for i := range children {
		s.take(b, h.rank(h.me+1<<i), false)
	}
	var done Ref
	if h.me > 0 {
		parent := h.rank(h.me &^ (1 << children))
		done = b.Recv(parent, out, b.Send(parent, s.at, s.ready), s.free)
	} else {
		done = b.Copy(out, s.at, s.ready, s.free)
	}
	all := done
	for i := children - 1; i >= 0; i-- {
		all = b.Join(all, b.Send(h.rank(h.me+1<<i), out, done))
	}
	if paired {
		all = b.Join(all, b.Send(peer, out, done))
	}
	return all
}

// allreduceGathered gives all vectors to all, and each combines them: ⌈log₂ n⌉ steps, one or two less than doubling where
// the number of ranks is no power of two. For short vectors and few ranks. It groups like allreduceDoubling.
func allreduceGathered(b *Builder, r Ranks, in, out Part, v Vector, after Ref) Ref {
	all := Vector{v.Count * r.Size, v.Elem}
	s := all.cut(b.Scratch(all.Length()), r.Size) // from this rank's vector on
	copied := b.Copy(s.of(0, 1), in, after)
	ready := allgatherCirculant(b, r, 0, s, own, copied, after)
	h := newHypercube(r, -1)
	at := func(place int) Part { return s.around(place-r.Me, 1)[0] }
	for i := range h.extra {
		ready = b.Combine(at(2*i), at(2*i+1), ready)
	}
	first := func(here int) Part {
		if here < h.extra {
			return at(2 * here)
		}
		return at(here + h.extra)
	}
	for bit := 1; bit < h.size; bit *= 2 {
		for i := 0; i < h.size; i += 2 * bit {
			ready = b.Combine(first(i), first(i+bit), ready)
		}
	}
	return b.Copy(out, at(0), ready)
}

// allreduceHalving is Rabenseifner's algorithm: halves of the vector, quarters and so on are exchanged and combined, and
// come back the same way.
func allreduceHalving(b *Builder, r Ranks, in, out Part, v Vector, after Ref) Ref {
	h := halving{hypercube: newHypercube(r, -1)}
	ready, done := h.fold(b, in, out, after)
	peer, _ := h.pair()
	if h.me < 0 {
		return b.Recv(peer, out, done)
	}
	h.reduceScatter(b, out, v, ready)
	done = h.allgather(b)
	if h.Me < 2*h.extra {
		done = b.Join(done, b.Send(peer, out, done))
	}
	return done
}

// allreducePieces leaves a piece of the result at each rank, and gathers them: either in few steps, or around a ring. The
// operation commutes.
func allreducePieces(b *Builder, r Ranks, in, out Part, v Vector, ring bool, after Ref) Ref {
	s := v.cut(out, r.Size)
	if ring {
		got, done := reduceScatterRing(b, r, s.in(in), s, after)
		return allgatherRing(b, r, r.Me, s, own, got, done)
	}
	got, done := reduceScatterCirculant(b, r, s.in(in), s, after)
	return allgatherCirculant(b, r, r.Me, s, own, got, done)
}

// allreduceHosts combines what is on each host first; one rank of each host takes part for all there.
func allreduceHosts(b *Builder, r Ranks, in, out Part, v Vector, op Op, after Ref) Ref {
	host := r.onHost()
	here := Reduce(b, host, 0, in, out, v, op, after)
	if host.Me == 0 {
		here = Allreduce(b, r.firsts(b, int(r.Hosts.local[0])), out, out, v, op, here)
	}
	return Bcast(b, host, 0, out, here)
}
