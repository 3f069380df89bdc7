package rank

import (
	"context"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// backlog compares messages that are expected with those that are not: the other rank
// sends a window of them, and says so; the first receives them after that, or has posted
// its receives (Posted is not 0) before it asks for them. Long messages wait at their
// sender until they are received, short ones at the receiver.
func backlog(s *session) (Figures, error) {
	in := make([][]byte, s.Window)
	for i := range in {
		in[i] = make([]byte, s.Size)
	}
	var received time.Duration
	span, err := s.measure(func(n int) error {
		received = 0
		for range n {
			if !s.first() {
				if err := s.sendBacklog(in[0]); err != nil {
					return err
				}
				continue
			}
			took, err := s.receiveBacklog(in)
			if err != nil {
				return err
			}
			received += took
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	messages := float64(max(span.count, 1) * s.Window)
	f := span.figures()
	f["message_us"] = span.each() / float64(s.Window)
	f["receive_us"] = received.Seconds() * 1e6 / messages
	return f, nil
}

func (s *session) sendBacklog(out []byte) error {
	var word [1]byte
	if _, err := mpi.Recv(s.world, word[:], s.peer(), tagAnswer); err != nil {
		return err
	}
	requests := make([]*mpi.Request, s.Window)
	for i := range requests {
		var err error
		if requests[i], err = mpi.Isend(s.world, out, s.peer(), tagWork); err != nil {
			return err
		}
	}
	if err := mpi.Send(s.world, word[:], s.peer(), tagAnswer); err != nil {
		return err
	}
	_, err := mpi.WaitAll(context.Background(), requests...)
	return err
}

// receiveBacklog returns how long it was in the calls that receive, once all was sent.
func (s *session) receiveBacklog(in [][]byte) (time.Duration, error) {
	requests := make([]*mpi.Request, len(in))
	post := func() (err error) {
		for i := range requests {
			if requests[i], err = mpi.Irecv(s.world, in[i], s.peer(), tagWork); err != nil {
				return err
			}
		}
		return nil
	}
	if s.Posted > 0 {
		if err := post(); err != nil {
			return 0, err
		}
	}
	word := []byte{1}
	if _, err := mpi.Sendrecv(s.world, word, s.peer(), tagAnswer, make([]byte, 1), s.peer(), tagAnswer); err != nil {
		return 0, err
	}
	begun := time.Now()
	if s.Posted == 0 {
		if err := post(); err != nil {
			return 0, err
		}
	}
	_, err := mpi.WaitAll(context.Background(), requests...)
	return time.Since(begun), err
}
