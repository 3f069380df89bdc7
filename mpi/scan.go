package mpi

// Scan combines, for each rank, the vectors of the ranks up to and including
// it, in their order, into its recv (MPI_SCAN; MPI 4.1, section 6.12.1). All
// ranks pass a send of the same length, and a recv of that length too, which
// may be the same slice. Collective.
func Scan[T any](c *Comm, send, recv []T, op Op[T]) error {
	return c.scan(opScan, view(send), view(recv), combining(op), recognize(op))
}

// Exscan is Scan of the ranks before this one (MPI_EXSCAN; section 6.12.2).
// The recv of rank 0 is left as it is.
func Exscan[T any](c *Comm, send, recv []T, op Op[T]) error {
	return c.scan(opExscan, view(send), view(recv), combining(op), recognize(op))
}

// scan is recursive doubling: before each step block is the combination of the
// ranks of the aligned block of bit ranks that this one is in, and prefix that
// of the ranks of the block up to this one, or before it.
func (c *Comm) scan(r routine, send, recv elements, f combine, by reduction) error {
	k, err := c.begin(r, send.datatype)
	if err != nil {
		return err
	}
	k.require(k.reducing(send, recv, f))
	if !k.agree(0, len(send.bytes), by) {
		return k.end()
	}
	length := len(send.bytes)
	s := newScratch(3 * length)
	defer s.free()
	block, incoming, spare := s.bytes[:length], s.bytes[length:2*length], s.bytes[2*length:]
	copy(block, send.bytes)
	prefix, some := recv.bytes, r == opScan // the ranks before this one, and maybe itself
	if some {
		copy(prefix, send.bytes)
	}
	for bit := 1; bit < c.group.size; bit *= 2 {
		partner := c.rank ^ bit
		if partner >= c.group.size {
			continue
		}
		k.exchange(partner, block, partner, incoming)
		if partner > c.rank {
			k.combine(f, block, incoming)
			continue
		}
		if some {
			copy(spare, incoming)
			k.combine(f, spare, prefix)
			copy(prefix, spare)
		} else {
			copy(prefix, incoming)
			some = true
		}
		k.combine(f, incoming, block)
		block, incoming = incoming, block
	}
	return k.end()
}
