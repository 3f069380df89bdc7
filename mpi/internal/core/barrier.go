package core

import (
	"reflect"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Barrier returns when all ranks have called it.
func (c *View) Barrier() error { return c.barrier(opBarrier) }

// noType is the type of messages without elements.
var noType = &Basic[reflect.Uint8]

// barrier is a barrier for the operation r.
func (c *View) barrier(r routine) error {
	k, err := c.begin(r, noType)
	if err != nil {
		return err
	}
	return k.barrier()
}

func (k *call) barrier() error {
	if !k.agree(0, 0, 0) {
		return k.end()
	}
	if k.comm.process.oversubscribed {
		k.barrierTree()
	} else {
		k.disseminate()
	}
	return k.end()
}

// disseminate is a barrier in few steps, the dissemination barrier: in round i each
// rank tells the rank 2^i after it that it has entered, with all ranks from which it
// has heard.
func (k *call) disseminate() {
	size, rank := k.comm.group.size, k.comm.rank
	for distance := 1; distance < size; distance *= 2 {
		k.exchange((rank+distance)%size, nil, (rank-distance+size)%size, nil)
	}
}

// barrierFan is how many children a rank has in barrierTree.
const barrierFan = 16

// barrierTree is a barrier with few messages, and so few changes of process. Each
// rank tells its parent in a wide tree when its children have entered; then the
// root's answer goes down the tree.
func (k *call) barrierTree() {
	size, rank := k.comm.group.size, k.comm.rank
	first := barrierFan*rank + 1
	children := min(max(size-first, 0), barrierFan)
	var under [barrierFan]*rpi.Request
	for i := range children {
		under[i] = k.startRecv(first+i, nil)
	}
	for i := range children {
		k.wait(under[i])
	}
	if rank > 0 {
		parent := (rank - 1) / barrierFan
		k.exchange(parent, nil, parent, nil)
	}
	for i := range children {
		under[i] = k.startSend(first+i, nil)
	}
	for i := range children {
		k.wait(under[i])
	}
	if children > 0 {
		k.comm.process.transport.Advance() // the last messages might wait for others to follow
	}
}
