package farm

import (
	"context"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// work asks for tasks and does them until there are no more, in the order in which they come. The manager knows by that order which
// task a result is of.
func work[T, R any](ctx context.Context, c *mpi.Comm, job Job[T, R], o Options) error {
	slots := make([]struct {
		task   []T
		result []R
	}, o.Fanout)
	tasks, results := make([]*mpi.Request, o.Fanout), make([]*mpi.Request, o.Fanout)
	ask := func(i int) (err error) {
		// First the receive, so that the task finds its place ready.
		if tasks[i], err = mpi.Irecv(c, slots[i].task, managerRank, tagTask); err != nil {
			return err
		}
		return mpi.Send[byte](c, nil, managerRank, tagRequest)
	}
	for i := range slots {
		slots[i].task = make([]T, o.MaxTask)
		if err := ask(i); err != nil {
			return err
		}
	}
	for i := 0; ; i = (i + 1) % o.Fanout {
		status, err := tasks[i].Wait(ctx)
		if err != nil {
			return err
		}
		if status.Count == 0 { // there are no more, which the other slots are told too
			_, err := mpi.WaitAll(ctx, append(tasks, results...)...)
			return err
		}
		slot := &slots[i]
		if _, err := results[i].Wait(ctx); err != nil { // its memory is needed
			return err
		}
		if slot.result, err = job.Do(ctx, slot.task[:status.Count], slot.result[:0]); err != nil {
			return err
		}
		if results[i], err = mpi.Isend(c, slot.result, managerRank, tagResult); err != nil {
			return err
		}
		if err := ask(i); err != nil {
			return err
		}
	}
}
