package rank

import (
	"context"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// backlog measures receives of expected or of unexpected messages. The other rank sends a window of
// messages and then a word. If Posted is not 0 the first rank posts its receives before it asks for
// the window, otherwise after the word. Meanwhile short messages wait at the receiver, long ones at
// the sender.
func backlog(s *session) (Figures, error) {
	in := make([][]byte, s.Window)
	for i := range in {
		in[i] = make([]byte, s.Size)
	}
	var received time.Duration
	span, err := s.measure(func(n int) error {
		received = 0
		return repeat(n, func() error {
			if !s.first() {
				return s.sendBacklog(in[0])
			}
			took, err := s.receiveBacklog(in)
			received += took
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	messages := float64(max(span.count, 1) * s.Window)
	f := span.figures()
	f["message_us"] = span.each() / float64(s.Window)
	f["gbit_s"] = float64(s.Size) * 8 / f["message_us"] / 1e3
	span.ends(f, 1)
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

// receiveBacklog returns the time in receive calls after the word has come.
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
