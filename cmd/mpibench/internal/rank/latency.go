package rank

import "github.com/sctpmpi/sctpmpi/mpi"

// latency sends a message to and fro between two ranks: half the round trip is what a
// message takes from the call that sends it to the return of that which receives it.
// Beside it each rank may have receives, or messages, that match nothing.
func latency(s *session) (Figures, error) {
	release, err := s.clutter()
	if err != nil {
		return nil, err
	}
	buf, peer := make([]byte, s.Size), s.peer()
	send := func() error { return mpi.Send(s.world, buf, peer, tagWork) }
	receive := func() error {
		_, err := mpi.Recv(s.world, buf, peer, tagWork)
		return err
	}
	before, after := send, receive
	if !s.first() {
		before, after = receive, send
	}
	span, err := s.measure(func(n int) error {
		for range n {
			if err := before(); err != nil {
				return err
			}
			if err := after(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	f := span.figures()
	f["half_rtt_us"] = span.each() / 2
	return f, release()
}
