package ranks

import (
	"context"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// LongShort sends a short message right behind long ones, from rank 1 to rank 0.
type LongShort struct {
	Long, Longs int // bytes, messages before each short one
	Short       int // bytes
	Count       int // short messages, one after the other
}

// Load implements plan.Loaded.
func (p LongShort) Load(int) plan.Load {
	n := p.Count + 1
	return plan.Load{Bytes: n * (p.Longs*p.Long + p.Short), Turns: 4 * n}
}

const (
	tagLong  = 1
	tagShort = 2
)

// longShort measures how long the short message takes, and all together.
func longShort(world *mpi.Comm, p LongShort) (Metrics, error) {
	var short, all latencies
	for n := range p.Count + 1 { // the first makes the connection
		if err := world.Barrier(); err != nil {
			return nil, err
		}
		if world.Rank() != 0 {
			if err := p.send(world, n); err != nil {
				return nil, err
			}
			continue
		}
		var s, a latencies
		if err := p.receive(world, n, &s, &a); err != nil {
			return nil, err
		}
		if n > 0 {
			short, all = append(short, s...), append(all, a...)
		}
	}
	if world.Rank() != 0 {
		return nil, nil
	}
	m := Metrics{}
	all.report(m)
	m["all"] = m["p50"]
	short.report(m)
	return m, nil
}

// message is the number of the i-th message of a round.
func (p LongShort) message(round, i int) uint64 { return uint64(round*(p.Longs+1) + i) }

func (p LongShort) send(world *mpi.Comm, round int) error {
	var sends []*mpi.Request
	now := time.Now().UnixNano()
	for i := range p.Longs + 1 {
		size, tag := p.Long, tagLong
		if i == p.Longs {
			size, tag = p.Short, tagShort
		}
		data := make([]byte, size)
		fill(data, tag, p.message(round, i))
		stamp(data, now)
		r, err := mpi.Isend(world, data, 0, tag)
		if err != nil {
			return err
		}
		sends = append(sends, r)
	}
	_, err := mpi.WaitAll(context.Background(), sends...)
	return err
}

func (p LongShort) receive(world *mpi.Comm, round int, short, all *latencies) error {
	var receives []*mpi.Request
	var buffers [][]byte
	for i := range p.Longs + 1 {
		size, tag := p.Long, tagLong
		if i == p.Longs {
			size, tag = p.Short, tagShort
		}
		data := make([]byte, size)
		r, err := mpi.Irecv(world, data, 1, tag)
		if err != nil {
			return err
		}
		buffers, receives = append(buffers, data), append(receives, r)
	}
	if _, err := receives[p.Longs].Wait(context.Background()); err != nil {
		return err
	}
	short.arrived(buffers[p.Longs])
	if _, err := mpi.WaitAll(context.Background(), receives...); err != nil {
		return err
	}
	all.arrived(buffers[p.Longs])
	for i, data := range buffers {
		tag := tagLong
		if i == p.Longs {
			tag = tagShort
		}
		if err := check(data, tag, p.message(round, i)); err != nil {
			return err
		}
	}
	return nil
}
