package rank

import (
	"context"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// flood sends messages from the first rank to the second, or both ways, a window at a
// time: all of a window are sent, and received, by nonblocking calls that are then waited
// for together; when all have come the receiver says so by a message. A step is a window.
func flood(s *session) (Figures, error) {
	f := newFlooder(s)
	span, err := s.measure(func(n int) error {
		for range n {
			if err := f.window(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	messages := float64(s.Window)
	if s.Both {
		messages *= 2
	}
	perMessage := span.each() / messages
	figures := span.figures()
	figures["msgs_s"] = 1e6 / perMessage
	figures["gbit_s"] = float64(s.Size) * 8 / perMessage / 1e3
	figures["gap_us"] = perMessage
	return figures, nil
}

// flooder is one end of a flood. It may send from one buffer many times at once, but must
// not receive into one so.
type flooder struct {
	*session
	sends, receives bool
	out             []byte
	in              [][]byte
	requests        []*mpi.Request
}

func newFlooder(s *session) *flooder {
	f := &flooder{session: s, sends: s.first() || s.Both, receives: !s.first() || s.Both}
	if f.sends {
		f.out = make([]byte, s.Size)
	}
	if f.receives {
		f.in = make([][]byte, s.Window)
		for i := range f.in {
			f.in[i] = make([]byte, s.Size)
		}
	}
	return f
}

func (f *flooder) window() error {
	f.requests = f.requests[:0]
	for i := range f.in {
		if err := f.add(mpi.Irecv(f.world, f.in[i], f.peer(), tagWork)); err != nil {
			return err
		}
	}
	if f.sends {
		for range f.Window {
			if err := f.add(mpi.Isend(f.world, f.out, f.peer(), tagWork)); err != nil {
				return err
			}
		}
	}
	if _, err := mpi.WaitAll(context.Background(), f.requests...); err != nil {
		return err
	}
	return f.answer()
}

func (f *flooder) add(r *mpi.Request, err error) error {
	f.requests = append(f.requests, r)
	return err
}

func (f *flooder) answer() error {
	if f.receives {
		if err := mpi.Send(f.world, []byte{1, 0, 0, 0}, f.peer(), tagAnswer); err != nil {
			return err
		}
	}
	if f.sends {
		var word [4]byte
		_, err := mpi.Recv(f.world, word[:], f.peer(), tagAnswer)
		return err
	}
	return nil
}
