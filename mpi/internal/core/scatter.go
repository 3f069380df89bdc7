package core

// Scatter gives each rank its part of root's send.
func (c *View) Scatter(send, recv Buffer, root int) error {
	k, err := c.begin(opScatter, recv.Type)
	if err != nil {
		return err
	}
	k.require(k.rooted(root))
	if c.rank == root {
		k.require(k.even("send", send, recv))
	}
	if !k.agree(root, recv.Len(), 0) {
		return k.end()
	}
	k.scatterTree(send.Bytes(), recv.Bytes(), root)
	return k.end()
}

// scatterTree scatters along the tree of gatherTree.
func (k *call) scatterTree(send, recv []byte, root int) {
	size, length := k.comm.group.size, len(recv)
	v := (k.comm.rank - root + size) % size
	s := newScratch(subtree(v, size) * length)
	defer s.free()
	blocks := s.bytes
	if v == 0 {
		turned := copy(blocks, send[root*length:])
		copy(blocks[turned:], send[:root*length])
	} else {
		k.recv((v-v&-v+root)%size, blocks)
	}
	top := 1
	for top < size && v&top == 0 {
		top *= 2
	}
	for bit := top / 2; bit > 0; bit /= 2 {
		if child := v + bit; child < size {
			n := subtree(child, size)
			k.send((child+root)%size, blocks[bit*length:(bit+n)*length])
		}
	}
	copy(recv, blocks[:length])
}
