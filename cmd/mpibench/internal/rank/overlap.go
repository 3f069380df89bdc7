package rank

import (
	"context"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// overlap posts a receive, asks the other rank for the message, computes, and waits. The more of
// the transfer happens during the computation, the shorter is the wait. It is the test of figure
// 4.9 in Majumder's thesis. With the operation allreduce all ranks do that with a sum of float64.
func overlap(s *session) (Figures, error) {
	begin := s.receive()
	switch s.Operation {
	case "", Receive:
	case allreduce:
		begin = s.allreduce()
	default:
		return nil, fmt.Errorf("%q overlaps with nothing: it is neither %s nor %s", s.Operation, Receive, allreduce)
	}
	alone, _, err := s.overlap(begin, func() {})
	if err != nil {
		return nil, err
	}
	units := inUnits(s.Compute)
	span, waited, err := s.overlap(begin, func() {
		compute(units)
		increment(s.Increments)
	})
	if err != nil {
		return nil, err
	}
	f := span.figures()
	if s.Operation != allreduce {
		span.ends(f, 1)
	}
	f["transfer_us"] = alone.each()
	f["total_us"] = span.each()
	f["wait_us"] = waited.Seconds() * 1e6 / float64(max(span.count, 1))
	f["hidden"] = 1 - f["wait_us"]/f["transfer_us"]
	return f, nil
}

// The operations of overlap.
const (
	Receive   = "receive"
	allreduce = "allreduce"
)

// Overlapping are the operations of overlap.
func Overlapping() []string { return []string{Receive, allreduce} }

// overlap measures operations, each with a computation before its wait. It also returns how long this rank waited after the
// computations, in total.
func (s *session) overlap(begin func() (*mpi.Request, error), computation func()) (p span, waited time.Duration, err error) {
	p, err = s.measure(func(n int) error {
		waited = 0
		return repeat(n, func() error {
			r, err := begin()
			if err != nil || r == nil {
				return err
			}
			computation()
			computed := time.Now()
			_, err = r.Wait(context.Background())
			waited += time.Since(computed)
			return err
		})
	})
	return p, waited, err
}

// allreduce begins sums over all ranks.
func (s *session) allreduce() func() (*mpi.Request, error) {
	send, recv := make([]float64, max(s.Size/8, 1)), make([]float64, max(s.Size/8, 1))
	return func() (*mpi.Request, error) { return mpi.Iallreduce(s.world, send, recv, mpi.Sum) }
}

// receive begins receives of the first rank, which asks for their messages. The other one sends these, and has nothing to wait for.
func (s *session) receive() func() (*mpi.Request, error) {
	buf, word := make([]byte, s.Size), []byte{1}
	return func() (*mpi.Request, error) {
		if !s.first() {
			if _, err := mpi.Recv(s.world, word, s.peer(), tagAnswer); err != nil {
				return nil, err
			}
			return nil, mpi.Send(s.world, buf, s.peer(), tagWork)
		}
		r, err := mpi.Irecv(s.world, buf, s.peer(), tagWork)
		if err != nil {
			return nil, err
		}
		return r, mpi.Send(s.world, word, s.peer(), tagAnswer)
	}
}
