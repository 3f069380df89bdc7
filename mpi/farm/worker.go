package farm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// worker does the tasks of its slots.
type worker[T, R any] struct {
	ctx    context.Context
	comm   *mpi.Comm
	job    Job[T, R]
	waited func(time.Duration)
	report Report

	slots []slot[T, R]
	open  int // slots that still get tasks
	// For each slot the receive that its next task comes to, nil if none does; and last stop, nil if that has come.
	waits   []*mpi.Request
	stop    *mpi.Request // receives why the farm ends
	why     []byte       // nothing if all is done
	stopped bool
	failed  error           // of a task of this rank
	doing   context.Context // of tasks: ends when the farm does
}

// slot is a request and its tasks.
type slot[T, R any] struct {
	tasks    [][]T // where they come, in this order
	results  [][]R
	receives []*mpi.Request
	sends    []*mpi.Request // of results
	next     int            // the task that comes next
	done     uint64         // results that have been sent
	asked    time.Time
}

func work[T, R any](ctx context.Context, c *mpi.Comm, job Job[T, R], o Options) (Report, error) {
	w := &worker[T, R]{ctx: ctx, comm: c, job: job, waited: o.Waited, why: make([]byte, maxText)}
	doing, end := context.WithCancelCause(ctx)
	defer end(nil)
	w.doing = doing
	err := w.run(end)
	if errors.Is(err, mpi.ErrProcFailed) {
		err = fmt.Errorf("farm: the manager, rank %d, has died: %w", managerRank, err)
	}
	return w.report, err
}

func (w *worker[T, R]) run(end context.CancelCauseFunc) (err error) {
	if w.stop, err = mpi.Irecv(w.comm, w.why, managerRank, tagStop); err != nil {
		return err
	}
	go func() { // also while a task is done
		select {
		case <-w.stop.Done():
			end(ErrStopped)
		case <-w.doing.Done():
		}
	}()
	s, _, err := mpi.RecvValue[settings](w.comm, managerRank, tagSettings)
	if err != nil {
		return err
	}
	w.slots, w.open = make([]slot[T, R], s.Slots), int(s.Slots)
	w.waits = append(make([]*mpi.Request, s.Slots), w.stop)
	for i := range w.slots {
		w.slots[i] = newSlot[T, R](int(s.Fanout), int(s.MaxTask))
		if err := w.ask(i); err != nil {
			return err
		}
	}
	if err := w.serve(int(s.MaxResult)); err != nil {
		return err
	}
	for i := range w.slots {
		if _, err := mpi.WaitAll(w.ctx, w.slots[i].sends...); err != nil {
			return err
		}
	}
	return w.outcome()
}

// serve does tasks until the farm ends.
func (w *worker[T, R]) serve(maxResult int) (err error) {
	var indices []int
	var statuses []mpi.Status
	for w.open > 0 || !w.stopped {
		idle := time.Now()
		indices, statuses, err = mpi.WaitSomeInto(w.ctx, indices[:0], statuses[:0], w.waits...)
		if err != nil {
			return err
		}
		w.report.Idle += time.Since(idle)
		for k, i := range indices {
			if i == len(w.slots) {
				err = w.heed()
			} else {
				err = w.take(i, statuses[k].Count, maxResult)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func newSlot[T, R any](fanout, maxTask int) slot[T, R] {
	s := slot[T, R]{
		tasks: make([][]T, fanout), results: make([][]R, fanout),
		receives: make([]*mpi.Request, fanout), sends: make([]*mpi.Request, fanout),
	}
	for i := range s.tasks {
		s.tasks[i] = make([]T, maxTask)
	}
	return s
}

// ask asks for tasks for a slot, when their receives are posted.
func (w *worker[T, R]) ask(i int) (err error) {
	s := &w.slots[i]
	for k := range s.receives {
		if s.receives[k], err = mpi.Irecv(w.comm, s.tasks[k], managerRank, task.tag(i)); err != nil {
			return err
		}
	}
	s.next, s.asked = 0, time.Now()
	w.waits[i] = s.receives[0]
	w.report.Requests++
	return mpi.Send[R](w.comm, nil, managerRank, request.tag(i))
}

// take handles the next message of a slot: a task, or the end of an answer.
func (w *worker[T, R]) take(i, length, maxResult int) error {
	s := &w.slots[i]
	k := s.next
	if length == 0 {
		if err := w.cancel(s.receives[k+1:]); err != nil {
			return err
		}
		if k == 0 {
			w.open--
			w.waits[i] = nil
			return nil
		}
		return w.ask(i)
	}
	if k == 0 && w.waited != nil {
		w.waited(time.Since(s.asked))
	}
	if _, err := s.sends[k].Wait(w.ctx); err != nil { // its memory is needed
		return err
	}
	done, err := w.do(s.tasks[k][:length], s.results[k][:0], maxResult)
	if err != nil {
		if err := w.fail(i, err); err != nil {
			return err
		}
		done = nil // the manager, which has stopped the farm, does not take it for a result
	}
	s.results[k] = done
	s.done++
	if s.sends[k], err = mpi.Isend(w.comm, done, managerRank, result.tag(i)); err != nil {
		return err
	}
	if s.next++; s.next == len(s.receives) {
		return w.ask(i)
	}
	w.waits[i] = s.receives[s.next]
	return nil
}

// do does a task, but not if the farm has stopped.
func (w *worker[T, R]) do(task []T, buf []R, maxResult int) ([]R, error) {
	if w.stopped {
		return nil, nil
	}
	w.report.Tasks++
	done, err := w.job.Do(w.doing, task, buf)
	return done, checked(err, len(done), maxResult)
}

// fail tells the manager that the next task of a slot has failed, unless that is so because the farm has stopped. It returns when
// it has.
func (w *worker[T, R]) fail(i int, err error) error {
	if w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	if w.doing.Err() == nil {
		w.failed = fmt.Errorf("farm: a task on this rank: %w", err)
		// Synchronously, so that it is not left when the farm has ended because of another.
		if err := mpi.Ssend(w.comm, failureOf(i, w.slots[i].done, err), managerRank, tagFailure); err != nil {
			return err
		}
	}
	return w.heed()
}

// heed waits until the manager stops the farm.
func (w *worker[T, R]) heed() error {
	status, err := w.stop.Wait(w.ctx)
	if err == nil && !w.stopped {
		w.stopped, w.waits[len(w.slots)] = true, nil
		w.why = w.why[:status.Count]
	}
	return err
}

// outcome is why the farm has ended.
func (w *worker[T, R]) outcome() error {
	if w.failed == nil && len(w.why) > 0 {
		return fmt.Errorf("%w: %s", ErrStopped, w.why)
	}
	return w.failed
}

// cancel gives receives up that nothing will come for.
func (w *worker[T, R]) cancel(receives []*mpi.Request) error {
	for _, r := range receives {
		if err := r.Cancel(); err != nil {
			return err
		}
	}
	if _, err := mpi.WaitAll(w.ctx, receives...); err != nil && !errors.Is(err, mpi.ErrProcFailed) {
		return err
	}
	return nil // a manager that has nothing more to say may have left
}
