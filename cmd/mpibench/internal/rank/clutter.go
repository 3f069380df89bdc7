package rank

import (
	"context"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// clutter makes the receives and messages that match nothing, each with a tag of its own,
// and returns what clears them away.
func (s *session) clutter() (release func() error, err error) {
	posted := make([]*mpi.Request, s.Posted)
	received := make([]byte, s.Posted)
	for i := range posted {
		if posted[i], err = mpi.Irecv(s.world, received[i:i+1], s.peer(), tagIdleBase+i); err != nil {
			return nil, err
		}
	}
	for i := range s.Unexpected {
		if err := mpi.Send(s.world, []byte{1}, s.peer(), tagIdleBase+i); err != nil {
			return nil, err
		}
	}
	if err := s.pair(); err != nil { // what was sent before has come, or is about to
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
			if _, err := mpi.Recv(s.world, make([]byte, 1), s.peer(), tagIdleBase+i); err != nil {
				return err
			}
		}
		return s.pair()
	}, nil
}

// pair returns when the other of the first two ranks has called it too.
func (s *session) pair() error {
	var word [1]byte
	_, err := mpi.Sendrecv(s.world, []byte{1}, s.peer(), tagControl, word[:], s.peer(), tagControl)
	return err
}
