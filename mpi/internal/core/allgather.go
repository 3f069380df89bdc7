package core

// allgatherLong is the length in bytes of the whole result from which the ring
// wins: it copies nothing, in as many steps as there are ranks.
const allgatherLong = 64 << 10

// Allgather puts the vectors of all ranks one after the other into every rank's recv.
func (c *View) Allgather(send, recv Buffer) error {
	k, err := c.begin(opAllgather, send.Type)
	if err != nil {
		return err
	}
	k.require(k.even("receive", recv, send))
	return k.allgather(send, recv)
}

func (k *call) allgather(send, recv Buffer) error {
	if !k.agree(0, send.Len(), 0) {
		return k.end()
	}
	if recv.Len() >= allgatherLong {
		counts := make([]int, k.comm.group.size)
		for i := range counts {
			counts[i] = send.Count
		}
		layout := k.resolve(Layout{Counts: counts}, "receive", recv)
		k.allgatherRing(send.Bytes(), recv, layout)
	} else {
		k.allgatherBruck(send.Bytes(), recv.Bytes())
	}
	return k.end()
}

// allgatherBruck is Bruck's algorithm, for any number of ranks in as many steps
// as its logarithm: in each, a rank gets as many blocks as it has from a rank
// after it. It counts the blocks from its own.
func (k *call) allgatherBruck(send, recv []byte) {
	size, rank, length := k.comm.group.size, k.comm.rank, len(send)
	s := newScratch(size * length)
	defer s.free()
	blocks := s.bytes
	copy(blocks, send)
	for have := 1; have < size; have *= 2 {
		n := min(have, size-have) * length
		k.exchange((rank-have+size)%size, blocks[:n], (rank+have)%size, blocks[have*length:have*length+n])
	}
	turned := (size - rank) * length // blocks of the ranks from this one on
	copy(recv[rank*length:], blocks[:turned])
	copy(recv, blocks[turned:])
}

// Allgatherv is Allgather of vectors of different lengths.
func (c *View) Allgatherv(send, recv Buffer, layout Layout) error {
	k, err := c.begin(opAllgatherv, send.Type)
	if err != nil {
		return err
	}
	layout = k.resolve(layout, "receive", recv)
	k.own(layout, "receive", recv, send)
	counts := 0
	for _, n := range layout.Counts {
		counts = mix(counts, n)
	}
	if !k.agree(0, counts, 0) {
		return k.end()
	}
	k.allgatherRing(send.Bytes(), recv, layout)
	return k.end()
}

// allgatherRing passes the blocks around the ring of all ranks.
func (k *call) allgatherRing(send []byte, recv Buffer, layout Layout) {
	size, rank := k.comm.group.size, k.comm.rank
	copy(layout.part(recv, rank), send)
	next, previous := (rank+1)%size, (rank-1+size)%size
	for step := range size - 1 {
		out, in := (rank-step+size)%size, (rank-step-1+size)%size
		k.exchange(next, layout.part(recv, out), previous, layout.part(recv, in))
	}
}
