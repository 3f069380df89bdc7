package core

// Reduce combines the vectors of all ranks, and gives root the result.
func (c *View) Reduce(send, recv Buffer, f Combine, by Reduction, root int) error {
	k, err := c.begin(opReduce, send.Type)
	if err != nil {
		return err
	}
	if c.rank != root {
		recv = send
	}
	k.require(k.rooted(root))
	k.require(k.reducing(send, recv, f))
	if !k.agree(root, send.Len(), by) {
		return k.end()
	}
	length := send.Len()
	s := newScratch(2 * length)
	defer s.free()
	sum, incoming := s.bytes[:length], s.bytes[length:]
	if c.rank == root {
		sum = recv.Bytes()
	}
	copy(sum, send.Bytes())
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
func (k *call) reduceTree(sum, incoming []byte, f Combine) {
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
func (k *call) combine(f Combine, left, right []byte) {
	if k.err == nil && len(left) > 0 {
		f(left, right)
	}
}
