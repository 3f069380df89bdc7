package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Up to alltoallShort bytes for each rank, and from alltoallMany ranks on,
// fewer messages are worth sending each byte several times.
const (
	alltoallShort = 256
	alltoallMany  = 8
)

// Alltoall sends part i of each rank's send to rank i.
func (c *View) Alltoall(send, recv Buffer) error {
	k, err := c.begin(opAlltoall, send.Type)
	if err != nil {
		return err
	}
	size := c.group.size
	k.require(k.divisible(send, recv))
	if !k.agree(0, send.Len(), 0) {
		return k.end()
	}
	if block := send.Len() / size; block <= alltoallShort && size >= alltoallMany {
		k.alltoallBruck(send.Bytes(), recv.Bytes(), block)
	} else {
		k.alltoallPairs(
			func(rank int) []byte { return send.Bytes()[rank*block : (rank+1)*block] },
			func(rank int) []byte { return recv.Bytes()[rank*block : (rank+1)*block] })
	}
	return k.end()
}

// divisible checks the buffers of Alltoall.
func (k *call) divisible(send, recv Buffer) *mpierr.Error {
	size := k.comm.group.size
	switch {
	case k.err != nil:
	case send.Count%size != 0:
		return mpierr.Invalid(k.op, rpi.ErrCount, "the send buffer has %s, which cannot be divided evenly among %d ranks", mpierr.Plural(send.Count, "element"), size)
	case send.Len() != recv.Len():
		return k.lengths(send, recv)
	case overlapping(send.Bytes(), recv.Bytes()):
		return mpierr.Invalid(k.op, rpi.ErrBuffer, "the send and the receive buffer overlap")
	}
	return nil
}

// lengths is the error of buffers of different lengths.
func (k *call) lengths(send, recv Buffer) *mpierr.Error {
	return mpierr.Invalid(k.op, rpi.ErrCount, "the receive buffer has %s, the send buffer %d: they must have the same length",
		mpierr.Plural(recv.Count, "element"), send.Count)
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

// Alltoallv is Alltoall of parts of different lengths.
func (c *View) Alltoallv(send Buffer, sendLayout Layout, recv Buffer, recvLayout Layout) error {
	k, err := c.begin(opAlltoallv, send.Type)
	if err != nil {
		return err
	}
	sendLayout = k.resolve(sendLayout, "send", send)
	recvLayout = k.resolve(recvLayout, "receive", recv)
	if k.err == nil {
		if out, in := sendLayout.Counts[c.rank], recvLayout.Counts[c.rank]; out != in {
			k.require(mpierr.Invalid(k.op, rpi.ErrCount, "this rank sends itself %s, but expects %d", mpierr.Plural(out, "element"), in))
		} else if overlapping(send.Bytes(), recv.Bytes()) {
			k.require(mpierr.Invalid(k.op, rpi.ErrBuffer, "the send and the receive buffer overlap"))
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
