package schedule

// Allgather puts the blocks of all ranks, In of length bytes each, one after the other into every rank's Out.
func Allgather(b *Builder, r Ranks, length int, after Ref) Ref {
	return Allgatherv(b, r, Part{In, 0, length}, func(i int) Part { return Part{Out, i * length, length} }, length*r.Size, after)
}

// Allgatherv is Allgather of blocks of different lengths: own is this rank's, and at says where each goes. total is the sum of
// the lengths.
func Allgatherv(b *Builder, r Ranks, own Part, at func(place int) Part, total int, after Ref) Ref {
	ring := b.choose(OpAllgather, r.Size, total, false).Algorithm == Ring
	switch {
	case r.twoLevels(ring):
		return allgatherHosts(b, r, own, at, total, after)
	case ring:
		return ringOfBlocks(b, r, own, at, after)
	}
	return bruckOfBlocks(b, r, own, at, after)
}

// ringOfBlocks passes the blocks around the ring of all ranks: n-1 steps, nothing is copied but the own block.
func ringOfBlocks(b *Builder, r Ranks, own Part, at func(place int) Part, after Ref) Ref {
	here := b.Copy(at(r.Me), own, after)
	done := here
	for step := range r.Size - 1 {
		out, in := (r.Me-step+r.Size)%r.Size, (r.Me-step-1+r.Size)%r.Size
		sent := b.Send(r.At(r.Me+1), at(out), here)
		here = b.Recv(r.At(r.Me-1), at(in), after)
		done = b.Join(done, sent, here)
	}
	return done
}

// bruckOfBlocks is Bruck's algorithm, for any number of ranks in ⌈log₂ n⌉ steps: in each, a rank gets as many blocks as it has
// from a rank after it. It counts the blocks from its own.
func bruckOfBlocks(b *Builder, r Ranks, own Part, at func(place int) Part, after Ref) Ref {
	total := 0
	for i := range r.Size {
		total += at(i).Length
	}
	blocks := b.Scratch(total)
	span := func(places int) (length int) { // of the first so many blocks
		for i := range places {
			length += at((r.Me + i) % r.Size).Length
		}
		return length
	}
	first := own.Length
	here := b.Copy(blocks.Sub(0, first), own, after)
	done, filled := here, first
	for have := 1; have < r.Size; have *= 2 {
		n := min(have, r.Size-have)
		sent := b.Send(r.At(r.Me-have), blocks.Sub(0, span(n)), here)
		length := span(have+n) - filled
		here = b.Join(here, b.Recv(r.At(r.Me+have), blocks.Sub(filled, length), after))
		filled += length
		done = b.Join(done, sent)
	}
	from := 0
	for i := 0; i < r.Size; { // blocks that follow each other in both are copied together
		place := (r.Me + i) % r.Size
		p := at(place)
		for i++; i < r.Size; i++ {
			next := at((r.Me + i) % r.Size)
			if next.Offset != p.Offset+p.Length {
				break
			}
			p.Length += next.Length
		}
		done = b.Join(done, b.Copy(p, blocks.Sub(from, p.Length), here))
		from += p.Length
	}
	return done
}
