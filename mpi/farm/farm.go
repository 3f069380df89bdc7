// Package farm is a task farm for programs: the first rank of a communicator, the manager, hands out tasks on request; the
// others, the workers, do them and send back the results. Map does one thing to all values of a slice; Run is for all else.
//
// # Hiding latency
//
// A worker has several requests under way, each from a slot of its own, and each request is answered by several tasks, the
// fanout. The tasks of a slot have a tag of their own. They find their receives posted, and the worker does whichever has
// come; so the tasks of one slot travel while those of another are done, and over SCTP no lost packet delays tasks of
// other slots. The manager answers each request as it arrives and waits for no worker. When few tasks are left an
// answer has fewer of them, so that all workers get some.
//
//	request  worker → manager  nothing: all tasks of the slot are done
//	task     manager → worker  a task of the slot; an empty message ends an answer that is shorter than the fanout
//	result   worker → manager  the result of the slot's next task
//
// # Failures
//
// Workers may die where the launcher lets the others go on, as mpirun --keep-going does: what they had is dealt to others,
// in the end to the manager itself, and each result is collected once. The farm acknowledges deaths on the communicator
// (see mpi.Comm.AckFailed). A manager that dies is replaced by none; but with a Checkpoint the next job goes on from what it had
// collected. A task that fails ends the farm, on all ranks, with its error.
//
// # Memory
//
// A worker has memory for slots × fanout tasks and as many results. The manager has it for the tasks that are under way, at
// most workers × slots × fanout, and for results: see Receives. The number of tasks costs it nothing.
package farm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Job is what a farm does. A task is one or more elements of T, a result any number of R, both types that MPI can send: bytes,
// numbers, structs of them. What has no fixed size is encoded as bytes by the program.
//
// All ranks pass the same functions. Tasks, Task and Collect are used at the manager, Do at the workers, and at the manager
// if there are none. No two of a rank run at a time.
type Job[T, R any] struct {
	// Tasks is the number of tasks.
	Tasks int
	// Task appends the elements of a task, from 0 to Tasks-1, to buf. A task is asked for when it is dealt, and
	// again if the worker that had it has died.
	Task func(buf []T, i int) []T
	// Do does a task and appends the elements of the result to buf. It keeps neither slice. It should return the cause when
	// ctx ends, which it does if the farm stops because of an error.
	Do func(ctx context.Context, task []T, buf []R) ([]R, error)
	// Collect takes the result of a task but does not keep the slice. Results come as they are ready, each once.
	Collect func(i int, result []R) error
}

// Options are how a farm works. Those of the manager hold for all; of others only Waited is used.
type Options struct {
	// Slots is how many requests a worker has under way, up to MaxSlots. Default 4.
	Slots int
	// Fanout is how many tasks answer a request, up to MaxFanout. Default 1.
	Fanout int
	// MaxTask and MaxResult are the most elements of a task and of a result. Default 1.
	MaxTask, MaxResult int
	// Receives is how the manager receives. Default AnySource.
	Receives Receives
	// Checkpoint, unless nil, is what an interrupted job goes on from.
	Checkpoint *Checkpoint
	// Progress, unless nil, is called by the manager when it begins and after each result.
	Progress func(Progress)
	// Waited, unless nil, is called by a worker when the first task of an answer is there, with the time since its request. A
	// worker that computes looks when it has done a task.
	Waited func(time.Duration)
}

// Bounds of Options.
const (
	MaxSlots  = 4096
	MaxFanout = 4096
)

// Report is what a rank can say of its part in a farm that has ended.
type Report struct {
	// Tasks is how many tasks this rank has done, Requests how many requests it has made.
	Tasks, Requests int
	// Time is how long the farm has worked, Idle how much of it this worker has waited without a task.
	Time, Idle time.Duration
	// Lost is how many workers have died, Again how many tasks were dealt again for it, Restored how many results the
	// checkpoint had. The manager knows them.
	Lost, Again, Restored int
}

// ErrStopped matches the error of workers that have done nothing wrong in a farm that has ended because of an error elsewhere.
var ErrStopped = errors.New("the farm has stopped")

// TaskError is the manager's error for a task that has failed at a worker.
type TaskError struct {
	Task, Rank int
	Text       string // of the error that Do has returned
}

func (e *TaskError) Error() string {
	return fmt.Sprintf("farm: task %d on rank %d: %s", e.Task, e.Rank, e.Text)
}

// Run runs a job on the ranks of an intracommunicator, of which rank 0 is the manager; a communicator of one rank does all tasks
// itself. Collective. Until it has returned on all ranks the communicator is the farm's: give it a Dup where other messages are
// under way.
//
// Run returns the error of the function of the job that has failed, and on other ranks a TaskError or ErrStopped. The communicator
// should not be used for another farm then. When ctx ends, or MPI fails, the rank concerned returns at once and must leave the job, as
// mpi.Run makes it do. It is ErrProcFailed if the manager has died; that workers have died is no error.
func Run[T, R any](ctx context.Context, c *mpi.Comm, job Job[T, R], o Options) (Report, error) {
	if err := errors.Join(mpi.Elements([]T(nil)).Err(), mpi.Elements([]R(nil)).Err()); err != nil {
		return Report{}, fmt.Errorf("farm: tasks and results: %w", err)
	}
	if ctx == nil {
		ctx = context.Background()
	}
	c = c.WithContext(ctx)
	begun := time.Now()
	run := work[T, R]
	if c.Rank() == managerRank {
		run = manage[T, R]
	}
	report, err := run(ctx, c, job, o)
	report.Time = time.Since(begun)
	return report, err
}

const managerRank = 0

// withDefaults returns the options in full, or the error that names the wrong one.
func (o Options) withDefaults() (Options, error) {
	for _, field := range []struct {
		name           string
		value          *int
		standard, most int
	}{
		{"Slots", &o.Slots, 4, MaxSlots}, {"Fanout", &o.Fanout, 1, MaxFanout},
		{"MaxTask", &o.MaxTask, 1, 0}, {"MaxResult", &o.MaxResult, 1, 0},
	} {
		switch v := *field.value; {
		case v == 0:
			*field.value = field.standard
		case v < 0:
			return o, fmt.Errorf("farm: %s %d is negative", field.name, v)
		case field.most > 0 && v > field.most:
			return o, fmt.Errorf("farm: %s %d is more than %d", field.name, v, field.most)
		}
	}
	if o.Receives < AnySource || o.Receives > Named {
		return o, fmt.Errorf("farm: Receives %d is none of AnySource, AnyTag and Named", o.Receives)
	}
	return o, nil
}
