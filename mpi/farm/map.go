package farm

import (
	"context"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Map does the same to each of some values, and returns the results at rank 0, in the order of the values; elsewhere nil. Only rank 0's
// tasks are used. It is Run of a job whose tasks and results are single values; a Checkpoint needs no State. Collective.
func Map[T, R any](ctx context.Context, c *mpi.Comm, tasks []T, do func(ctx context.Context, task T) (R, error), o Options) ([]R, error) {
	var results values[R]
	if c.Rank() == managerRank {
		results = make(values[R], len(tasks))
	}
	o.MaxTask, o.MaxResult = 1, 1
	if o.Checkpoint != nil && o.Checkpoint.State == nil {
		with := *o.Checkpoint
		with.State = results
		o.Checkpoint = &with
	}
	if _, err := Run(ctx, c, Job[T, R]{
		Tasks: len(tasks),
		Task:  func(buf []T, i int) []T { return append(buf, tasks[i]) },
		Do: func(ctx context.Context, task []T, buf []R) ([]R, error) {
			r, err := do(ctx, task[0])
			return append(buf, r), err
		},
		Collect: func(i int, result []R) error {
			results[i] = result[0]
			return nil
		},
	}, o); err != nil {
		return nil, err
	}
	return results, nil
}

// values is a State.
type values[R any] []R

// MarshalBinary packs the values, those too that are not there yet.
func (v values[R]) MarshalBinary() ([]byte, error) { return mpi.Elements(v).Pack(nil) }

// UnmarshalBinary is the inverse of MarshalBinary.
func (v values[R]) UnmarshalBinary(data []byte) error {
	_, err := mpi.Elements(v).Unpack(data)
	return err
}
