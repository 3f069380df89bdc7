package farm_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/farm"
)

// deadly runs a farm whose workers die when they have done so many tasks.
func deadly(t *testing.T, ranks, tasks int, last map[int]int, change func(o *farm.Options), options ...mpi.Option) {
	t.Helper()
	t.Setenv("SCTPMPI_SHM", "off")
	died := make(chan int, ranks)
	err := mpi.RunLocal(ranks, func(world *mpi.Comm) error {
		p := newPowers(tasks)
		limit, dies := last[world.Rank()]
		p.do = func(context.Context, int) error {
			if dies && p.done.Load() == int64(limit) {
				died <- world.Rank()
				runtime.Goexit() // as if it were killed: that it is gone is all that others see
			}
			return nil
		}
		o := p.options(2, 2)
		change(&o)
		report, err := farm.Run(t.Context(), world, p.job(), o)
		if err != nil {
			return err
		}
		if world.Rank() == 0 {
			p.check(t)
			assert.Equal(t, len(died), report.Lost)
			if report.Lost > 0 {
				assert.Positive(t, report.Again, "it had a task")
			}
		}
		return nil
	}, options...)
	for range len(died) { // a worker may have had no such task
		assert.ErrorContains(t, err, fmt.Sprintf("rank %d: fn ended its goroutine", <-died))
	}
}

// Workers die in the middle of their first tasks, or after many, some of them or all.
func TestTasksOfDeadWorkersAreDoneByOthers(t *testing.T) {
	lasts := []map[int]int{{1: 0}, {1: 20, 3: 0}, {1: 7, 2: 0, 3: 20}, {1: 0, 2: 0, 3: 0}}
	for i, transport := range transports {
		for j, mode := range modes {
			last := lasts[(i+j)%len(lasts)]
			t.Run(fmt.Sprintf("%v over %s, %v", last, transport, mode), func(t *testing.T) {
				deadly(t, 4, 120, last, func(o *farm.Options) { o.Receives = mode }, mpi.WithTransport(transport))
			})
		}
	}
}

func TestRandomDeaths(t *testing.T) {
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 0))
		ranks, tasks := 2+r.IntN(6), r.IntN(150)
		last := map[int]int{}
		for rank := 1; rank < ranks; rank++ {
			if r.IntN(2) == 0 {
				last[rank] = r.IntN(1 + tasks/ranks)
			}
		}
		slots, fanout, mode := 1+r.IntN(6), 1+r.IntN(6), modes[r.IntN(len(modes))]
		transport, limit := transports[r.IntN(len(transports))], 1<<r.IntN(12)
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			deadly(t, ranks, tasks, last, func(o *farm.Options) { o.Slots, o.Fanout, o.Receives = slots, fanout, mode },
				mpi.WithTransport(transport), mpi.WithEagerLimit(limit))
		})
	}
}

// A worker may have died before the farm begins, and its death may be known and acknowledged.
func TestFarmBeginsWithoutTheDead(t *testing.T) {
	gone := errors.New("gone")
	for _, acknowledged := range []bool{false, true} {
		for _, mode := range modes {
			err := mpi.RunLocal(4, func(world *mpi.Comm) error {
				if world.Rank() == 2 {
					return gone
				}
				if world.Rank() == 0 && acknowledged {
					_, err := mpi.Recv(world, []int{0}, 2, 0)
					require.ErrorIs(t, err, mpi.ErrProcFailed)
					_, err = world.AckFailed(1)
					require.NoError(t, err)
				}
				p := newPowers(50)
				o := p.options(2, 2)
				o.Receives = mode
				report, err := farm.Run(t.Context(), world, p.job(), o)
				if err != nil {
					return err
				}
				if world.Rank() == 0 {
					p.check(t)
					assert.Equal(t, 1, report.Lost)
				}
				return nil
			})
			assert.ErrorIs(t, err, gone)
			assert.Len(t, err.(interface{ Unwrap() []error }).Unwrap(), 1)
		}
	}
}

func TestWorkersOfADeadManagerSaySo(t *testing.T) {
	err := mpi.RunLocal(3, func(world *mpi.Comm) error {
		p := newPowers(1000)
		p.collect = func() error {
			if len(p.results) == 10 {
				runtime.Goexit()
			}
			return nil
		}
		_, err := farm.Run(t.Context(), world, p.job(), p.options(2, 2))
		assert.ErrorIs(t, err, mpi.ErrProcFailed)
		assert.ErrorContains(t, err, "farm: the manager, rank 0, has died: ")
		return nil
	})
	assert.ErrorContains(t, err, "rank 0: fn ended its goroutine")
}
