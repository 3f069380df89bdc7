package mpi

// Bcast sends root's buf to all ranks, whose buf must have the same length
// (MPI_BCAST; MPI 4.1, section 6.4). Collective.
func Bcast[T any](c *Comm, buf []T, root int) error {
	return c.bcast(view(buf), root)
}

// bcastLong is the length in bytes from which a broadcast is worth cutting in
// pieces: below, the latency of its size-1 more steps outweighs that no rank
// has to send the whole message several times.
const bcastLong = 128 << 10

func (c *Comm) bcast(e elements, root int) error {
	k, err := c.begin(opBcast, e.datatype)
	if err != nil {
		return err
	}
	k.require(k.rooted(root))
	if !k.agree(root, len(e.bytes), 0) {
		return k.end()
	}
	if len(e.bytes) >= bcastLong && c.group.size > 2 {
		k.bcastPieces(e, root)
	} else {
		k.bcastTree(e.bytes, root)
	}
	return k.end()
}

// rooted checks the root of a collective operation.
func (k *call) rooted(root int) *Error {
	if size := k.comm.group.size; root < 0 || root >= size {
		return invalid(k.op, ErrRoot, "root %d is not in a communicator of %s", root, plural(size, "rank"))
	}
	return nil
}

// bcastTree broadcasts along a binomial tree. Ranks are counted from the root.
func (k *call) bcastTree(b []byte, root int) {
	size := k.comm.group.size
	v := (k.comm.rank - root + size) % size
	bit := 1
	for ; bit < size; bit *= 2 {
		if v&bit != 0 {
			k.recv((v-bit+root)%size, b)
			break
		}
	}
	for bit /= 2; bit > 0; bit /= 2 {
		if v+bit < size {
			k.send((v+bit+root)%size, b)
		}
	}
}

// bcastPieces scatters the message along a binomial tree, a piece for each
// rank, and passes the pieces around the ring of all ranks (van de Geijn), so
// that each rank sends and receives about twice the message however many
// ranks there are. Ranks are counted from the root.
func (k *call) bcastPieces(e elements, root int) {
	size, count := k.comm.group.size, e.count()
	v := (k.comm.rank - root + size) % size
	pieces := func(from, to int) []byte { // that are for the ranks [from, to)
		first, last := pieceStart(count, size, from), pieceStart(count, size, min(to, size))
		return e.part(first, last-first)
	}
	bit := 1
	for ; bit < size; bit *= 2 {
		if v&bit != 0 {
			k.recv((v-bit+root)%size, pieces(v, v+bit))
			break
		}
	}
	for bit /= 2; bit > 0; bit /= 2 {
		if v+bit < size {
			k.send((v+bit+root)%size, pieces(v+bit, v+2*bit))
		}
	}
	next, previous := (v+1+root)%size, (v-1+root+size)%size
	for step := range size - 1 {
		out, in := (v-step+size)%size, (v-step-1+size)%size
		k.exchange(next, pieces(out, out+1), previous, pieces(in, in+1))
	}
}

// pieceStart is where the i-th of n nearly equal pieces of count elements
// starts.
func pieceStart(count, n, i int) int {
	return count/n*i + min(i, count%n)
}
