package ranks

import (
	"context"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// window sends messages with several under way, each from a buffer of its own.
type window struct {
	world     *mpi.Comm
	dest, tag int
	buffers   [][]byte
	sends     []*mpi.Request
	next      int
}

func newWindow(world *mpi.Comm, dest, tag, size, n int) *window {
	w := &window{world: world, dest: dest, tag: tag, buffers: make([][]byte, n), sends: make([]*mpi.Request, n)}
	for i := range w.buffers {
		w.buffers[i] = make([]byte, size)
	}
	return w
}

// send sends a message, when there is a buffer.
func (w *window) send(number uint64, stampNow func(data []byte)) (err error) {
	i := w.next
	w.next = (w.next + 1) % len(w.sends)
	if _, err := w.sends[i].Wait(context.Background()); err != nil {
		return err
	}
	fill(w.buffers[i], w.tag, number)
	if stampNow != nil {
		stampNow(w.buffers[i])
	}
	w.sends[i], err = mpi.Isend(w.world, w.buffers[i], w.dest, w.tag)
	return err
}

// end sends an empty message, and returns when all have left.
func (w *window) end() error {
	if err := mpi.Send(w.world, []byte{}, w.dest, w.tag); err != nil {
		return err
	}
	_, err := mpi.WaitAll(context.Background(), w.sends...)
	return err
}

// receive takes the messages of a window until the empty one, with several receives posted.
func receive(world *mpi.Comm, source, tag, size, posted int, arrived func(data []byte)) (received uint64, err error) {
	buffers, receives := make([][]byte, posted), make([]*mpi.Request, posted)
	post := func(i uint64) (err error) {
		receives[i], err = mpi.Irecv(world, buffers[i], source, tag)
		return err
	}
	for i := range buffers {
		buffers[i] = make([]byte, size)
		if err := post(uint64(i)); err != nil {
			return 0, err
		}
	}
	for n := uint64(0); ; n++ {
		i := n % uint64(posted)
		status, err := receives[i].Wait(context.Background())
		if err != nil {
			return n, err
		}
		if status.Count == 0 {
			return n, cancelAll(receives)
		}
		if arrived != nil {
			arrived(buffers[i])
		}
		if err := check(buffers[i], tag, n); err != nil {
			return n, err
		}
		if err := post(i); err != nil {
			return n, err
		}
	}
}

// cancelAll gives receives up that nothing will come for.
func cancelAll(receives []*mpi.Request) error {
	for _, r := range receives {
		if err := r.Cancel(); err != nil {
			return err
		}
	}
	_, err := mpi.WaitAll(context.Background(), receives...)
	return err
}
