package ranks

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// Connections has ranks 0 and 1 talk to each other while others, to which both have connections, are silent. All are ranks
// of one process, as a thousand processes would need more memory than a lab has.
type Connections struct {
	Idle        int
	Small, Long int           // bytes of messages, for latency and for bandwidth
	AtLeast     time.Duration // for each
}

// Load implements plan.Loaded.
func (p Connections) Load(int) plan.Load {
	return plan.Load{Time: 2 * p.AtLeast}
}

const (
	tagHello = 3
	tagDone  = 4
)

// connections measures the round trip of small messages, the bandwidth of long ones, and memory.
func connections(params json.RawMessage, _ self) (m Metrics, err error) {
	var p Connections
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, fmt.Errorf("parameters: %w", err)
	}
	err = mpi.RunLocal(2+p.Idle, func(world *mpi.Comm) error {
		if world.Rank() >= 2 {
			return p.idle(world)
		}
		result, err := p.talk(world)
		if world.Rank() == 0 {
			m = result
		}
		return err
	})
	return m, err
}

// idle makes connections to ranks 0 and 1 and waits for the end.
func (Connections) idle(world *mpi.Comm) error {
	for rank := range 2 {
		if err := mpi.Send(world, []byte{1}, rank, tagHello); err != nil {
			return err
		}
	}
	_, err := mpi.Recv(world, make([]byte, 1), 0, tagDone)
	return err
}

func (p Connections) talk(world *mpi.Comm) (Metrics, error) {
	hello := make([]byte, 1)
	for rank := 2; rank < world.Size(); rank++ {
		if _, err := mpi.Recv(world, hello, rank, tagHello); err != nil {
			return nil, err
		}
	}
	// All connections are there when both have heard of all.
	if _, err := mpi.Sendrecv(world, []byte{1}, 1-world.Rank(), tagHello, hello, 1-world.Rank(), tagHello); err != nil {
		return nil, err
	}
	small, err := pingpong(world, PingPong{Size: p.Small, Least: 20, AtLeast: p.AtLeast})
	if err != nil {
		return nil, err
	}
	long, err := pingpong(world, PingPong{Size: p.Long, Least: 3, AtLeast: p.AtLeast})
	if err != nil || world.Rank() != 0 {
		return nil, err
	}
	used, err := usage()
	if err != nil {
		return nil, err
	}
	for rank := 2; rank < world.Size(); rank++ {
		if err := mpi.Send(world, hello, rank, tagDone); err != nil {
			return nil, err
		}
	}
	return Metrics{
		"roundtrip": small["roundtrip"] * 1e3, "bandwidth": long["throughput"],
		"memory": used.memory, "sockets": used.sockets,
	}, nil
}
