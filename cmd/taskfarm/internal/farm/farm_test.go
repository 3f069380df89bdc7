package farm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// powers is a job: task i is i numbers, its result their squares and, to tell
// them apart, i itself.
type powers struct {
	tasks   int
	results map[int64][]int64
	done    *atomic.Int64 // by this rank

	do      func(ctx context.Context, i int) error // before a task, if not nil
	collect func() error                           // before a result, if not nil
}

func (p *powers) Tasks() int { return p.tasks }

func (p *powers) AppendTask(task []int32, i int) []int32 {
	for n := range i + 1 {
		task = append(task, int32(n))
	}
	return task
}

func (p *powers) Do(ctx context.Context, task []int32, result []int64) ([]int64, error) {
	if p.do != nil {
		if err := p.do(ctx, len(task)-1); err != nil {
			return nil, err
		}
	}
	p.done.Add(1)
	result = append(result, int64(len(task)-1))
	for _, n := range task {
		result = append(result, int64(n)*int64(n))
	}
	return result, nil
}

func (p *powers) Collect(result []int64) error {
	if p.collect != nil {
		if err := p.collect(); err != nil {
			return err
		}
	}
	if _, twice := p.results[result[0]]; twice {
		return fmt.Errorf("task %d was done twice", result[0])
	}
	p.results[result[0]] = slices.Clone(result[1:])
	return nil
}

func (p *powers) options(fanout int) Options {
	return Options{Fanout: fanout, MaxTask: p.tasks, MaxResult: p.tasks + 1}
}

func newPowers(tasks int) *powers {
	return &powers{tasks: tasks, results: map[int64][]int64{}, done: new(atomic.Int64)}
}

func TestEachTaskIsDoneOnceWhateverTheRanksAndTheFanout(t *testing.T) {
	for _, ranks := range []int{1, 2, 4, 9} {
		for _, fanout := range []int{1, 3, 20} {
			for _, tasks := range []int{0, 1, 7, 100} {
				t.Run(fmt.Sprintf("%d ranks, fanout %d, %d tasks", ranks, fanout, tasks), func(t *testing.T) {
					require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
						p := newPowers(tasks)
						if err := Run(t.Context(), world, p, p.options(fanout)); err != nil {
							return err
						}
						if world.Rank() != managerRank {
							assert.Empty(t, p.results)
							return nil
						}
						if ranks > 1 {
							assert.Zero(t, p.done.Load(), "the manager should manage")
						}
						require.Len(t, p.results, tasks)
						for i, squares := range p.results {
							require.Len(t, squares, int(i)+1)
							for n, square := range squares {
								require.EqualValues(t, n*n, square)
							}
						}
						return nil
					}))
				})
			}
		}
	}
}

// Long messages wait for the receiver: the manager must not wait with them.
func TestTasksAndResultsLongerThanTheEagerLimit(t *testing.T) {
	require.NoError(t, mpi.RunLocal(3, func(world *mpi.Comm) error {
		p := newPowers(200)
		if err := Run(t.Context(), world, p, p.options(4)); err != nil {
			return err
		}
		if world.Rank() == managerRank {
			assert.Len(t, p.results, 200)
		}
		return nil
	}, mpi.WithEagerLimit(64)))
}

func TestBusyWorkerLeavesTheTasksToTheOthers(t *testing.T) {
	const tasks, fanout = 50, 2
	rest := make(chan struct{})
	require.NoError(t, mpi.RunLocal(3, func(world *mpi.Comm) error {
		p := newPowers(tasks)
		p.do = func(ctx context.Context, _ int) error {
			switch {
			case world.Rank() == 1:
				<-rest // the first task takes until the others are done
			case p.done.Load() == tasks-fanout-1:
				close(rest)
			}
			return nil
		}
		err := Run(t.Context(), world, p, p.options(fanout))
		if world.Rank() == 2 {
			assert.GreaterOrEqual(t, p.done.Load(), int64(tasks-fanout))
		}
		return err
	}))
}

// Each worker fails at the same task, and then the manager does.
func TestTaskThatFailsEverywhereEndsAll(t *testing.T) {
	broken := errors.New("broken")
	for name, breakAt := range map[string]func(p *powers, rank int){
		"tasks": func(p *powers, rank int) {
			p.do = func(_ context.Context, i int) error {
				if i == 10 {
					return broken
				}
				return nil
			}
		},
		"results": func(p *powers, _ int) { p.collect = func() error { return broken } },
	} {
		t.Run(name, func(t *testing.T) {
			err := mpi.RunLocal(4, func(world *mpi.Comm) error {
				p := newPowers(1000)
				breakAt(p, world.Rank())
				return Run(t.Context(), world, p, p.options(2))
			})
			assert.ErrorIs(t, err, broken)
		})
	}
}

func TestContextEndsTheFarm(t *testing.T) {
	for _, ranks := range []int{1, 3} {
		ctx, cancel := context.WithCancelCause(t.Context())
		enough := errors.New("enough")
		err := mpi.RunLocal(ranks, func(world *mpi.Comm) error {
			p := newPowers(1000)
			p.do = func(ctx context.Context, i int) error {
				if i == 5 {
					cancel(enough)
				}
				return context.Cause(ctx)
			}
			return Run(ctx, world, p, p.options(2))
		})
		assert.ErrorIs(t, err, enough, "%d ranks", ranks)
	}
}

func TestFanoutMustBePositive(t *testing.T) {
	require.NoError(t, mpi.RunLocal(1, func(world *mpi.Comm) error {
		p := newPowers(1)
		assert.ErrorContains(t, Run(t.Context(), world, p, p.options(0)), "fanout 0")
		return nil
	}))
}

// Workers die in the middle of their first tasks, or after many, some of them or all: all is done, and collected once. That the worker is
// gone is all that the manager sees.
func TestTheTasksOfDeadWorkersAreDoneByOthers(t *testing.T) {
	const tasks = 200
	gone := errors.New("gone")
	for _, last := range []map[int]int{ // by worker: how many tasks it does before it dies
		{1: 0}, {1: 20, 3: 0}, {1: 7, 2: 0, 3: 20}, {1: 0, 2: 0, 3: 0},
	} {
		for _, transport := range []string{"tcp-perpair", "tcp-pertrc", "sctp-engine", "sctp-pertrc"} {
			for _, fanout := range []int{1, 4} {
				t.Run(fmt.Sprintf("%v over %s, fanout %d", last, transport, fanout), func(t *testing.T) {
					err := mpi.RunLocal(4, func(world *mpi.Comm) error {
						p := newPowers(tasks)
						limit, dies := last[world.Rank()]
						p.do = func(context.Context, int) error {
							if dies && p.done.Load() == int64(limit) {
								return gone
							}
							return nil
						}
						if err := Run(t.Context(), world, p, p.options(fanout)); err != nil {
							return err
						}
						if world.Rank() == managerRank {
							assert.Len(t, p.results, tasks)
						}
						return nil
					}, mpi.WithTransport(transport))
					if err != nil { // a worker may have had no such task
						for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
							assert.ErrorIs(t, e, gone)
						}
					}
				})
			}
		}
	}
}
