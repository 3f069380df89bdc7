package farm

import (
	"context"
	"errors"
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// manager answers requests and collects results.
type manager[T, R any] struct {
	comm    *mpi.Comm
	job     Job[T, R]
	next    int   // the next task to hand out for the first time
	again   []int // those that workers had that have died
	open    int   // tasks handed out whose results are to come
	idle    []int // the worker of each request for which there has been no task
	workers []worker[T, R]
	// For worker w: the receive of a request at 2·w, that of a result at
	// 2·w+1. They name the worker, and so fail if it does.
	receives []*mpi.Request
}

// worker is what the manager knows of one; its rank is its index plus one.
type worker[T, R any] struct {
	asks   int   // requests that are to come
	given  []int // tasks handed out, in the order in which their results come
	result []R
	// The last tasks handed out, whose memory is in use until they are sent.
	tasks [][]T
	sends []*mpi.Request
	turn  int
	dead  bool
}

func manage[T, R any](ctx context.Context, c *mpi.Comm, job Job[T, R], o Options) error {
	n := c.Size() - 1
	m := manager[T, R]{comm: c, job: job, workers: make([]worker[T, R], n), receives: make([]*mpi.Request, 2*n)}
	for w := range m.workers {
		m.workers[w] = worker[T, R]{
			asks: o.Fanout, result: make([]R, o.MaxResult),
			tasks: make([][]T, o.Fanout), sends: make([]*mpi.Request, o.Fanout),
		}
	}
	for {
		for w := range m.workers {
			if err := m.survive(ctx, w, m.listen(w)); err != nil {
				return err
			}
		}
		i, status, err := mpi.WaitAny(ctx, m.receives...)
		if i < 0 {
			if err == nil { // no worker has anything more to send
				err = m.finish(ctx)
			}
			return err
		}
		m.receives[i] = nil
		w := i / 2
		switch {
		case err != nil:
		case i%2 == 0:
			m.workers[w].asks--
			m.idle = append(m.idle, w)
		default:
			err = m.collect(w, status.Count)
		}
		if err := m.survive(ctx, w, err); err != nil {
			return err
		}
		if err := m.handOut(ctx); err != nil {
			return err
		}
	}
}

// listen posts the receives of what a worker still has to say.
func (m *manager[T, R]) listen(w int) (err error) {
	from := &m.workers[w]
	request, result := &m.receives[2*w], &m.receives[2*w+1]
	if *request == nil && from.asks > 0 {
		if *request, err = mpi.Irecv[byte](m.comm, nil, w+1, tagRequest); err != nil {
			return err
		}
	}
	if *result == nil && len(from.given) > 0 {
		*result, err = mpi.Irecv(m.comm, from.result, w+1, tagResult)
	}
	return err
}

// handOut answers the requests for which there are tasks. It tells workers that there are no more only when all results are there:
// before that one may die, and another has to do its tasks.
func (m *manager[T, R]) handOut(ctx context.Context) error {
	for len(m.idle) > 0 {
		task, found := m.take()
		if !found && m.open > 0 {
			return nil
		}
		w := m.idle[0]
		m.idle = m.idle[1:]
		if err := m.survive(ctx, w, m.answer(ctx, w, task, found)); err != nil {
			return err
		}
	}
	return nil
}

// take takes the next task from the list, if there is one.
func (m *manager[T, R]) take() (task int, found bool) {
	if n := len(m.again); n > 0 {
		task, m.again = m.again[n-1], m.again[:n-1]
		return task, true
	}
	if m.next < m.job.Tasks() {
		m.next++
		return m.next - 1, true
	}
	return 0, false
}

// answer gives a worker a task, or tells it that there are no more. It does not wait until
// the worker, which may be busy, has received the answer.
func (m *manager[T, R]) answer(ctx context.Context, w, i int, found bool) (err error) {
	to := &m.workers[w]
	turn := to.turn
	to.turn = (turn + 1) % len(to.sends)
	if found { // first, so that another worker gets it if this one is dead
		to.given = append(to.given, i)
		to.asks++ // when it has received the task
		m.open++
	}
	// This one the worker has received, or it would not ask for another.
	if _, err := to.sends[turn].Wait(ctx); err != nil {
		return err
	}
	task := to.tasks[turn][:0]
	if found {
		task = m.job.AppendTask(task, i)
	}
	to.tasks[turn] = task
	to.sends[turn], err = mpi.Isend(m.comm, task, w+1, tagTask)
	return err
}

// collect takes the result that a worker has sent: that of the first of its tasks.
func (m *manager[T, R]) collect(w, length int) error {
	m.workers[w].given = m.workers[w].given[1:]
	m.open--
	return m.job.Collect(m.workers[w].result[:length])
}

// survive goes on without a worker if err says that it is dead: others are to do what it has left undone. Other errors it returns.
func (m *manager[T, R]) survive(ctx context.Context, w int, err error) error {
	if !errors.Is(err, mpi.ErrProcFailed) {
		return err
	}
	of := &m.workers[w]
	if of.dead {
		return nil
	}
	of.dead = true
	// Results that it sent before its death may have arrived.
	result := &m.receives[2*w+1]
	for len(of.given) > 0 {
		if *result == nil {
			if *result, err = mpi.Irecv(m.comm, of.result, w+1, tagResult); err != nil {
				break
			}
		}
		var status mpi.Status
		status, err = (*result).Wait(ctx)
		*result = nil
		if err != nil {
			break
		}
		if err = m.collect(w, status.Count); err != nil {
			return err
		}
	}
	if len(of.given) > 0 && !errors.Is(err, mpi.ErrProcFailed) {
		return err
	}
	m.again = append(m.again, of.given...)
	m.open -= len(of.given)
	of.given, of.asks, m.receives[2*w] = nil, 0, nil
	m.idle = slices.DeleteFunc(m.idle, func(worker int) bool { return worker == w })
	return nil
}

// finish waits until the last answers have left. If no worker is left it does the tasks that are left.
func (m *manager[T, R]) finish(ctx context.Context) error {
	for _, w := range m.workers {
		if _, err := mpi.WaitAll(ctx, w.sends...); err != nil && !errors.Is(err, mpi.ErrProcFailed) {
			return err
		}
	}
	return serve(ctx, m.job, m.take)
}
