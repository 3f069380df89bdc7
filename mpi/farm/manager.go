package farm

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// manager answers requests and collects results.
type manager[T, R any] struct {
	ctx     context.Context
	comm    *mpi.Comm
	job     Job[T, R]
	options Options
	*ledger[R]
	peers []peer[T]
	lanes []lane[R]
	// Of each peer the receive of its failure, then the heads of lanes. Those are nil that nothing can come for.
	waits    []*mpi.Request
	failures [][]byte       // by peer
	sends    []*mpi.Request // of what workers are told once
	queue    []asked        // requests that have not been answered

	alive   int   // peers
	active  int   // slots of those that get tasks
	next    int   // the next task to deal for the first time
	again   []int // those that workers had which have died
	open    int   // tasks that have been dealt, and have no result
	failed  error // why the farm stops
	stopped bool  // that the workers have been told so, or that all is done
}

// peer is what the manager knows of a worker; its rank is its index plus one.
type peer[T any] struct {
	slots []dealt[T]
	over  int // slots that get no more tasks
	dead  bool
}

// dealt is what a slot has got.
type dealt[T any] struct {
	given   []int  // tasks, in the order in which their results come
	results uint64 // that have come
	// The tasks of the last answer, whose memory is in use until they are sent.
	tasks [][]T
	sends []*mpi.Request
}

// asked is a request.
type asked struct{ worker, slot int }

func manage[T, R any](ctx context.Context, c *mpi.Comm, job Job[T, R], o Options) (Report, error) {
	m := &manager[T, R]{ctx: ctx, comm: c, job: job, alive: c.Size() - 1, peers: make([]peer[T], c.Size()-1)}
	err := m.prepare(o)
	if err != nil {
		return Report{}, m.refuse(err)
	}
	err = m.close(m.run())
	return m.report, err
}

// prepare finds what is wrong before the workers begin.
func (m *manager[T, R]) prepare(o Options) (err error) {
	if m.options, err = o.withDefaults(); err != nil {
		return err
	}
	if m.job.Tasks < 0 {
		return fmt.Errorf("farm: the job has %d tasks", m.job.Tasks)
	}
	if len(m.peers) > 0 {
		if m.lanes, err = lanes[R](m.options, len(m.peers)); err != nil {
			return err
		}
	}
	m.ledger, err = newLedger(m.job.Tasks, m.job.Collect, m.options)
	return err
}

// refuse tells the workers that there will be no work.
func (m *manager[T, R]) refuse(why error) error {
	for w := range m.peers {
		if err := tell(m, w, []settings{{}}, tagSettings); err != nil {
			return err
		}
	}
	m.failed = why
	return cmp.Or(m.stop(), m.settle(), why)
}

func (m *manager[T, R]) run() error {
	m.show(m.alive)
	if err := m.begin(); err != nil {
		return err
	}
	var indices []int
	var statuses []mpi.Status
	for {
		if err := m.deal(); err != nil {
			return err
		}
		if m.active == 0 && m.open == 0 {
			return m.end()
		}
		var err error
		indices, statuses, err = mpi.WaitSomeInto(m.ctx, indices[:0], statuses[:0], m.waits...)
		if err != nil && len(indices) == 0 {
			return err
		}
		for k, i := range indices {
			status, done, failure := statuses[k], true, error(nil)
			if err != nil {
				// A receive from any source is under way again, or complete, if a death has been acknowledged meanwhile.
				if status, done, failure = m.waits[i].Test(); !done && failure == nil {
					continue
				}
			}
			if err := m.handle(i, status, failure); err != nil {
				return err
			}
		}
	}
}

// begin posts receives and tells the workers how the farm works. That finds those that are dead.
func (m *manager[T, R]) begin() (err error) {
	n := len(m.peers)
	m.active = n * m.options.Slots
	m.waits, m.failures = make([]*mpi.Request, n+len(m.lanes)), make([][]byte, n)
	for w := range m.peers {
		// They are posted before those for any tag, and so get what they are for.
		m.failures[w] = make([]byte, maxFailure)
		if m.waits[w], err = mpi.Irecv(m.comm, m.failures[w], w+1, tagFailure); err != nil {
			return err
		}
	}
	for i := range m.lanes {
		if err := m.lanes[i].post(m.comm); err != nil {
			return err
		}
		m.waits[n+i] = m.lanes[i].head()
	}
	o := m.options
	s := []settings{{int64(o.Slots), int64(o.Fanout), int64(o.MaxTask), int64(o.MaxResult)}}
	for w := range m.peers {
		m.peers[w].slots = make([]dealt[T], o.Slots)
		if err := tell(m, w, s, tagSettings); err != nil {
			return err
		}
	}
	return nil
}

// handle handles what a receive has got.
func (m *manager[T, R]) handle(i int, status mpi.Status, failure error) error {
	if i < len(m.peers) {
		m.waits[i] = nil
		if failure == nil {
			m.blame(i, m.failures[i][:status.Count])
		}
		return m.survive(i, failure)
	}
	l := &m.lanes[i-len(m.peers)]
	switch {
	case failure == nil:
		m.receive(status, l.message())
	case errors.Is(failure, mpi.ErrProcFailedPending):
		return m.acknowledge()
	case errors.Is(failure, mpi.ErrProcFailed):
		m.bury(culprit(failure) - 1)
		if l.source != mpi.AnySource {
			m.waits[i] = nil
			return nil
		}
	case errors.Is(failure, mpi.ErrTruncate) || errors.Is(failure, mpi.ErrType): // the message is gone
		m.fail(fmt.Errorf("farm: a message that does not fit: %w", failure))
		m.receive(status, nil)
	default:
		return failure
	}
	err := l.next(m.comm)
	m.waits[i] = l.head()
	return err
}

// receive handles a request or a result.
func (m *manager[T, R]) receive(status mpi.Status, message []R) {
	w := status.Source - 1
	k, slot := slotOf(status.Tag)
	switch {
	case w < 0 || slot < 0 || slot >= m.options.Slots || k == task:
		m.fail(fmt.Errorf("farm: a message with tag %d from rank %d is none of the farm's, which needs a communicator of its own", status.Tag, status.Source))
	case m.peers[w].dead: // the tasks are others'
	case k == request:
		m.queue = append(m.queue, asked{w, slot})
	case len(m.peers[w].slots[slot].given) == 0:
		m.fail(fmt.Errorf("farm: rank %d has sent a result of no task", w+1))
	default:
		from := &m.peers[w].slots[slot]
		i := from.given[0]
		from.given = append(from.given[:0], from.given[1:]...)
		from.results++
		m.open--
		if m.failed == nil {
			m.fail(m.collect(i, message[:status.Count], m.alive))
		}
	}
}

// blame stops the farm because of a task that has failed.
func (m *manager[T, R]) blame(w int, failure []byte) {
	slot, done, text := parseFailure(failure)
	e := &TaskError{Task: -1, Rank: w + 1, Text: text}
	if slot < len(m.peers[w].slots) {
		of := &m.peers[w].slots[slot]
		if n := done - of.results; n < uint64(len(of.given)) {
			e.Task = of.given[n]
		}
	}
	m.fail(e)
}

// fail notes why the farm stops, if it is the first reason.
func (m *manager[T, R]) fail(err error) { m.failed = cmp.Or(m.failed, err) }

// stop tells the workers that the farm has ended, and why.
func (m *manager[T, R]) stop() error {
	if m.stopped {
		return nil
	}
	m.stopped = true
	for w := range m.peers {
		if err := tell(m, w, text(m.failed), tagStop); err != nil {
			return err
		}
	}
	return nil
}

// tell sends a worker what it is told once.
func tell[T, R, E any](m *manager[T, R], w int, message []E, tag int) error {
	if m.peers[w].dead {
		return nil
	}
	send, err := mpi.Isend(m.comm, message, w+1, tag)
	m.sends = append(m.sends, send)
	return m.survive(w, err)
}

// settle waits until all has left that living workers are told.
func (m *manager[T, R]) settle() error {
	sends := m.sends
	for _, p := range m.peers {
		for i := range p.slots {
			if !p.dead {
				sends = append(sends, p.slots[i].sends...)
			}
		}
	}
	for _, s := range sends {
		if _, err := s.Wait(m.ctx); err != nil && !errors.Is(err, mpi.ErrProcFailed) {
			return err
		}
	}
	return nil
}

// end leaves nothing under way, and does what is left if no worker is.
func (m *manager[T, R]) end() error {
	for i := range m.lanes {
		m.waits = append(m.waits, m.lanes[i].receives...)
	}
	for _, r := range m.waits {
		if r != nil {
			if err := r.Cancel(); err != nil {
				return err
			}
		}
	}
	for _, r := range m.waits {
		if _, err := r.Wait(m.ctx); err != nil && m.ctx.Err() != nil {
			return err
		}
	}
	if err := m.settle(); err != nil {
		return err
	}
	if m.failed != nil {
		return m.failed
	}
	return m.serve()
}

// serve does the tasks that are left on this rank.
func (m *manager[T, R]) serve() error {
	var task []T
	var result []R
	for m.left() > 0 {
		if m.ctx.Err() != nil {
			return context.Cause(m.ctx)
		}
		i := m.take()
		var err error
		if task, err = m.build(task[:0], i); err != nil {
			return err
		}
		result, err = m.job.Do(m.ctx, task, result[:0])
		if err := checked(err, len(result), m.options.MaxResult); err != nil {
			return fmt.Errorf("farm: task %d: %w", i, err)
		}
		m.report.Tasks++
		m.open--
		if err := m.collect(i, result, m.alive); err != nil {
			return err
		}
	}
	return nil
}
