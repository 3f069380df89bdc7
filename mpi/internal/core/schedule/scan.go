package schedule

// Scan combines, for each rank, the vectors in of those up to it, into its out (MPI 4.1, section 6.11).
func Scan(b *Builder, r Ranks, in, out Part, v Vector, op Op, after Ref) Ref {
	return scan(b, r, in, out, v, op, false, after)
}

// Exscan is Scan of those before it. At the first one nothing is written to out.
func Exscan(b *Builder, r Ranks, in, out Part, v Vector, op Op, after Ref) Ref {
	return scan(b, r, in, out, v, op, true, after)
}

func scan(b *Builder, r Ranks, in, out Part, v Vector, op Op, exclusive bool, after Ref) Ref {
	switch c := b.choose(OpScan, r.Size, v.Length(), op.Commutes); c.Algorithm {
	case Doubling:
		return scanDoubling(b, r, in, out, exclusive, after)
	case Chain:
		return scanChain(b, r, in, out, v, c.Segment, exclusive, after)
	default:
		return unknown(OpScan, c)
	}
}

// scanDoubling takes ⌈log₂ n⌉ steps with the whole vector. Before a step the ranks form aligned blocks of bit ranks. Then block is
// the combination of this rank's block, and prefix that of its first ranks: up to this rank, or up to the rank before.
func scanDoubling(b *Builder, r Ranks, in, out Part, exclusive bool, after Ref) Ref {
	if r.Size == 1 {
		if exclusive {
			return after
		}
		return b.Copy(out, in, after)
	}
	block, incoming, prefix := b.Scratch(in.Length), b.Scratch(in.Length), b.Scratch(in.Length)
	ready := b.Copy(block, in, after) // block is complete
	free := after                     // incoming is not in use
	some, has := after, !exclusive    // prefix is complete, and there is one
	if has {
		some = b.Copy(prefix, in, after)
	}
	done := ready
	for bit := 1; bit < r.Size; bit *= 2 {
		other := r.Me ^ bit
		if other >= r.Size {
			continue
		}
		sent := b.Send(r.At(other), block, ready)
		came := b.Recv(r.At(other), incoming, free)
		done = b.Join(done, sent)
		if other > r.Me {
			ready = b.Combine(block, incoming, came, ready, sent)
			free = ready
			continue
		}
		// theirs ∘ prefix, and theirs ∘ block
		if has {
			spare := b.Scratch(in.Length)
			some = b.Combine(spare, prefix, b.Copy(spare, incoming, came), some)
			prefix = spare
		} else {
			some, has = b.Copy(prefix, incoming, came), true
		}
		ready = b.Combine(incoming, block, came, ready, some)
		block, incoming = incoming, block
		free = b.Join(ready, sent)
	}
	if !has {
		return b.Join(done, ready)
	}
	return b.Join(done, ready, b.Copy(out, prefix, some, done))
}

// scanChain passes segments along the chain of ranks: for long vectors and few ranks.
func scanChain(b *Builder, r Ranks, in, out Part, v Vector, segment int, exclusive bool, after Ref) Ref {
	segment, n := v.segments(segment)
	last, whole := r.Me+1 == r.Size, Part{}
	if r.Me > 0 && (exclusive || b.Same(in, out)) {
		whole = b.Scratch(in.Length)
	}
	done := after
	for i := range n {
		mine, result, spare := segmentOf(in, segment, n, i), segmentOf(out, segment, n, i), segmentOf(whole, segment, n, i)
		here := after
		switch {
		case r.Me == 0:
			if !exclusive {
				here = b.Copy(result, mine, after)
				done = b.Join(done, here)
			}
			if !last {
				done = b.Join(done, b.Send(r.At(1), mine, after))
			}
			continue
		case exclusive:
			here = b.Recv(r.At(r.Me-1), spare, after)
			sum := here
			if !last {
				next := b.Scratch(mine.Length)
				sum = b.Combine(next, mine, b.Copy(next, spare, here))
				done = b.Join(done, b.Send(r.At(r.Me+1), next, sum))
			}
			done = b.Join(done, b.Copy(result, spare, sum))
			continue
		case b.Same(in, out):
			here = b.Combine(spare, mine, b.Recv(r.At(r.Me-1), spare, after))
			done = b.Join(done, b.Copy(result, spare, here))
			result = spare
		default:
			here = b.Combine(result, mine, b.Recv(r.At(r.Me-1), result, after))
			done = b.Join(done, here)
		}
		if !last {
			done = b.Join(done, b.Send(r.At(r.Me+1), result, here))
		}
	}
	return done
}
