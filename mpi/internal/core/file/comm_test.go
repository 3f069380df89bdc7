package file

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

// team is a communicator of goroutines: each collective call ends when all ranks have made it.
type team struct {
	mu      sync.Mutex
	changed *sync.Cond
	calls   []int // that each rank has made
	given   [][]any
	left    bool // a rank has left
}

type member struct {
	*team
	rank int
}

// ranks runs fn as n ranks. A rank that fails leaves, and the calls of the others fail.
func ranks(t *testing.T, n int, fn func(t *testing.T, comm Comm)) {
	t.Helper()
	group := &team{calls: make([]int, n)}
	group.changed = sync.NewCond(&group.mu)
	var all sync.WaitGroup
	for rank := range n {
		all.Go(func() {
			defer group.leave()
			fn(t, &member{group, rank})
		})
	}
	all.Wait()
	assert.False(t, t.Failed())
}

func (m *team) leave() {
	m.mu.Lock()
	defer m.mu.Unlock()
	// Those that have succeeded have left after their last call, and so have all others.
	m.left = true
	m.changed.Broadcast()
}

// exchange gives something to all ranks, and returns what they give.
func (m *member) exchange(mine any) ([]any, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	call := m.calls[m.rank]
	m.calls[m.rank]++
	if len(m.given) == call {
		m.given = append(m.given, make([]any, len(m.calls)))
	}
	m.given[call][m.rank] = mine
	m.changed.Broadcast()
	for slices.Contains(m.given[call], nil) {
		if m.left {
			return nil, errors.New("a rank has left")
		}
		m.changed.Wait()
	}
	return m.given[call], nil
}

func (m *member) Rank() int { return m.rank }

func (m *member) Size() int { return len(m.calls) }

func (m *member) Bcast(buffer []byte, root int) error {
	all, err := m.exchange(slices.Clone(buffer))
	if err == nil {
		copy(buffer, all[root].([]byte))
	}
	return err
}

func (m *member) Allgather(mine, all []byte) error {
	given, err := m.exchange(slices.Clone(mine))
	if err != nil {
		return err
	}
	for i, block := range given {
		if len(block.([]byte)) != len(mine) {
			return errors.New("blocks of different lengths")
		}
		copy(all[i*len(mine):], block.([]byte))
	}
	return nil
}

func (m *member) Alltoallv(send []byte, sent Layout, recv []byte, received Layout) error {
	blocks := make([][]byte, m.Size())
	for i := range blocks {
		blocks[i] = slices.Clone(send[sent.Displs[i]:][:sent.Counts[i]])
	}
	given, err := m.exchange(blocks)
	if err != nil {
		return err
	}
	for i := range given {
		block := given[i].([][]byte)[m.rank]
		if len(block) != received.Counts[i] {
			return errors.New("a block has another length than is expected")
		}
		copy(recv[received.Displs[i]:][:received.Counts[i]], block)
	}
	return nil
}

func (m *member) Free() error { return nil }
