package rank

import (
	"context"
	"errors"
	"fmt"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/loggp"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// Operations of a flood: messages, or what rank 0 does to the memory of others.
const (
	Send = "send"
	Put  = "put"
	Get  = "get"
)

// answerSize is the length of an answer in bytes, that of the shortest messages of a flood.
const answerSize = 8

// port is one end of a flood, between two works.
type port interface {
	loggp.Port
	// close ends what openPort has begun. All ranks call it: after an error none does, as that ends the job.
	close() error
}

// openPort makes this rank's end. All ranks call it.
func (s *session) openPort() (port, error) {
	switch {
	case s.Link != "":
		return s.openLink()
	case s.Operation == Send:
		return newMessages(s), nil
	case s.Operation == Put, s.Operation == Get:
		return s.openWindow()
	}
	return nil, fmt.Errorf("%q is none of the operations %q", s.Operation, []string{Send, Put, Get})
}

// queue is what has been begun with MPI and is not complete. Each operation of it has memory of its own: the next one's is that of turn.
type queue struct {
	*session
	turn     int // counts what has been begun
	requests []*mpi.Request
	memory   [][]byte
}

func newQueue(s *session) queue {
	q := queue{session: s, memory: make([][]byte, max(s.Window, 1))}
	for i := range q.memory {
		q.memory[i] = make([]byte, s.Size)
	}
	return q
}

// next is the memory of the next operation, and the rank that it goes to if rank 0 begins it.
func (q *queue) next() (memory []byte, place, target int) {
	place, target = q.turn%len(q.memory), 1+q.turn%(q.ranks-1)
	q.turn++
	return q.memory[place], place, target
}

func (q *queue) add(r *mpi.Request, err error) error {
	if err == nil {
		q.requests = append(q.requests, r)
	}
	return err
}

func (q *queue) Complete(n int) error {
	for _, r := range q.requests[:n] {
		if _, err := r.Wait(context.Background()); err != nil {
			return err
		}
	}
	q.requests = append(q.requests[:0], q.requests[n:]...)
	return nil
}

// Answer has the receivers send an answer each, and rank 0 receive it.
func (q *queue) Answer() error {
	var answer [answerSize]byte
	if !q.first() {
		return mpi.Send(q.world, answer[:], 0, tagAnswer)
	}
	for target := 1; target < q.ranks; target++ {
		if _, err := mpi.Recv(q.world, answer[:], target, tagAnswer); err != nil {
			return err
		}
	}
	return nil
}

// messages sends and receives.
type messages struct{ queue }

func newMessages(s *session) *messages { return &messages{newQueue(s)} }

func (m *messages) Begin(n int) error {
	return repeat(n, func() error {
		memory, _, target := m.next()
		if !m.first() {
			return m.add(mpi.Irecv(m.world, memory, 0, tagWork))
		}
		return m.add(mpi.Isend(m.world, memory, target, tagWork))
	})
}

func (m *messages) close() error { return nil }

// window puts and gets. The targets take no part: they only say when they have computed what they are to.
type window struct {
	queue
	*mpi.Win[byte]
}

func (s *session) openWindow() (port, error) {
	q := newQueue(s)
	w, err := mpi.WinAllocate[byte](s.world, s.Size*len(q.memory))
	if err != nil {
		return nil, err
	}
	return &window{q, w}, w.LockAll()
}

func (w *window) Begin(n int) error {
	if !w.first() {
		return nil
	}
	return repeat(n, func() error {
		memory, place, target := w.next()
		if w.Operation == Get {
			return w.add(w.Rget(memory, target, place*w.Size))
		}
		return w.add(w.Rput(memory, target, place*w.Size))
	})
}

func (w *window) Complete(n int) error {
	if !w.first() {
		return nil
	}
	return w.queue.Complete(n)
}

func (w *window) Answer() error {
	if w.first() {
		if err := w.FlushAll(); err != nil {
			return err
		}
	}
	return w.queue.Answer()
}

func (w *window) close() error { return errors.Join(w.UnlockAll(), w.Free()) }
