package farm

import (
	"context"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// manager answers requests and collects results.
type manager[T, R any] struct {
	comm    *mpi.Comm
	job     Job[T, R]
	next    int // the next task to hand out
	workers []worker[T, R]
	// For worker w: the receive of a request at 2·w, that of a result at
	// 2·w+1. They name the worker, and so fail if it does.
	receives []*mpi.Request
}

// worker is what the manager knows of one; its rank is its index plus one.
type worker[T, R any] struct {
	slots  int // that have not heard that there are no more tasks
	undone int // tasks handed out whose results are to come
	result []R
	// The last tasks handed out, whose memory is in use until they are sent.
	tasks [][]T
	sends []*mpi.Request
	turn  int
}

func manage[T, R any](ctx context.Context, c *mpi.Comm, job Job[T, R], o Options) error {
	n := c.Size() - 1
	m := manager[T, R]{comm: c, job: job, workers: make([]worker[T, R], n), receives: make([]*mpi.Request, 2*n)}
	for w := range m.workers {
		m.workers[w] = worker[T, R]{
			slots: o.Fanout, result: make([]R, o.MaxResult),
			tasks: make([][]T, o.Fanout), sends: make([]*mpi.Request, o.Fanout),
		}
		if err := m.listen(w); err != nil {
			return err
		}
	}
	for {
		i, status, err := mpi.WaitAny(ctx, m.receives...)
		if err != nil {
			return err
		}
		if i < 0 { // no worker has anything more to send
			return m.finish(ctx)
		}
		m.receives[i] = nil
		w := i / 2
		if i%2 == 0 {
			err = m.answer(ctx, w)
		} else {
			err = m.collect(w, status.Count)
		}
		if err != nil {
			return err
		}
		if err := m.listen(w); err != nil {
			return err
		}
	}
}

// listen posts the receives of what a worker still has to say.
func (m *manager[T, R]) listen(w int) (err error) {
	from := &m.workers[w]
	request, result := &m.receives[2*w], &m.receives[2*w+1]
	if *request == nil && from.slots > 0 {
		if *request, err = mpi.Irecv[byte](m.comm, nil, w+1, tagRequest); err != nil {
			return err
		}
	}
	if *result == nil && from.undone > 0 {
		*result, err = mpi.Irecv(m.comm, from.result, w+1, tagResult)
	}
	return err
}

// answer gives a worker the next task, or tells it that there are no more. It does not wait until
// the worker, which may be busy, has received the answer.
func (m *manager[T, R]) answer(ctx context.Context, w int) (err error) {
	to := &m.workers[w]
	turn := to.turn
	to.turn = (turn + 1) % len(to.sends)
	// This one the worker has received, or it would not ask for another.
	if _, err := to.sends[turn].Wait(ctx); err != nil {
		return err
	}
	task := to.tasks[turn][:0]
	if m.next < m.job.Tasks() {
		task = m.job.AppendTask(task, m.next)
		m.next++
		to.undone++
	} else {
		to.slots--
	}
	to.tasks[turn] = task
	to.sends[turn], err = mpi.Isend(m.comm, task, w+1, tagTask)
	return err
}

// collect takes the result that a worker has sent.
func (m *manager[T, R]) collect(w, length int) error {
	m.workers[w].undone--
	return m.job.Collect(m.workers[w].result[:length])
}

// finish waits until the last answers have left.
func (m *manager[T, R]) finish(ctx context.Context) error {
	for _, w := range m.workers {
		if _, err := mpi.WaitAll(ctx, w.sends...); err != nil {
			return err
		}
	}
	return nil
}
