package core

import "math/bits"

// allreduceLong is the length in bytes from which sending halves of the vector
// is worth twice the number of steps.
const allreduceLong = 16 << 10

// Allreduce combines the vectors of all ranks, and gives every rank the result.
func (c *View) Allreduce(send, recv Buffer, f Combine, by Reduction) error {
	k, err := c.begin(opAllreduce, send.Type)
	if err != nil {
		return err
	}
	k.require(k.reducing(send, recv, f))
	if !k.agree(0, send.Len(), by) {
		return k.end()
	}
	s := newScratch(send.Len())
	defer s.free()
	copy(recv.Bytes(), send.Bytes())
	k.allreduce(recv, s.bytes, f)
	return k.end()
}

// allreduce combines the vectors of all ranks into vector at each. Its
// algorithms are for a power of two: the first 2*extra ranks pair up, and the
// odd one of each pair takes part for both. All of them group the vectors
// alike, so that the result does not depend on which one it is.
func (k *call) allreduce(vector Buffer, incoming []byte, f Combine) {
	size, rank := k.comm.group.size, k.comm.rank
	core := 1 << (bits.Len(uint(size)) - 1)
	extra := size - core
	h := hypercube{call: k, extra: extra, size: core, rank: rank - extra}
	if rank < 2*extra {
		if rank%2 == 0 {
			k.send(rank+1, vector.Bytes())
			k.recv(rank+1, vector.Bytes())
			return
		}
		k.recv(rank-1, incoming)
		k.merge(f, vector.Bytes(), incoming, true)
		h.rank = rank / 2
	}
	switch long := vector.Len() >= allreduceLong; {
	case long && vector.Count >= core:
		h.halves(vector, incoming, f)
	case !long && k.comm.process.oversubscribed: // few messages are faster than few steps
		h.tree(vector.Bytes(), incoming, f)
	default:
		h.doubling(vector.Bytes(), incoming, f)
	}
	if rank < 2*extra {
		k.send(rank-1, vector.Bytes())
	}
}

// merge combines mine with a partner's vector into mine; before: the partner's
// comes first. It may spoil theirs.
func (k *call) merge(f Combine, mine, theirs []byte, before bool) {
	if !before {
		k.combine(f, mine, theirs)
		return
	}
	k.combine(f, theirs, mine)
	copy(mine, theirs)
}

// hypercube is the ranks that take part in an Allreduce proper, a power of
// two. They are counted in the order of ranks.
type hypercube struct {
	*call
	size, rank, extra int
}

// partner is the neighbour in one dimension: where it stands here, and its
// rank in the communicator.
func (h *hypercube) partner(bit int) (here, rank int) {
	here = h.rank ^ bit
	return here, h.outside(here)
}

// outside is the rank in the communicator of the one that stands here.
func (h *hypercube) outside(here int) int {
	if here < h.extra {
		return 2*here + 1
	}
	return here + h.extra
}

// tree combines the vectors along a binomial tree, and sends the result back
// the same way.
func (h *hypercube) tree(vector, incoming []byte, f Combine) {
	bit := 1
	for ; bit < h.size && h.rank&bit == 0; bit *= 2 {
		_, child := h.partner(bit)
		h.recv(child, incoming)
		h.combine(f, vector, incoming)
	}
	if bit < h.size {
		_, parent := h.partner(bit)
		h.send(parent, vector)
		h.recv(parent, vector)
	}
	for bit /= 2; bit > 0; bit /= 2 {
		_, child := h.partner(bit)
		h.send(child, vector)
	}
}

// doubling is recursive doubling: after each step twice as many ranks, which
// stand side by side, have the same vector.
func (h *hypercube) doubling(vector, incoming []byte, f Combine) {
	for bit := 1; bit < h.size; bit *= 2 {
		here, rank := h.partner(bit)
		h.exchange(rank, vector, rank, incoming)
		h.merge(f, vector, incoming, here < h.rank)
	}
}

// halves is Rabenseifner's algorithm: partners exchange halves of what they
// have left of the vector, and each combines one of them, until each rank has
// one piece of the result; then they give each other the pieces the same way
// back. The nearest ranks begin, so that what is combined stands side by side.
func (h *hypercube) halves(vector Buffer, incoming []byte, f Combine) {
	type segment struct{ first, count int }
	var kept, given [bits.UintSize]segment
	mine, step := segment{0, vector.Count}, 0
	for bit := 1; bit < h.size; bit *= 2 {
		here, rank := h.partner(bit)
		lower := segment{mine.first, mine.count / 2}
		upper := segment{mine.first + lower.count, mine.count - lower.count}
		keep, give := lower, upper
		if here < h.rank {
			keep, give = upper, lower
		}
		part := vector.part(keep.first, keep.count)
		theirs := incoming[:len(part)]
		h.exchange(rank, vector.part(give.first, give.count), rank, theirs)
		h.merge(f, part, theirs, here < h.rank)
		kept[step], given[step] = keep, give
		mine = keep
		step++
	}
	for bit := h.size / 2; bit > 0; bit /= 2 {
		_, rank := h.partner(bit)
		step--
		keep, give := kept[step], given[step]
		h.exchange(rank, vector.part(keep.first, keep.count), rank, vector.part(give.first, give.count))
	}
}
