package ranks

import (
	"context"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// Sockets has each rank send messages to each other rank with each of many tags.
type Sockets struct {
	Tags, Count int // messages of a tag
	Size        int // bytes
}

// Load implements plan.Loaded.
func (p Sockets) Load(ranks int) plan.Load {
	n := (ranks - 1) * p.Tags * p.Count
	return plan.Load{Bytes: n * p.Size, Turns: 2 * p.Tags * p.Count / batch}
}

// batch is how many tags have a message under way at a time.
const batch = 64

// sockets measures what it takes in sockets, memory, processor time, system calls and waiting. Those of the rank that has
// most count.
func sockets(world *mpi.Comm, p Sockets) (Metrics, error) {
	if err := world.Barrier(); err != nil {
		return nil, err
	}
	before, err := usage()
	if err != nil {
		return nil, err
	}
	calls := world.Usage().SystemCalls
	for n := range p.Count {
		for first := 0; first < p.Tags; first += batch {
			if err := p.exchange(world, uint64(n), first, min(first+batch, p.Tags)); err != nil {
				return nil, err
			}
		}
	}
	calls = world.Usage().SystemCalls - calls
	after, err := usage()
	if err != nil {
		return nil, err
	}
	messages := float64(2 * (world.Size() - 1) * p.Tags * p.Count) // sent and received
	own := []float64{
		after.sockets, after.memory, (after.cpu - before.cpu) / messages, (after.waits - before.waits) / messages, float64(calls) / messages,
	}
	most := make([]float64, len(own))
	if err := mpi.Allreduce(world, own, most, mpi.Max); err != nil {
		return nil, err
	}
	return Metrics{"sockets": most[0], "memory": most[1], "cpu": most[2], "waits": most[3], "calls": most[4]}, nil
}

// exchange sends a message to all and receives one of each, with some of the tags.
func (p Sockets) exchange(world *mpi.Comm, number uint64, first, end int) error {
	var requests []*mpi.Request
	var received [][]byte
	for tag := first; tag < end; tag++ {
		out := make([]byte, p.Size)
		fill(out, tag, number)
		for peer := range world.Size() {
			if peer == world.Rank() {
				continue
			}
			in := make([]byte, p.Size)
			r, err := mpi.Irecv(world, in, peer, tag)
			if err != nil {
				return err
			}
			s, err := mpi.Isend(world, out, peer, tag)
			if err != nil {
				return err
			}
			requests, received = append(requests, r, s), append(received, in)
		}
	}
	if _, err := mpi.WaitAll(context.Background(), requests...); err != nil {
		return err
	}
	for i, in := range received {
		if err := check(in, first+i/(world.Size()-1), number); err != nil {
			return err
		}
	}
	return nil
}
