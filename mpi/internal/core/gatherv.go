package core

import "github.com/sctpmpi/sctpmpi/mpi/rpi"

// Gatherv is Gather of vectors of different lengths. It is linear: root receives from all ranks at once.
func (c *View) Gatherv(send, recv Buffer, layout Layout, root int) error {
	k, err := c.begin(opGatherv, send.Type)
	if err != nil {
		return err
	}
	k.require(k.rooted(root))
	if c.rank == root {
		layout = k.resolve(layout, "receive", recv)
		k.own(layout, "receive", recv, send)
	}
	if !k.agree(root, 0, 0) {
		return k.end()
	}
	if c.rank != root {
		k.send(root, send.Bytes())
		return k.end()
	}
	k.all(func(rank int) *rpi.Request { return k.startRecv(rank, layout.part(recv, rank)) })
	copy(layout.part(recv, root), send.Bytes())
	return k.end()
}

// Scatterv is Scatter of parts of different lengths. It is linear: root sends to all ranks at once.
func (c *View) Scatterv(send Buffer, layout Layout, recv Buffer, root int) error {
	k, err := c.begin(opScatterv, send.Type)
	if err != nil {
		return err
	}
	k.require(k.rooted(root))
	if c.rank == root {
		layout = k.resolve(layout, "send", send)
		k.own(layout, "send", send, recv)
	}
	if !k.agree(root, 0, 0) {
		return k.end()
	}
	if c.rank != root {
		k.recv(root, recv.Bytes())
		return k.end()
	}
	k.all(func(rank int) *rpi.Request { return k.startSend(rank, layout.part(send, rank)) })
	copy(recv.Bytes(), layout.part(send, root))
	return k.end()
}

// all starts one request for each other rank, and waits for them.
func (k *call) all(start func(rank int) *rpi.Request) {
	requests := make([]*rpi.Request, 0, k.comm.group.size-1)
	for rank := range k.comm.group.size {
		if rank != k.comm.rank {
			requests = append(requests, start(rank))
		}
	}
	for _, r := range requests {
		k.wait(r)
	}
}
