package ranks

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/farm"
)

// Farm is a farm of package farm, with tasks of one size, as that of Kamal, Penoff and Wagner: rank 0 hands out tasks on request to all
// others.
type Farm struct {
	Tasks, Size   int // of a task, in bytes
	Slots, Fanout int
	Result        int           // bytes
	Compute       time.Duration // on a task
	Receives      farm.Receives // of the manager
	Overtaking    bool          // the communicator has the hint mpi_assert_allow_overtaking
}

// AtOnce is how many tasks all workers of so many ranks can ask for at once.
func (p Farm) AtOnce(ranks int) int { return (ranks - 1) * p.Slots * p.Fanout }

// Load implements plan.Loaded. The conditions are those of the link to each worker, which carries its share of the tasks.
func (p Farm) Load(ranks int) plan.Load {
	share := (p.Tasks + ranks - 2) / (ranks - 1)
	return plan.Load{Bytes: share * p.Size, Turns: 8 + 2*p.Tasks/p.AtOnce(ranks), Time: time.Duration(share) * p.Compute}
}

// RTOMinVariable gives the kernel's SCTP the floor of retransmission timeouts in place of the library's: a duration. It is for
// associations that are there when the work begins.
const RTOMinVariable = "SCTPMPI_NETLAB_RTO_MIN"

// The kinds of pattern.
const (
	farmTask = 1 + iota
	farmResult
)

// farming measures the time from the first request to the last result, how long requests have waited, how long workers have been without
// a task, and what the manager has spent and sent.
func farming(world *mpi.Comm, p Farm) (Metrics, error) {
	world, err := p.communicator(world)
	if err != nil {
		return nil, err
	}
	var waits []float64
	o := farm.Options{
		Slots: p.Slots, Fanout: p.Fanout, MaxTask: p.Size, MaxResult: p.Result, Receives: p.Receives,
		Waited: func(d time.Duration) { waits = append(waits, d.Seconds()*1e3) },
	}
	if err := world.Barrier(); err != nil {
		return nil, err
	}
	if err := setRTOMin(os.Getenv(RTOMinVariable)); err != nil {
		return nil, err
	}
	before, _ := usage()
	sent := packets(world)
	begun := time.Now()
	report, err := farm.Run(context.Background(), world, p.job(), o)
	if err != nil {
		return nil, err
	}
	seconds := time.Since(begun).Seconds()
	m := Metrics{"time": seconds, "throughput": float64(p.Tasks) * float64(p.Size) * 8 / seconds / 1e6}
	if after, err := usage(); err == nil { // else the system does not tell
		m["cpu"] = (after.cpu - before.cpu) / 1e6
	}
	if now := packets(world); now.all > sent.all {
		m["again"] = 100 * (now.again - sent.again) / (now.all - sent.all)
	}
	return m, p.gather(world, m, waits, 100*report.Idle.Seconds()/report.Time.Seconds())
}

// communicator is the world, or one with the hint.
func (p Farm) communicator(world *mpi.Comm) (*mpi.Comm, error) {
	if !p.Overtaking {
		return world, nil
	}
	c, err := world.Dup()
	if err != nil {
		return nil, err
	}
	var hints mpi.Info
	if err := hints.Set("mpi_assert_allow_overtaking", "true"); err != nil {
		return nil, err
	}
	return c, c.SetInfo(&hints)
}

// job is the tasks, of which each byte is checked.
func (p Farm) job() farm.Job[byte, byte] {
	done := make([]bool, p.Tasks)
	return farm.Job[byte, byte]{
		Tasks: p.Tasks,
		Task: func(buf []byte, i int) []byte {
			buf = slices.Grow(buf, p.Size)[:p.Size]
			fill(buf, farmTask, uint64(i))
			return buf
		},
		Do: func(_ context.Context, task, buf []byte) ([]byte, error) {
			number := binary.LittleEndian.Uint64(task)
			if err := check(task, farmTask, number); err != nil {
				return nil, err
			}
			time.Sleep(p.Compute) // by a clock, as all hosts of a lab share a processor
			buf = slices.Grow(buf, p.Result)[:p.Result]
			fill(buf, farmResult, number)
			return buf, nil
		},
		Collect: func(i int, result []byte) error {
			if done[i] {
				return fmt.Errorf("task %d was done twice", i)
			}
			done[i] = true
			return check(result, farmResult, uint64(i))
		},
	}
}

// gather adds what the workers have measured at rank 0.
func (p Farm) gather(world *mpi.Comm, m Metrics, waits []float64, idle float64) error {
	all, err := mpi.GatherSlices(world, waits, 0)
	if err != nil {
		return err
	}
	shares, err := mpi.GatherValues(world, idle, 0)
	if err != nil || world.Rank() != 0 {
		return err
	}
	waited := latencies(slices.Concat(all...))
	m["wait50"], m["wait99"] = waited.quantile(0.5), waited.quantile(0.99)
	shares = shares[1:]
	m["idlest"] = slices.Max(shares)
	for _, share := range shares {
		m["idle"] += share / float64(len(shares))
	}
	return nil
}
