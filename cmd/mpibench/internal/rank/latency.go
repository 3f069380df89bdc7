package rank

import "github.com/sctpmpi/sctpmpi/mpi"

// latency sends a message to and fro between two ranks. Half of the round trip is the time from the
// call that sends a message to the return of the call that receives it. Each rank may also have
// receives and messages that match nothing.
func latency(s *session) (Figures, error) {
	remove, err := s.addUnmatched()
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
		return repeat(n, func() error {
			if err := before(); err != nil {
				return err
			}
			return after()
		})
	})
	if err != nil {
		return nil, err
	}
	f := span.figures()
	f["half_rtt_us"] = span.each() / 2
	f["calls"] = f["calls_step"] / 2
	return f, remove()
}
