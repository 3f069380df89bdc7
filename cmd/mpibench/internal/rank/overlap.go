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
	run := s.receives
	switch s.Operation {
	case "", Receive:
	case allreduce:
		run = s.allreduces
	default:
		return nil, fmt.Errorf("%q overlaps with nothing: it is neither %s nor %s", s.Operation, Receive, allreduce)
	}
	alone, _, err := run(func() {})
	if err != nil {
		return nil, err
	}
	units := inUnits(s.Compute)
	span, waited, err := run(func() {
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

// allreduces measures nonblocking sums over all ranks, each with a computation before its wait. It also
// returns how long this rank waited after the computations, in total.
func (s *session) allreduces(computation func()) (p span, waited time.Duration, err error) {
	send, recv := make([]float64, max(s.Size/8, 1)), make([]float64, max(s.Size/8, 1))
	p, err = s.measure(func(n int) error {
		waited = 0
		for range n {
			r, err := mpi.Iallreduce(s.world, send, recv, mpi.Sum)
			if err != nil {
				return err
			}
			computation()
			computed := time.Now()
			if _, err := r.Wait(context.Background()); err != nil {
				return err
			}
			waited += time.Since(computed)
		}
		return nil
	})
	return p, waited, err
}

// receives measures receives by the first rank, each with a computation before its wait. It also
// returns how long the rank waited after the computations, in total.
func (s *session) receives(computation func()) (p span, waited time.Duration, err error) {
	buf, word := make([]byte, s.Size), []byte{1}
	p, err = s.measure(func(n int) error {
		waited = 0
		for range n {
			if !s.first() {
				if _, err := mpi.Recv(s.world, word, s.peer(), tagAnswer); err != nil {
					return err
				}
				if err := mpi.Send(s.world, buf, s.peer(), tagWork); err != nil {
					return err
				}
				continue
			}
			r, err := mpi.Irecv(s.world, buf, s.peer(), tagWork)
			if err != nil {
				return err
			}
			if err := mpi.Send(s.world, word, s.peer(), tagAnswer); err != nil {
				return err
			}
			computation()
			computed := time.Now()
			if _, err := r.Wait(context.Background()); err != nil {
				return err
			}
			waited += time.Since(computed)
		}
		return nil
	})
	return p, waited, err
}
