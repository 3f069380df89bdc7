package schedule

// Scatter gives each rank its block of In of the rank at place root. own is where it goes: in Out, or in place.
func Scatter(b *Builder, r Ranks, root int, own Part, after Ref) Ref {
	length := own.Length
	if b.choose(OpScatter, r.Size, length, false).Algorithm == Linear {
		return scatterLinear(b, r, root, own, func(i int) Part { return Part{In, i * length, length} }, after)
	}
	return scatterBinomial(b, r, root, own, after)
}

// Scatterv is Scatter of blocks of different lengths. own is where this rank's goes, and at says at the root where each is.
func Scatterv(b *Builder, r Ranks, root int, own Part, at func(place int) Part, after Ref) Ref {
	return scatterLinear(b, r, root, own, at, after)
}

// scatterBinomial is gatherBinomial the other way round.
func scatterBinomial(b *Builder, r Ranks, root int, own Part, after Ref) Ref {
	v, length := (r.Me-root+r.Size)%r.Size, own.Length
	t := subtree(v, r.Size)
	switch {
	case v == 0:
		return scatterAtRoot(b, r, own, after)
	case t == 1:
		return b.Recv(r.At(r.Me-v&-v), own, after)
	}
	blocks := b.Scratch(t * length)
	here := b.Recv(r.At(r.Me-v&-v), blocks, after)
	done := b.Copy(own, blocks.Sub(0, length), here)
	for bit := highest(t); bit > 0; bit /= 2 {
		n := subtree(v+bit, r.Size)
		done = b.Join(done, b.Send(r.At(r.Me+bit), blocks.Sub(bit*length, n*length), here))
	}
	return done
}

func scatterAtRoot(b *Builder, r Ranks, own Part, after Ref) Ref {
	length := own.Length
	done := b.Copy(own, Part{In, r.Me * length, length}, after)
	for bit := highest(r.Size); bit > 0; bit /= 2 {
		n, first := subtree(bit, r.Size), (r.Me+bit)%r.Size
		if first+n <= r.Size {
			done = b.Join(done, b.Send(r.At(r.Me+bit), Part{In, first * length, n * length}, after))
			continue
		}
		blocks, fit := b.Scratch(n*length), r.Size-first
		done = b.Join(done, b.Send(r.At(r.Me+bit), blocks,
			b.Copy(blocks.Sub(0, fit*length), Part{In, first * length, fit * length}, after),
			b.Copy(blocks.Sub(fit*length, (n-fit)*length), Part{In, 0, (n - fit) * length}, after)))
	}
	return done
}

// highest is the largest power of two below n, 0 for 1.
func highest(n int) int {
	bit := 1
	for bit < n {
		bit *= 2
	}
	return bit / 2
}

// scatterLinear has the root send each rank its block.
func scatterLinear(b *Builder, r Ranks, root int, own Part, at func(place int) Part, after Ref) Ref {
	if r.Me != root {
		return b.Recv(r.At(root), own, after)
	}
	done := b.Copy(own, at(root), after)
	var open [manyReceives]Ref
	for i := 1; i < r.Size; i++ {
		slot, before := &open[i%manyReceives], after
		if i > manyReceives {
			before = *slot
		}
		place := (root + i) % r.Size
		*slot = b.Send(r.At(place), at(place), before)
		done = b.Join(done, *slot)
	}
	return done
}
