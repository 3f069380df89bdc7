package farm_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/farm"
)

// transports are those that need nothing of the host.
var transports = []string{"tcp-perpair", "tcp-pertrc", "sctp-engine", "sctp-pertrc"}

var modes = []farm.Receives{farm.AnySource, farm.AnyTag, farm.Named}

// powers is a job: task i is the numbers to i, its result their squares.
type powers struct {
	tasks   int
	results map[int][]int64
	done    atomic.Int64 // by this rank

	do      func(ctx context.Context, i int) error // before a task, if not nil
	collect func() error                           // before a result, if not nil
}

func newPowers(tasks int) *powers { return &powers{tasks: tasks, results: map[int][]int64{}} }

func (p *powers) job() farm.Job[int32, int64] {
	return farm.Job[int32, int64]{
		Tasks: p.tasks,
		Task: func(buf []int32, i int) []int32 {
			for n := range i + 1 {
				buf = append(buf, int32(n))
			}
			return buf
		},
		Do: func(ctx context.Context, task []int32, buf []int64) ([]int64, error) {
			if p.do != nil {
				if err := p.do(ctx, len(task)-1); err != nil {
					return nil, err
				}
			}
			p.done.Add(1)
			for _, n := range task {
				buf = append(buf, int64(n)*int64(n))
			}
			return buf, nil
		},
		Collect: func(i int, result []int64) error {
			if p.collect != nil {
				if err := p.collect(); err != nil {
					return err
				}
			}
			if _, twice := p.results[i]; twice {
				return fmt.Errorf("task %d was collected twice", i)
			}
			p.results[i] = slices.Clone(result)
			return nil
		},
	}
}

func (p *powers) options(slots, fanout int) farm.Options {
	return farm.Options{Slots: slots, Fanout: fanout, MaxTask: max(1, p.tasks), MaxResult: max(1, p.tasks)}
}

// check checks that all is there.
func (p *powers) check(t *testing.T) {
	t.Helper()
	require.Len(t, p.results, p.tasks)
	for i, squares := range p.results {
		require.Len(t, squares, i+1, "result %d", i)
		for n, square := range squares {
			require.EqualValues(t, n*n, square)
		}
	}
}

// run runs a farm of powers on some ranks.
func run(t *testing.T, ranks, tasks int, o func(p *powers) farm.Options, options ...mpi.Option) {
	t.Helper()
	require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
		p := newPowers(tasks)
		report, err := farm.Run(t.Context(), world, p.job(), o(p))
		if err != nil {
			return err
		}
		assert.EqualValues(t, p.done.Load(), report.Tasks)
		if world.Rank() != 0 {
			assert.Empty(t, p.results)
			return nil
		}
		if ranks > 1 {
			assert.Zero(t, report.Tasks, "the manager should manage")
		}
		p.check(t)
		return nil
	}, options...))
}

func TestEachTaskIsDoneOnceWhateverTheRanksSlotsAndFanout(t *testing.T) {
	for _, ranks := range []int{1, 2, 4} {
		for _, slots := range []int{1, 3, 8} {
			for _, fanout := range []int{1, 50} {
				for _, tasks := range []int{0, 1, 7, 100} {
					mode := modes[(ranks+slots+fanout+tasks)%len(modes)]
					t.Run(fmt.Sprintf("%d ranks, %d slots, fanout %d, %d tasks, %v", ranks, slots, fanout, tasks, mode), func(t *testing.T) {
						run(t, ranks, tasks, func(p *powers) farm.Options {
							o := p.options(slots, fanout)
							o.Receives = mode
							return o
						})
					})
				}
			}
		}
	}
}

func TestHugeFanoutAndManyWorkers(t *testing.T) {
	run(t, 2, 100, func(p *powers) farm.Options { return p.options(1, 1000) })
	run(t, 9, 20, func(p *powers) farm.Options { return p.options(6, 2) })
}

// Tasks and results are short and long, so that some wait for the receiver.
func TestEachTaskIsDoneOnceOverAllTransportsInAllModes(t *testing.T) {
	t.Setenv("SCTPMPI_SHM", "off")
	for _, transport := range transports {
		for _, mode := range modes {
			t.Run(fmt.Sprintf("%s, %v", transport, mode), func(t *testing.T) {
				run(t, 4, 200, func(p *powers) farm.Options {
					o := p.options(4, 3)
					o.Receives = mode
					return o
				}, mpi.WithTransport(transport), mpi.WithEagerLimit(512))
			})
		}
	}
}

// Messages with different tags may come in any order then.
func TestMessagesMayOvertake(t *testing.T) {
	t.Setenv("SCTPMPI_SHM", "off")
	for _, transport := range transports {
		require.NoError(t, mpi.RunLocal(4, func(world *mpi.Comm) error {
			c, err := world.Dup()
			if err != nil {
				return err
			}
			var hints mpi.Info
			require.NoError(t, hints.Set("mpi_assert_allow_overtaking", "true"))
			if err := c.SetInfo(&hints); err != nil {
				return err
			}
			p := newPowers(300)
			o := p.options(4, 3)
			o.Receives = farm.AnyTag
			if _, err := farm.Run(t.Context(), c, p.job(), o); err != nil {
				return err
			}
			if c.Rank() == 0 {
				p.check(t)
			}
			return c.Free()
		}, mpi.WithTransport(transport), mpi.WithEagerLimit(512)))
	}
}

// Nothing of one farm is left for the next on the same communicator.
func TestFarmsFollowOneAnother(t *testing.T) {
	require.NoError(t, mpi.RunLocal(4, func(world *mpi.Comm) error {
		for round := range 20 {
			p := newPowers(10 + round)
			o := p.options(1+round%5, 1+round%7)
			o.Receives = modes[round%len(modes)]
			if _, err := farm.Run(t.Context(), world, p.job(), o); err != nil {
				return err
			}
			if world.Rank() == 0 {
				p.check(t)
			}
		}
		if err := world.Barrier(); err != nil {
			return err
		}
		_, found, err := world.Iprobe(mpi.AnySource, mpi.AnyTag)
		assert.False(t, found)
		return err
	}))
}

func TestBusyWorkerLeavesTheTasksToTheOthers(t *testing.T) {
	const tasks, slots, fanout = 60, 2, 2
	rest := make(chan struct{})
	require.NoError(t, mpi.RunLocal(3, func(world *mpi.Comm) error {
		p := newPowers(tasks)
		p.do = func(ctx context.Context, _ int) error {
			switch {
			case world.Rank() == 1:
				<-rest // the first task takes until the others are done
			case p.done.Load() == tasks-slots*fanout-1:
				close(rest)
			}
			return nil
		}
		_, err := farm.Run(t.Context(), world, p.job(), p.options(slots, fanout))
		if world.Rank() == 2 {
			assert.GreaterOrEqual(t, p.done.Load(), int64(tasks-slots*fanout))
		}
		return err
	}))
}

// A worker has requests under way while it computes: all that it can ask for comes before it has done the first task.
func TestTasksComeWhileOthersAreDone(t *testing.T) {
	const slots, fanout = 3, 4
	dealt := make(chan int, 1000)
	require.NoError(t, mpi.RunLocal(2, func(world *mpi.Comm) error {
		p := newPowers(100)
		first := true
		p.do = func(context.Context, int) error {
			for n := 0; first && n < slots*fanout; n++ {
				<-dealt
			}
			first = false
			return nil
		}
		job := p.job()
		task := job.Task
		job.Task = func(buf []int32, i int) []int32 {
			dealt <- i
			return task(buf, i)
		}
		_, err := farm.Run(t.Context(), world, job, p.options(slots, fanout))
		return err
	}))
}

// The last tasks are not all for the worker that asks first: each worker waits in its first until all have one.
func TestLastTasksAreShared(t *testing.T) {
	const workers = 3
	var all sync.WaitGroup
	all.Add(workers)
	require.NoError(t, mpi.RunLocal(1+workers, func(world *mpi.Comm) error {
		p := newPowers(12)
		p.do = func(context.Context, int) error {
			if p.done.Load() == 0 {
				all.Done()
				all.Wait()
			}
			return nil
		}
		_, err := farm.Run(t.Context(), world, p.job(), p.options(1, 100))
		return err
	}))
}

func TestTaskThatFailsEndsTheFarmOnAllRanks(t *testing.T) {
	broken := errors.New("broken")
	for _, mode := range modes {
		errs := make([]error, 4)
		require.NoError(t, mpi.RunLocal(4, func(world *mpi.Comm) error {
			p := newPowers(1000)
			p.do = func(ctx context.Context, i int) error {
				if i == 10 {
					return broken
				}
				return ctx.Err()
			}
			o := p.options(2, 3)
			o.Receives = mode
			_, errs[world.Rank()] = farm.Run(t.Context(), world, p.job(), o)
			return world.Barrier() // all are there
		}))
		var failed *farm.TaskError
		require.ErrorAs(t, errs[0], &failed)
		assert.Equal(t, 10, failed.Task)
		assert.Equal(t, "broken", failed.Text)
		assert.EqualError(t, errs[0], fmt.Sprintf("farm: task 10 on rank %d: broken", failed.Rank))
		for rank, err := range errs[1:] {
			if rank+1 == failed.Rank {
				assert.ErrorIs(t, err, broken)
			} else {
				assert.ErrorIs(t, err, farm.ErrStopped)
				assert.ErrorContains(t, err, "broken")
			}
		}
	}
}

// A task that waits for the end of its context, as one that takes hours would, ends with the farm.
func TestLongTasksEndWithTheFarm(t *testing.T) {
	broken := errors.New("broken")
	computing := make(chan struct{})
	require.NoError(t, mpi.RunLocal(3, func(world *mpi.Comm) error {
		p := newPowers(2)
		p.do = func(ctx context.Context, i int) error {
			if i == 0 {
				<-computing
				return broken
			}
			close(computing)
			<-ctx.Done()
			return context.Cause(ctx)
		}
		_, err := farm.Run(t.Context(), world, p.job(), p.options(1, 1))
		assert.ErrorContains(t, err, "broken")
		return nil
	}))
}

func TestResultThatCannotBeCollectedEndsTheFarm(t *testing.T) {
	full := errors.New("disk full")
	require.NoError(t, mpi.RunLocal(3, func(world *mpi.Comm) error {
		p := newPowers(100)
		p.collect = func() error { return full }
		_, err := farm.Run(t.Context(), world, p.job(), p.options(2, 2))
		if world.Rank() == 0 {
			assert.ErrorIs(t, err, full)
		} else {
			assert.ErrorIs(t, err, farm.ErrStopped)
		}
		return nil
	}))
}

// What is wrong with the options, or with what the functions make, is said by the manager, and all ranks end.
func TestMistakesAreSaid(t *testing.T) {
	for want, change := range map[string]func(o *farm.Options, job *farm.Job[int32, int64]){
		"farm: Slots -1 is negative":                                       func(o *farm.Options, _ *farm.Job[int32, int64]) { o.Slots = -1 },
		"farm: Fanout 5000 is more than 4096":                              func(o *farm.Options, _ *farm.Job[int32, int64]) { o.Fanout = 5000 },
		"farm: Receives 7 is none of AnySource, AnyTag and Named":          func(o *farm.Options, _ *farm.Job[int32, int64]) { o.Receives = 7 },
		"farm: the job has -1 tasks":                                       func(_ *farm.Options, job *farm.Job[int32, int64]) { job.Tasks = -1 },
		"farm: task 5 has 6 elements; it must have one, and MaxTask is 5":  func(o *farm.Options, _ *farm.Job[int32, int64]) { o.MaxTask = 5 },
		" elements; MaxResult is 5":                                        func(o *farm.Options, _ *farm.Job[int32, int64]) { o.MaxResult = 5 },
		"for 4 slots of 2 workers would take more than 1024 MiB: use AnyS": func(o *farm.Options, _ *farm.Job[int32, int64]) { o.MaxResult, o.Receives = 1<<26, farm.Named },
	} {
		require.NoError(t, mpi.RunLocal(3, func(world *mpi.Comm) error {
			p := newPowers(20)
			o, job := p.options(4, 1), p.job()
			change(&o, &job)
			_, err := farm.Run(t.Context(), world, job, o)
			assert.ErrorContains(t, err, strings.TrimPrefix(want, "farm: "))
			return nil
		}))
	}
}

// Ranks whose types differ run different programs.
func TestTasksOfAnotherTypeAreRefused(t *testing.T) {
	err := mpi.RunLocal(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			p := newPowers(20)
			_, err := farm.Run(t.Context(), world, p.job(), p.options(1, 1))
			return err
		}
		_, err := farm.Run(t.Context(), world, farm.Job[float64, int64]{}, farm.Options{})
		assert.ErrorIs(t, err, mpi.ErrType)
		return err
	})
	assert.ErrorContains(t, err, "cannot be received as float64")
}

func TestTypesThatCannotBeSentAreRefused(t *testing.T) {
	require.NoError(t, mpi.RunLocal(2, func(world *mpi.Comm) error {
		_, err := farm.Map(t.Context(), world, []string{"a"}, func(context.Context, string) (int, error) { return 0, nil }, farm.Options{})
		assert.ErrorIs(t, err, mpi.ErrType)
		return nil
	}))
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
			_, err := farm.Run(ctx, world, p.job(), p.options(2, 2))
			return err
		})
		assert.ErrorIs(t, err, enough, "%d ranks", ranks)
	}
}

func TestManagerShowsProgress(t *testing.T) {
	for _, ranks := range []int{1, 3} {
		var shown []farm.Progress
		require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
			p := newPowers(10)
			o := p.options(2, 2)
			if world.Rank() == 0 {
				o.Progress = func(p farm.Progress) { shown = append(shown, p) }
			}
			_, err := farm.Run(t.Context(), world, p.job(), o)
			return err
		}))
		require.Len(t, shown, 11)
		for i, p := range shown {
			assert.Equal(t, i, p.Done)
			assert.Equal(t, 10, p.Tasks)
			assert.Equal(t, ranks-1, p.Workers)
		}
		assert.Zero(t, shown[10].Remaining())
	}
	p := farm.Progress{Done: 30, Tasks: 100, Restored: 10, Again: 2, Workers: 3, Elapsed: 10 * time.Second}
	assert.Equal(t, "30 of 100 tasks, 2 dealt again, 3 workers, 2 tasks per second, 35s left", p.String())
	assert.Equal(t, "0 of 5 tasks, 1 workers", farm.Progress{Tasks: 5, Workers: 1}.String())
}

func TestEachRequestOfAWorkerIsTimed(t *testing.T) {
	require.NoError(t, mpi.RunLocal(2, func(world *mpi.Comm) error {
		p := newPowers(12)
		o := p.options(2, 3)
		waits := 0
		o.Waited = func(d time.Duration) {
			waits++
			assert.Positive(t, d)
		}
		report, err := farm.Run(t.Context(), world, p.job(), o)
		if world.Rank() == 1 {
			assert.Equal(t, 4, waits, "of three tasks each")
			assert.Equal(t, 4+2, report.Requests, "the last of each slot is answered by nothing")
			assert.LessOrEqual(t, report.Idle, report.Time)
		}
		return err
	}))
}
