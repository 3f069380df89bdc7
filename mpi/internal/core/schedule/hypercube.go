package schedule

import "math/bits"

// hypercube is a power of two of ranks, in the order of ranks. If there are more, the first 2·extra pair up, and one of
// each pair takes part for both. All of its algorithms group alike: the result does not depend on which one it is.
type hypercube struct {
	Ranks
	root        int
	extra, size int
	// me is this rank's place among them, negative if another one takes part for it.
	me int
}

// newHypercube makes a hypercube. root takes part by itself; negative if it does not matter which one of a pair does.
func newHypercube(r Ranks, root int) hypercube {
	h := hypercube{Ranks: r, root: root, size: 1 << (bits.Len(uint(r.Size)) - 1)}
	h.extra = r.Size - h.size
	switch {
	case r.Me >= 2*h.extra:
		h.me = r.Me - h.extra
	case h.place(r.Me/2) == r.Me:
		h.me = r.Me / 2
	default:
		h.me = -1
	}
	return h
}

// place is the place among the ranks of the one that stands here in the hypercube.
func (h *hypercube) place(here int) int {
	switch {
	case here >= h.extra:
		return here + h.extra
	case 2*here == h.root:
		return h.root
	}
	return 2*here + 1
}

// rank is the rank in the communicator of the one that stands here.
func (h *hypercube) rank(here int) int { return h.At(h.place(here)) }

// pair is the rank with which this one is paired, in the communicator, and whether it comes before.
func (h *hypercube) pair() (rank int, before bool) { return h.At(h.Me ^ 1), h.Me&1 != 0 }

// fold combines pairs into out. It returns when that is complete, or what this rank has sent if another one takes part
// for it.
func (h *hypercube) fold(b *Builder, in, out Part, after Ref) (ready, done Ref) {
	peer, before := h.pair()
	switch {
	case h.me < 0:
		done = b.Send(peer, in, after)
		return done, done
	case h.Me >= 2*h.extra:
		ready = b.Copy(out, in, after)
		return ready, ready
	}
	changes := 0
	if before {
		changes = 1
	}
	s := newSum(b, in, out, changes, before, true, after)
	s.take(b, peer, before)
	ready = b.Copy(out, s.at, s.ready, s.free)
	return ready, ready
}

// halving is a hypercube that has halved a vector. It keeps the way back: what was kept in each step, and what was given
// away.
type halving struct {
	hypercube
	kept, given [bits.UintSize]Part
	steps       int
	ready, done Ref
}

// reduceScatter halves the vector in each step: partners exchange halves of what they have left, and each combines one of
// them, until each has one piece of the result. The nearest ranks begin, so that what is combined stands side by side.
func (h *halving) reduceScatter(b *Builder, vector Part, v Vector, ready Ref) {
	h.ready, h.done = ready, ready
	first, count := 0, v.Count
	incoming := b.Scratch((count + 1) / 2 * v.Elem)
	used := ready
	for bit := 1; bit < h.size; bit *= 2 {
		other := h.me ^ bit
		lower := vector.Sub(first*v.Elem, count/2*v.Elem)
		upper := vector.Sub((first+count/2)*v.Elem, (count-count/2)*v.Elem)
		keep, give := lower, upper
		if other < h.me {
			keep, give = upper, lower
			first += count / 2
			count -= count / 2
		} else {
			count /= 2
		}
		theirs := incoming.Sub(0, keep.Length)
		sent := b.Send(h.rank(other), give, h.ready)
		here := b.Recv(h.rank(other), theirs, used)
		if other < h.me {
			here = b.Copy(keep, theirs, b.Combine(theirs, keep, here, h.ready))
		} else {
			here = b.Combine(keep, theirs, here, h.ready)
		}
		h.kept[h.steps], h.given[h.steps] = keep, give
		h.steps++
		h.ready, used = here, here
		h.done = b.Join(h.done, sent, here)
	}
}

// allgather gives the pieces of reduceScatter to all, the same way back.
func (h *halving) allgather(b *Builder) Ref {
	for bit := h.size / 2; bit > 0; bit /= 2 {
		h.steps--
		peer := h.rank(h.me ^ bit)
		sent := b.Send(peer, h.kept[h.steps], h.ready)
		here := b.Recv(peer, h.given[h.steps], h.done)
		h.ready = b.Join(h.ready, here)
		h.done = b.Join(h.done, sent, here)
	}
	return h.done
}

// gather gives the pieces to the one at place root alone. vector is where they are.
func (h *halving) gather(b *Builder, vector Part, root int) Ref {
	top := root - h.extra
	if root < 2*h.extra {
		top = root / 2
	}
	for bit := h.size / 2; bit > 0; bit /= 2 {
		h.steps--
		other := h.me ^ bit
		if (h.me^top)&bit != 0 {
			return b.Join(h.done, b.Send(h.rank(other), h.kept[h.steps], h.ready))
		}
		here := b.Recv(h.rank(other), h.given[h.steps], h.done)
		h.ready = b.Join(h.ready, here)
		h.done = b.Join(h.done, here)
	}
	return h.done
}
