package ranks

import (
	"context"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// PingPong sends a message to and fro between ranks 0 and 1.
type PingPong struct {
	Size    int           // bytes
	Least   int           // round trips
	AtLeast time.Duration // time, after which it ends with the first round trip that completes Least
}

// Load implements plan.Loaded.
func (p PingPong) Load(int) plan.Load {
	return plan.Load{Bytes: p.Least * p.Size, Turns: 2 * p.Least, Time: p.AtLeast}
}

const (
	tagPing = 1
	tagPong = 2
)

// pingpong measures throughput: the bytes of both directions by the time.
func pingpong(world *mpi.Comm, p PingPong) (Metrics, error) {
	if world.Rank() != 0 {
		return nil, pong(world, p.Size)
	}
	out, in := make([]byte, p.Size), make([]byte, p.Size)
	ctx := context.Background()
	trip := func(n uint64) error {
		fill(out, tagPing, n)
		back, err := mpi.Irecv(world, in, 1, tagPong)
		if err != nil {
			return err
		}
		if err := mpi.Send(world, out, 1, tagPing); err != nil {
			return err
		}
		if _, err := back.Wait(ctx); err != nil {
			return err
		}
		return check(in, tagPong, n)
	}
	if err := trip(0); err != nil { // makes the connection
		return nil, err
	}
	begun, n := time.Now(), 0
	for n < p.Least || time.Since(begun) < p.AtLeast {
		n++
		if err := trip(uint64(n)); err != nil {
			return nil, err
		}
	}
	seconds := time.Since(begun).Seconds()
	if err := mpi.Send(world, []byte{}, 1, tagPing); err != nil {
		return nil, err
	}
	return Metrics{
		"throughput": float64(2*n*p.Size) * 8 / seconds / 1e6,
		"roundtrip":  seconds / float64(n) * 1e3,
	}, nil
}

// pong sends back what comes, until an empty message does.
func pong(world *mpi.Comm, size int) error {
	in, out := make([]byte, size), make([]byte, size)
	for n := uint64(0); ; n++ {
		status, err := mpi.Recv(world, in, 0, tagPing)
		if err != nil || status.Count == 0 {
			return err
		}
		if err := check(in, tagPing, n); err != nil {
			return err
		}
		fill(out, tagPong, n)
		if err := mpi.Send(world, out, 0, tagPong); err != nil {
			return err
		}
	}
}
