package mpi

// Alltoall sends part i of each rank's send to rank i, which puts it at the
// sender's place in recv (MPI_ALLTOALL; MPI 4.1, section 6.8). Both buffers
// have the same length, a multiple of Size, on all ranks; they must not
// overlap. Collective.
func Alltoall[T any](c *Comm, send, recv []T) error {
	return c.alltoall(view(send), view(recv))
}

// Up to alltoallShort bytes for each rank, and from alltoallMany ranks on,
// fewer messages are worth sending each byte several times.
const (
	alltoallShort = 256
	alltoallMany  = 8
)

func (c *Comm) alltoall(send, recv elements) error {
	k, err := c.begin(opAlltoall, send.datatype)
	if err != nil {
		return err
	}
	size := c.group.size
	k.require(k.divisible(send, recv))
	if !k.agree(0, len(send.bytes), 0) {
		return k.end()
	}
	if block := len(send.bytes) / size; block <= alltoallShort && size >= alltoallMany {
		k.alltoallBruck(send.bytes, recv.bytes, block)
	} else {
		k.alltoallPairs(
			func(rank int) []byte { return send.bytes[rank*block : (rank+1)*block] },
			func(rank int) []byte { return recv.bytes[rank*block : (rank+1)*block] })
	}
	return k.end()
}

// divisible checks the buffers of Alltoall.
func (k *call) divisible(send, recv elements) *Error {
	size := k.comm.group.size
	switch {
	case k.err != nil:
	case send.count()%size != 0:
		return invalid(k.op, ErrCount, "the send buffer has %s, which cannot be divided evenly among %d ranks", plural(send.count(), "element"), size)
	case len(send.bytes) != len(recv.bytes):
		return k.lengths(send, recv)
	case overlapping(send.bytes, recv.bytes):
		return invalid(k.op, ErrBuffer, "the send and the receive buffer overlap")
	}
	return nil
}

// lengths is the error of buffers of different lengths.
func (k *call) lengths(send, recv elements) *Error {
	return invalid(k.op, ErrCount, "the receive buffer has %s, the send buffer %d: they must have the same length",
		plural(recv.count(), "element"), send.count())
}

// alltoallPairs exchanges blocks with all partners, with several at a time. In
// each step a rank sends to one partner and receives from another, so that all
// ranks have about as much to do at any time.
func (k *call) alltoallPairs(send, recv func(rank int) []byte) {
	size, rank := k.comm.group.size, k.comm.rank
	copy(recv(rank), send(rank))
	w := window{call: k}
	for step := 1; step < size; step++ {
		to, from := (rank+step)%size, (rank-step+size)%size
		w.exchange(to, send(to), from, recv(from))
	}
	w.finish()
}

// alltoallBruck is Bruck's algorithm: a block that has to go d ranks on goes in
// steps of the powers of two that make d, all blocks that take a step in one
// message. Blocks are counted by the distance they have to go.
func (k *call) alltoallBruck(send, recv []byte, length int) {
	size, rank := k.comm.group.size, k.comm.rank
	s := newScratch(2 * size * length)
	defer s.free()
	blocks, message := s.bytes[:size*length], s.bytes[size*length:]
	block := func(b []byte, i int) []byte { return b[i*length : (i+1)*length] }
	for d := range size {
		copy(block(blocks, d), block(send, (rank+d)%size))
	}
	for bit := 1; bit < size; bit *= 2 {
		n := 0
		for d := range size {
			if d&bit != 0 {
				copy(block(message, n), block(blocks, d))
				n++
			}
		}
		// At most half of the blocks take a step, so both messages fit.
		out, in := message[:n*length], message[n*length:2*n*length]
		k.exchange((rank+bit)%size, out, (rank-bit+size)%size, in)
		n = 0
		for d := range size {
			if d&bit != 0 {
				copy(block(blocks, d), block(in, n))
				n++
			}
		}
	}
	for d := range size { // what has come d ranks on is from d ranks before
		copy(block(recv, (rank-d+size)%size), block(blocks, d))
	}
}

// Alltoallv is Alltoall of parts of different lengths: the layouts say where
// the part for each rank is in send, and where that from each rank goes in
// recv (MPI_ALLTOALLV; section 6.8). What rank i sends to rank j must have the
// length that j expects from i. The buffers must not overlap. Collective.
func Alltoallv[T any](c *Comm, send []T, sendLayout Layout, recv []T, recvLayout Layout) error {
	return c.alltoallv(view(send), sendLayout, view(recv), recvLayout)
}

func (c *Comm) alltoallv(send elements, sendLayout Layout, recv elements, recvLayout Layout) error {
	k, err := c.begin(opAlltoallv, send.datatype)
	if err != nil {
		return err
	}
	sendLayout = k.resolve(sendLayout, "send", send)
	recvLayout = k.resolve(recvLayout, "receive", recv)
	if k.err == nil {
		if out, in := sendLayout.Counts[c.rank], recvLayout.Counts[c.rank]; out != in {
			k.require(invalid(k.op, ErrCount, "this rank sends itself %s, but expects %d", plural(out, "element"), in))
		} else if overlapping(send.bytes, recv.bytes) {
			k.require(invalid(k.op, ErrBuffer, "the send and the receive buffer overlap"))
		}
	}
	if !k.agree(0, 0, 0) {
		return k.end()
	}
	k.alltoallPairs(
		func(rank int) []byte { return sendLayout.part(send, rank) },
		func(rank int) []byte { return recvLayout.part(recv, rank) })
	return k.end()
}
