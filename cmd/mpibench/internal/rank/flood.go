package rank

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// flood sends messages from the first rank to the second, or in both directions, a window at a
// time. The messages of a window are sent and received by nonblocking calls, which are then waited
// for together. When all have arrived the receiver sends an answer. A step is a window of each
// goroutine. If there are many tags a message has been sent with each before the measurement.
func flood(s *session) (Figures, error) {
	flooders := make([]*flooder, max(s.Goroutines, 1))
	for i := range flooders {
		f, err := newFlooder(s, i)
		if err != nil {
			return nil, err
		}
		defer f.free()
		flooders[i] = f
	}
	for _, f := range flooders {
		if err := f.useTags(); err != nil {
			return nil, err
		}
	}
	span, err := s.measure(func(n int) error {
		var others errgroup.Group
		for _, f := range flooders[1:] {
			others.Go(func() error { return f.windows(n) })
		}
		err := flooders[0].windows(n)
		return errors.Join(err, others.Wait())
	})
	if err != nil {
		return nil, err
	}
	messages := float64(s.Window * len(flooders))
	if s.Both {
		messages *= 2
	}
	perMessage := span.each() / messages
	figures := span.figures()
	figures["msgs_s"] = 1e6 / perMessage
	figures["gbit_s"] = float64(s.Size) * 8 / perMessage / 1e3
	figures["gap_us"] = perMessage
	figures["calls"] = figures["calls_step"] / messages
	if !s.Both {
		span.ends(figures, 0)
	}
	return figures, nil
}

// flooder is one end of a flood. All its sends can use the same buffer at the same time, but each
// receive needs a buffer of its own.
type flooder struct {
	*session
	base, answered  int // tags: the first, and that of answers
	turn            int // the number of the message whose turn comes next
	sends, receives bool
	out             []byte
	in              [][]byte
	requests        []*mpi.Request
	allocated       [][]byte // by AllocMem
}

// newFlooder makes the flooder of a goroutine, which has tags of its own.
func newFlooder(s *session, goroutine int) (f *flooder, err error) {
	base := goroutine * tagsEach
	f = &flooder{
		session: s, base: base, answered: base + tagAnswer,
		sends: s.first() || s.Both, receives: !s.first() || s.Both,
	}
	if f.sends {
		f.out, err = f.memory()
	}
	if f.receives {
		f.in = make([][]byte, s.Window)
		for i := range f.in {
			if err == nil {
				f.in[i], err = f.memory()
			}
		}
	}
	return f, err
}

// memory makes a buffer.
func (f *flooder) memory() ([]byte, error) {
	if !f.Alloc {
		return make([]byte, f.Size), nil
	}
	memory, err := mpi.AllocMem[byte](f.Size)
	f.allocated = append(f.allocated, memory)
	return memory, err
}

func (f *flooder) free() {
	for _, memory := range f.allocated {
		_ = mpi.FreeMem(memory) // AllocMem has made it
	}
}

// useTags sends a window until each tag has been used.
func (f *flooder) useTags() error {
	if f.Tags <= 1 {
		return nil
	}
	return f.windows((f.Tags + f.Window - 1) / f.Window)
}

// work is the tag of message i of this window.
func (f *flooder) work(i int) int {
	if f.Tags <= 1 {
		return f.base + tagWork
	}
	return f.base + tagUnmatchedBase + (f.turn+i)%f.Tags
}

func (f *flooder) windows(n int) error {
	return repeat(n, f.window)
}

// window sends and receives one window.
func (f *flooder) window() error {
	f.requests = f.requests[:0]
	for i := range f.in {
		if err := f.add(mpi.Irecv(f.world, f.in[i], f.peer(), f.work(i))); err != nil {
			return err
		}
	}
	if f.sends {
		for i := range f.Window {
			if err := f.add(mpi.Isend(f.world, f.out, f.peer(), f.work(i))); err != nil {
				return err
			}
		}
	}
	if _, err := mpi.WaitAll(context.Background(), f.requests...); err != nil {
		return err
	}
	f.turn += f.Window
	return f.answer()
}

func (f *flooder) add(r *mpi.Request, err error) error {
	f.requests = append(f.requests, r)
	return err
}

// answer sends and receives the answer at the end of a window.
func (f *flooder) answer() error {
	if f.receives {
		if err := mpi.Send(f.world, []byte{1, 0, 0, 0}, f.peer(), f.answered); err != nil {
			return err
		}
	}
	if f.sends {
		var word [4]byte
		_, err := mpi.Recv(f.world, word[:], f.peer(), f.answered)
		return err
	}
	return nil
}
