package mpi

// Gather puts the vectors of all ranks, which have the same length, one after
// the other into root's recv, in the order of ranks (MPI_GATHER; MPI 4.1,
// section 6.5). At root, recv has Size times the length of send, and send may
// be root's own part of it; at other ranks it is not used. Collective.
func Gather[T any](c *Comm, send, recv []T, root int) error {
	return c.gather(view(send), view(recv), root)
}

func (c *Comm) gather(send, recv elements, root int) error {
	k, err := c.begin(opGather, send.datatype)
	if err != nil {
		return err
	}
	k.require(k.rooted(root))
	if c.rank == root {
		k.require(k.even("receive", recv, send))
	}
	if !k.agree(root, len(send.bytes), 0) {
		return k.end()
	}
	k.gatherTree(send.bytes, recv.bytes, root)
	return k.end()
}

// gatherTree gathers along a binomial tree. Ranks are counted from the root,
// so that the blocks of a subtree are in one piece everywhere but at the root,
// where they may have to be put in two.
func (k *call) gatherTree(send, recv []byte, root int) {
	size, length := k.comm.group.size, len(send)
	v := (k.comm.rank - root + size) % size
	t := subtree(v, size)
	s := newScratch(t * length)
	defer s.free()
	blocks := s.bytes
	copy(blocks, send)
	for bit := 1; bit < size && v&bit == 0; bit *= 2 {
		if child := v + bit; child < size {
			n := subtree(child, size)
			k.recv((child+root)%size, blocks[bit*length:(bit+n)*length])
		}
	}
	if v != 0 {
		k.send((v-v&-v+root)%size, blocks)
		return
	}
	turned := (size - root) * length // blocks of the ranks from root on
	copy(recv[root*length:], blocks[:turned])
	copy(recv, blocks[turned:])
}

// subtree is the number of ranks of which v is the first in a binomial tree
// of size ranks, itself included.
func subtree(v, size int) int {
	if v == 0 {
		return size
	}
	return min(v&-v, size-v)
}
