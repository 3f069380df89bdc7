package core

// Gather puts the vectors of all ranks one after the other into root's recv.
func (c *View) Gather(send, recv Buffer, root int) error {
	k, err := c.begin(opGather, send.Type)
	if err != nil {
		return err
	}
	k.require(k.rooted(root))
	if c.rank == root {
		k.require(k.even("receive", recv, send))
	}
	if !k.agree(root, send.Len(), 0) {
		return k.end()
	}
	k.gatherTree(send.Bytes(), recv.Bytes(), root)
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
