package farm

import (
	"errors"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// survive goes on without a worker if err says that it is dead. Other errors it returns.
func (m *manager[T, R]) survive(w int, err error) error {
	if errors.Is(err, mpi.ErrProcFailed) {
		m.bury(w)
		return nil
	}
	return err
}

// bury has others do what a dead worker has left undone. What still comes from it does not count. A worker that gets no more tasks
// may have left.
func (m *manager[T, R]) bury(w int) {
	if w < 0 || w >= len(m.peers) || m.peers[w].dead || m.peers[w].over == m.options.Slots {
		return
	}
	p := &m.peers[w]
	p.dead = true
	m.alive--
	m.active -= m.options.Slots - p.over
	m.report.Lost++
	for i := range p.slots {
		given := p.slots[i].given
		m.again = append(m.again, given...)
		m.open -= len(given)
		m.report.Again += len(given)
	}
	p.slots = nil
	m.show(m.alive)
}

// acknowledge buries all that are known to be dead, so that receives from any source go on.
func (m *manager[T, R]) acknowledge() error {
	failed, err := m.comm.GetFailed()
	if err != nil {
		return err
	}
	places := make([]int, failed.Size())
	for i := range places {
		places[i] = i
	}
	ranks, err := failed.Translate(places, m.comm.Group())
	if err != nil {
		return err
	}
	for _, rank := range ranks {
		m.bury(rank - 1)
	}
	_, err = m.comm.AckFailed(failed.Size())
	return err
}

// culprit is the rank that an error is about.
func culprit(err error) int {
	if e := (*mpi.Error)(nil); errors.As(err, &e) {
		return e.Rank
	}
	return mpi.Undefined
}
