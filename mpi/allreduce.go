package mpi

import "math/bits"

// Allreduce combines the vectors of all ranks with op, in the order of ranks,
// and gives every rank the result in recv (MPI_ALLREDUCE; MPI 4.1, section
// 6.9.6). All ranks pass a send of the same length, and a recv of that length
// too, which may be the same slice (MPI_IN_PLACE). All get the same result to
// the bit. Collective.
func Allreduce[T any](c *Comm, send, recv []T, op Op[T]) error {
	return c.allreduce(view(send), view(recv), combining(op), recognize(op))
}

// allreduceLong is the length in bytes from which sending halves of the vector
// is worth twice the number of steps.
const allreduceLong = 16 << 10

func (c *Comm) allreduce(send, recv elements, f combine, by reduction) error {
	k, err := c.begin(opAllreduce, send.datatype)
	if err != nil {
		return err
	}
	k.require(k.reducing(send, recv, f))
	if !k.agree(0, len(send.bytes), by) {
		return k.end()
	}
	s := newScratch(len(send.bytes))
	defer s.free()
	copy(recv.bytes, send.bytes)
	k.allreduce(recv, s.bytes, f)
	return k.end()
}

// allreduce combines the vectors of all ranks into vector at each. Its
// algorithms are for a power of two: the first 2*extra ranks pair up, and the
// odd one of each pair takes part for both. All of them group the vectors
// alike, so that the result does not depend on which one it is.
func (k *call) allreduce(vector elements, incoming []byte, f combine) {
	size, rank := k.comm.group.size, k.comm.rank
	core := 1 << (bits.Len(uint(size)) - 1)
	extra := size - core
	h := hypercube{call: k, extra: extra, size: core, rank: rank - extra}
	if rank < 2*extra {
		if rank%2 == 0 {
			k.send(rank+1, vector.bytes)
			k.recv(rank+1, vector.bytes)
			return
		}
		k.recv(rank-1, incoming)
		k.merge(f, vector.bytes, incoming, true)
		h.rank = rank / 2
	}
	switch long := len(vector.bytes) >= allreduceLong; {
	case long && vector.count() >= core:
		h.halves(vector, incoming, f)
	case !long && k.comm.process.oversubscribed: // few messages are faster than few steps
		h.tree(vector.bytes, incoming, f)
	default:
		h.doubling(vector.bytes, incoming, f)
	}
	if rank < 2*extra {
		k.send(rank-1, vector.bytes)
	}
}

// merge combines mine with a partner's vector into mine; before: the partner's
// comes first. It may spoil theirs.
func (k *call) merge(f combine, mine, theirs []byte, before bool) {
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
func (h *hypercube) tree(vector, incoming []byte, f combine) {
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
func (h *hypercube) doubling(vector, incoming []byte, f combine) {
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
func (h *hypercube) halves(vector elements, incoming []byte, f combine) {
	type segment struct{ first, count int }
	var kept, given [bits.UintSize]segment
	mine, step := segment{0, vector.count()}, 0
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
