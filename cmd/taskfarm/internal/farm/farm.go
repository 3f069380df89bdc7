// Package farm is a task farm on MPI: rank 0, the manager, hands out tasks on
// request; the others, the workers, do them and send back the results. Three
// tags keep the three kinds of message apart, so that none waits for another:
//
//	request  worker → manager  empty: the worker has room for one more task
//	task     manager → worker  the task; empty: there are no more
//	result   worker → manager  the result
//
// A worker has several requests under way, its fanout, so that the next task
// is there when it has done one. A world of one does all tasks itself.
//
// Workers may die, where the launcher lets the others go on: their tasks are
// done by others, in the end by the manager itself, and each result is
// collected once. The manager itself must not die.
package farm

import (
	"context"
	"fmt"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// The tags.
const (
	tagRequest = 1 + iota
	tagTask
	tagResult
)

const managerRank = 0

// Job is what the farm does. A task is a slice of T, a result one of R: types
// that MPI can send.
type Job[T, R any] interface {
	// Tasks is the number of tasks. The manager calls it, and all but Do.
	Tasks() int
	// AppendTask appends the i-th task, which has one element at least.
	AppendTask(task []T, i int) []T
	// Do does a task and appends the result. Workers call it. It returns the
	// cause when ctx ends.
	Do(ctx context.Context, task []T, result []R) ([]R, error)
	// Collect takes a result but does not keep the slice. The order of the
	// results is that in which they are ready.
	Collect(result []R) error
}

// Options are the same on all ranks.
type Options struct {
	// Fanout is how many requests a worker has under way, 1 at least.
	Fanout int
	// MaxTask and MaxResult are the most elements of a task and of a result.
	// A worker has memory for Fanout of each, the manager for as many tasks for
	// each worker and one result.
	MaxTask, MaxResult int
}

// Run runs a job. Collective. When ctx ends, MPI fails or a method of job
// returns an error, Run returns that on the rank concerned; the rank must then
// leave the world, as mpi.Run makes it do, so that no other waits for it. That
// workers have died is no error.
func Run[T, R any](ctx context.Context, c *mpi.Comm, job Job[T, R], o Options) error {
	c = c.WithContext(ctx)
	switch {
	case o.Fanout < 1:
		return fmt.Errorf("fanout %d: a worker that asks for nothing gets nothing; it must be 1 at least", o.Fanout)
	case c.Size() == 1:
		next := 0
		return serve(ctx, job, func() (i int, found bool) { next++; return next - 1, next <= job.Tasks() })
	case c.Rank() == managerRank:
		return manage(ctx, c, job, o)
	default:
		return work(ctx, c, job, o)
	}
}

// serve does tasks on this rank until there are no more.
func serve[T, R any](ctx context.Context, job Job[T, R], next func() (i int, found bool)) error {
	for {
		i, found := next()
		if !found {
			return nil
		}
		result, err := job.Do(ctx, job.AppendTask(nil, i), nil)
		if err != nil {
			return err
		}
		if err := job.Collect(result); err != nil {
			return err
		}
	}
}
