package mpi

import "github.com/sctpmpi/sctpmpi/mpi/rpi"

// Gatherv is Gather of vectors of different lengths: root's layout says how
// long each rank's is and where in recv it goes (MPI_GATHERV; MPI 4.1, section
// 6.5). recv and layout are not used at other ranks. Collective.
func Gatherv[T any](c *Comm, send, recv []T, layout Layout, root int) error {
	return c.gatherv(view(send), view(recv), layout, root)
}

// gatherv is linear: root receives from all ranks at once.
func (c *Comm) gatherv(send, recv elements, layout Layout, root int) error {
	k, err := c.begin(opGatherv, send.datatype)
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
		k.send(root, send.bytes)
		return k.end()
	}
	k.all(func(rank int) *rpi.Request { return k.startRecv(rank, layout.part(recv, rank)) })
	copy(layout.part(recv, root), send.bytes)
	return k.end()
}

// Scatterv is Scatter of parts of different lengths: root's layout says where
// in send each rank's part is; its length must be that of the rank's recv
// (MPI_SCATTERV; section 6.6). send and layout are not used at other ranks.
// Collective.
func Scatterv[T any](c *Comm, send []T, layout Layout, recv []T, root int) error {
	return c.scatterv(view(send), layout, view(recv), root)
}

// scatterv is linear: root sends to all ranks at once.
func (c *Comm) scatterv(send elements, layout Layout, recv elements, root int) error {
	k, err := c.begin(opScatterv, send.datatype)
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
		k.recv(root, recv.bytes)
		return k.end()
	}
	k.all(func(rank int) *rpi.Request { return k.startSend(rank, layout.part(send, rank)) })
	copy(recv.bytes, layout.part(send, root))
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
