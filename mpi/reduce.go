package mpi

// Reduce combines the vectors of all ranks with op, in the order of ranks, and
// gives root the result in recv (MPI_REDUCE; MPI 4.1, section 6.9.1). All
// ranks pass a send of the same length; recv has that length too, may be the
// same slice, and is not used except at root. Collective.
func Reduce[T any](c *Comm, send, recv []T, op Op[T], root int) error {
	return c.reduce(view(send), view(recv), combining(op), recognize(op), root)
}

func (c *Comm) reduce(send, recv elements, f combine, by reduction, root int) error {
	k, err := c.begin(opReduce, send.datatype)
	if err != nil {
		return err
	}
	if c.rank != root {
		recv = send
	}
	k.require(k.rooted(root))
	k.require(k.reducing(send, recv, f))
	if !k.agree(root, len(send.bytes), by) {
		return k.end()
	}
	length := len(send.bytes)
	s := newScratch(2 * length)
	defer s.free()
	sum, incoming := s.bytes[:length], s.bytes[length:]
	if c.rank == root {
		sum = recv.bytes
	}
	copy(sum, send.bytes)
	k.reduceTree(sum, incoming, f)
	switch {
	case root == 0:
	case c.rank == 0:
		k.send(root, sum)
	case c.rank == root:
		k.recv(0, sum)
	}
	return k.end()
}

// reduceTree combines the vectors of all ranks into sum at rank 0, along a
// binomial tree: whenever rank r receives, it has combined the ranks
// [r, r+bit), and its child [r+bit, r+2*bit).
func (k *call) reduceTree(sum, incoming []byte, f combine) {
	size, rank := k.comm.group.size, k.comm.rank
	for bit := 1; bit < size; bit *= 2 {
		if rank&bit != 0 {
			k.send(rank-bit, sum)
			return
		}
		if rank+bit < size {
			k.recv(rank+bit, incoming)
			k.combine(f, sum, incoming)
		}
	}
}

// combine is left = left ∘ right. If the call has failed it does nothing: the
// vectors may have any content then, which the operation might not bear.
func (k *call) combine(f combine, left, right []byte) {
	if k.err == nil && len(left) > 0 {
		f(left, right)
	}
}
