package farm

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// left is how many tasks are to be dealt.
func (m *manager[T, R]) left() int { return m.job.Tasks - m.done.size - m.open }

// take takes the next of them.
func (m *manager[T, R]) take() (i int) {
	m.open++
	if n := len(m.again); n > 0 {
		i, m.again = m.again[n-1], m.again[:n-1]
		return i
	}
	i = m.done.after(m.next)
	m.next = i + 1
	return i
}

// deal answers the requests for which there are tasks. Only when all results are there, workers are told that there are no
// more: before that one may die, and another has to do its tasks.
func (m *manager[T, R]) deal() error {
	for {
		left := m.left()
		if m.failed != nil || left == 0 && m.open == 0 {
			if err := m.stop(); err != nil {
				return err
			}
		}
		if len(m.queue) == 0 || left == 0 && !m.stopped {
			return nil
		}
		to := m.queue[0]
		m.queue = m.queue[1:]
		if m.peers[to.worker].dead {
			continue
		}
		n := 0
		if !m.stopped { // at the end each living worker gets its share
			n = min(m.options.Fanout, (left+m.alive-1)/m.alive)
		}
		if err := m.survive(to.worker, m.answer(to, n)); err != nil {
			return err
		}
	}
}

// answer sends a slot some tasks, and the end of the answer if they are fewer than the fanout.
func (m *manager[T, R]) answer(to asked, n int) (err error) {
	peer := &m.peers[to.worker]
	slot := &peer.slots[to.slot]
	if slot.tasks == nil {
		slot.tasks, slot.sends = make([][]T, m.options.Fanout), make([]*mpi.Request, m.options.Fanout)
	}
	for k := range m.options.Fanout {
		// This one the worker has received, or it would not have asked again.
		if _, err := slot.sends[k].Wait(m.ctx); err != nil {
			return err
		}
		message := slot.tasks[k][:0]
		last := k == n
		if !last {
			i := m.take()
			if message, err = m.build(message, i); err != nil {
				m.fail(err)
				m.open--
				message, last = message[:0], true
			} else { // before the send, so that another worker gets it if this one is dead
				slot.given = append(slot.given, i)
			}
		}
		slot.tasks[k] = message
		if slot.sends[k], err = mpi.Isend(m.comm, message, to.worker+1, task.tag(to.slot)); err != nil {
			return err
		}
		if last {
			if k == 0 {
				peer.over++
				m.active--
			}
			return nil
		}
	}
	return nil
}

// build makes a task.
func (m *manager[T, R]) build(buf []T, i int) ([]T, error) {
	buf = m.job.Task(buf, i)
	if len(buf) == 0 || len(buf) > m.options.MaxTask {
		return buf, fmt.Errorf("farm: task %d has %d elements; it must have one, and MaxTask is %d", i, len(buf), m.options.MaxTask)
	}
	return buf, nil
}
