package rank

import (
	"context"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// addUnmatched posts receives and sends messages that match nothing, each with a tag of its own.
// The function that it returns removes them.
func (s *session) addUnmatched() (remove func() error, err error) {
	posted := make([]*mpi.Request, s.Posted)
	received := make([]byte, s.Posted)
	for i := range posted {
		if posted[i], err = mpi.Irecv(s.world, received[i:i+1], s.peer(), tagUnmatchedBase+i); err != nil {
			return nil, err
		}
	}
	for i := range s.Unexpected {
		if err := mpi.Send(s.world, []byte{1}, s.peer(), tagUnmatchedBase+i); err != nil {
			return nil, err
		}
	}
	if err := s.meet(); err != nil { // the messages have arrived, or soon will
		return nil, err
	}
	return func() error {
		for _, r := range posted {
			if err := r.Cancel(); err != nil {
				return err
			}
		}
		if _, err := mpi.WaitAll(context.Background(), posted...); err != nil {
			return err
		}
		for i := range s.Unexpected {
			if _, err := mpi.Recv(s.world, make([]byte, 1), s.peer(), tagUnmatchedBase+i); err != nil {
				return err
			}
		}
		return s.meet()
	}, nil
}

// meet returns when the other one of the first two ranks has called it too.
func (s *session) meet() error {
	var word [1]byte
	_, err := mpi.Sendrecv(s.world, []byte{1}, s.peer(), tagControl, word[:], s.peer(), tagControl)
	return err
}
