package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// bcastLong is the length in bytes from which a broadcast is worth cutting in
// pieces: below, the latency of its size-1 more steps outweighs that no rank
// has to send the whole message several times.
const bcastLong = 128 << 10

// Bcast sends root's buffer to all ranks.
func (c *View) Bcast(e Buffer, root int) error {
	k, err := c.begin(opBcast, e.Type)
	if err != nil {
		return err
	}
	k.require(k.rooted(root))
	if !k.agree(root, e.Len(), 0) {
		return k.end()
	}
	if e.Len() >= bcastLong && c.group.size > 2 {
		k.bcastPieces(e, root)
	} else {
		k.bcastTree(e.Bytes(), root)
	}
	return k.end()
}

// rooted checks the root of a collective operation.
func (k *call) rooted(root int) *mpierr.Error {
	if size := k.comm.group.size; root < 0 || root >= size {
		return mpierr.Invalid(k.op, rpi.ErrRoot, "root %d is not in a communicator of %s", root, mpierr.Plural(size, "rank"))
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
func (k *call) bcastPieces(e Buffer, root int) {
	size, count := k.comm.group.size, e.Count
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
