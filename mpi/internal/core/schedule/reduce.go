package schedule

// Reduce combines the vectors in of all and leaves the result in out of the rank at place root (MPI 4.1, section 6.9.1).
// Elsewhere out is not used. The grouping does not depend on the root, but for Chain.
func Reduce(b *Builder, r Ranks, root int, in, out Part, v Vector, op Op, after Ref) Ref {
	if r.Hosts != nil && op.Commutes && op.Exact {
		return reduceHosts(b, r, root, in, out, v, op, after)
	}
	switch c := b.choose(OpReduce, r.Size, v.Length(), op.Commutes); c.Algorithm {
	case Binomial:
		return reduceBinomial(b, r, root, in, out, after)
	case Circulant:
		return reduceCirculant(b, r, root, in, out, v, after)
	case Halving:
		return reduceHalving(b, r, root, in, out, v, after)
	case Chain:
		return reduceChain(b, r, root, in, out, v, c.Segment, after)
	default:
		return unknown(OpReduce, c)
	}
}

// reduceBinomial combines aligned blocks of 2^i ranks that stand side by side: ⌈log₂ n⌉ steps, each with the whole
// vector. What is combined has the same grouping for any root, and lies at the root if that is one of its ranks, else at
// its first one.
func reduceBinomial(b *Builder, r Ranks, root int, in, out Part, after Ref) Ref {
	changes, first, merges := 0, false, false
	for bit := 1; bit < r.Size; bit *= 2 {
		peer, before, last := binomialPeer(r, root, bit)
		if last {
			break
		}
		if peer >= 0 {
			first = first || before && !merges
			merges = true
			if before {
				changes++
			}
		}
	}
	if r.Me != root && merges {
		out = b.Scratch(in.Length)
	}
	s := newSum(b, in, out, changes, first, merges, after)
	for bit := 1; bit < r.Size; bit *= 2 {
		peer, before, last := binomialPeer(r, root, bit)
		if last {
			return b.Send(r.At(peer), s.at, s.ready)
		}
		if peer >= 0 {
			s.take(b, r.At(peer), before)
		}
	}
	return b.Copy(out, s.at, s.ready, s.free)
}

// binomialPeer says what this rank does when it has the combination of its block of bit ranks. If last is set it sends that to peer, and is
// done. Otherwise it takes peer's combination, which goes before its own if before is set. A negative peer: there is no such rank, and
// nothing to do.
func binomialPeer(r Ranks, root, bit int) (peer int, before, last bool) {
	block := r.Me &^ (bit - 1)
	other := block ^ bit
	if other >= r.Size {
		return -1, false, false
	}
	before = other < block
	peer = other
	if root&^(bit-1) == other {
		return root, before, true
	}
	return peer, before, before && r.Me != root
}

// reduceCirculant leaves a piece of the result at each rank, and gathers them at the root: for long vectors.
func reduceCirculant(b *Builder, r Ranks, root int, in, out Part, v Vector, after Ref) Ref {
	if r.Me != root {
		out = b.Scratch(in.Length)
	}
	s := v.cut(out, r.Size)
	_, done := reduceScatterCirculant(b, r, s.in(in), s, after)
	// Along a binomial tree, in which ranks are counted from the root.
	place := r.from(root)
	for bit := 1; bit < r.Size; bit *= 2 {
		if place&bit != 0 {
			return b.sendBoth(r.At(r.Me-bit), s.around(r.Me, min(bit, r.Size-place)), done)
		}
		if place+bit < r.Size {
			done = b.Join(done, b.recvBoth(r.At(r.Me+bit), s.around(r.Me+bit, min(bit, r.Size-place-bit)), done))
		}
	}
	return done
}

// reduceHalving is reduceCirculant in the order of ranks, Rabenseifner's algorithm.
func reduceHalving(b *Builder, r Ranks, root int, in, out Part, v Vector, after Ref) Ref {
	h := halving{hypercube: newHypercube(r, root)}
	if r.Me != root {
		out = b.Scratch(in.Length)
	}
	ready, done := h.fold(b, in, out, after)
	if h.me < 0 {
		return done
	}
	h.reduceScatter(b, out, v, ready)
	return h.gather(b, out, root)
}

// reduceChain passes segments along the chain of ranks, to the root. The operation commutes; the grouping depends on the
// root.
func reduceChain(b *Builder, r Ranks, root int, in, out Part, v Vector, segment int, after Ref) Ref {
	if r.Size == 1 {
		return b.Copy(out, in, after)
	}
	place := r.from(root)
	segment, n := v.segments(segment)
	if place != 0 && place != r.Size-1 {
		out = b.Scratch(in.Length)
	}
	done := after
	for i := range n {
		mine := segmentOf(in, segment, n, i)
		if place == r.Size-1 {
			done = b.Join(done, b.Send(r.At(r.Me-1), mine, after))
			continue
		}
		sum := segmentOf(out, segment, n, i)
		incoming := sum
		if b.Same(in, out) {
			incoming = b.Scratch(sum.Length)
		}
		here := b.Recv(r.At(r.Me+1), incoming, after)
		if incoming == sum {
			here = b.Combine(sum, mine, here)
		} else {
			here = b.Combine(sum, incoming, here)
		}
		if place > 0 {
			here = b.Send(r.At(r.Me-1), sum, here)
		}
		done = b.Join(done, here)
	}
	return done
}

// reduceHosts combines what is on each host first, at one rank each.
func reduceHosts(b *Builder, r Ranks, root int, in, out Part, v Vector, op Op, after Ref) Ref {
	host, first := r.onHost(), r.first(root)
	if r.Me != root && host.Me == first {
		out = b.Scratch(in.Length)
	}
	here := Reduce(b, host, first, in, out, v, op, after)
	if host.Me != first {
		return here
	}
	// The sum of this host is taken where it is.
	return Reduce(b, r.firsts(b, root), int(r.Hosts.of[root]), out, out, v, op, here)
}
