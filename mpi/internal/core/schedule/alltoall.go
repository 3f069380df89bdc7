package schedule

// Alltoall sends block i of In, of length bytes, to the rank at place i, which gets it as the block of this rank in Out. In and Out
// may be the same memory, if they are at all ranks.
func Alltoall(b *Builder, r Ranks, length int, after Ref) Ref {
	if length > 0 && b.choose(OpAlltoall, r.Size, length, false).Algorithm == Bruck {
		return alltoallBruck(b, r, length, after)
	}
	return alltoallPairs(b, r,
		func(i int) Part { return Part{In, i * length, length} },
		func(i int) Part { return Part{Out, i * length, length} }, true, after)
}

// Alltoallv is Alltoall of blocks of different lengths: from says where the one for each rank is, to where the one from each
// rank goes. Nothing is sent for a block without bytes. If In and Out are the same memory, they
// must be at all ranks, and each block is the same in both.
func Alltoallv(b *Builder, r Ranks, from, to func(place int) Part, after Ref) Ref {
	return alltoallPairs(b, r, from, to, false, after)
}

// At most maxExchanges exchanges of alltoallPairs are under way, with at most windowBytes to send in all. A single one
// may be longer.
const (
	maxExchanges = 8
	windowBytes  = 256 << 10
)

// alltoallPairs exchanges blocks with all partners, with several at a time. In
// each step a rank sends to one partner and receives from another, so that all
// ranks have about as much to do at any time.
func alltoallPairs(b *Builder, r Ranks, from, to func(place int) Part, empty bool, after Ref) Ref {
	if b.place.on {
		return alltoallInPlace(b, r, to, empty, after)
	}
	done := b.Copy(to(r.Me), from(r.Me), after)
	var window [maxExchanges]struct {
		done  Ref
		bytes int
	}
	first, count, bytes, before := 0, 0, 0, after
	for step := 1; step < r.Size; step++ {
		dest, source := (r.Me+step)%r.Size, (r.Me-step+r.Size)%r.Size
		out, in := from(dest), to(source)
		for waits := Start; count == maxExchanges || count > 0 && bytes+out.Length > windowBytes; before = waits {
			w := &window[first]
			waits, bytes = b.Join(waits, w.done), bytes-w.bytes
			first, count = (first+1)%maxExchanges, count-1
		}
		both := after
		if empty || in.Length > 0 {
			both = b.Recv(r.At(source), in, before)
		}
		if empty || out.Length > 0 {
			both = b.Join(both, b.Send(r.At(dest), out, before))
		}
		w := &window[(first+count)%maxExchanges]
		w.done, w.bytes = both, out.Length
		count, bytes = count+1, bytes+out.Length
		done = b.Join(done, both)
	}
	return done
}

// alltoallBruck is Bruck's algorithm: a block that has to go d places on goes in
// steps of the powers of two that make d, all blocks that take a step in one
// message. Blocks are counted by the distance that they have to go.
func alltoallBruck(b *Builder, r Ranks, length int, after Ref) Ref {
	size := r.Size
	blocks := b.Scratch(size * length)
	half := (size + 1) / 2
	ready := b.Copy(blocks.Sub(0, (size-r.Me)*length), Part{In, r.Me * length, (size - r.Me) * length}, after)
	ready = b.Join(ready, b.Copy(blocks.Sub((size-r.Me)*length, r.Me*length), Part{In, 0, r.Me * length}, after))
	for bit := 1; bit < size; bit *= 2 {
		out, in := b.Scratch(half*length), b.Scratch(half*length)
		n, packed := 0, Ref(Start)
		for d := bit; d < size; d++ {
			if d&bit != 0 {
				packed = b.Join(packed, b.Copy(out.Sub(n*length, length), blocks.Sub(d*length, length), ready))
				n++
			}
		}
		sent := b.Send(r.At(r.Me+bit), out.Sub(0, n*length), packed)
		got := b.Recv(r.At(r.Me-bit), in.Sub(0, n*length), after)
		n = 0
		next := sent
		for d := bit; d < size; d++ {
			if d&bit != 0 {
				next = b.Join(next, b.Copy(blocks.Sub(d*length, length), in.Sub(n*length, length), got, packed))
				n++
			}
		}
		ready = b.Join(next, ready)
	}
	done := ready
	for d := range size { // what has come d places on is from d places before
		place := (r.Me - d + size) % size
		done = b.Join(done, b.Copy(Part{Out, place * length, length}, blocks.Sub(d*length, length), ready))
	}
	return done
}
