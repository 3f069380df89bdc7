package farm

import (
	"fmt"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Receives is how the manager receives requests and results. It has memory for as many results as it has posted receives of them.
type Receives int

const (
	// AnySource has receives for each slot, from any worker. There are up to four for each slot, fewer if their results
	// took more than 64 MiB, but one at least, whatever the number of workers.
	AnySource Receives = iota
	// AnyTag has receives for all that comes, up to four with the same bound. Messages from one worker come in their
	// order then, unless the communicator has the hint mpi_assert_allow_overtaking (see mpi.Comm.SetInfo).
	AnyTag
	// Named has a receive for each slot of each worker. It is for few workers: looking at all takes time, and Run refuses it if
	// their results took more than 1 GiB.
	Named
)

// String is the name of the constant.
func (r Receives) String() string {
	if r < AnySource || r > Named {
		return fmt.Sprintf("Receives(%d)", int(r))
	}
	return [...]string{"AnySource", "AnyTag", "Named"}[r]
}

// Bounds of the memory for results, in bytes.
const (
	wildcardMemory = 64 << 20
	namedMemory    = 1 << 30
	maxDepth       = 4
)

// lane is receives with one source and tag. Messages match them in the order in which they were posted. They are looked at in that
// order too, though a later message may be complete before: so the results of a slot come in the order of its tasks.
type lane[R any] struct {
	source, tag int
	receives    []*mpi.Request
	buffers     [][]R
	oldest      int
}

// lanes returns those of a mode, without receives.
func lanes[R any](o Options, workers int) (all []lane[R], err error) {
	size := o.MaxResult * int(unsafe.Sizeof(*new(R)))
	add := func(source, tag, depth, elements int) {
		l := lane[R]{source: source, tag: tag, receives: make([]*mpi.Request, depth), buffers: make([][]R, depth)}
		for i := range l.buffers {
			l.buffers[i] = make([]R, elements)
		}
		all = append(all, l)
	}
	depth := func(lanes int) int { return max(1, min(maxDepth, workers, wildcardMemory/lanes/size)) }
	switch o.Receives {
	case AnyTag:
		add(mpi.AnySource, mpi.AnyTag, depth(1), o.MaxResult)
	case AnySource:
		for slot := range o.Slots {
			add(mpi.AnySource, request.tag(slot), min(maxDepth, workers), 0)
			add(mpi.AnySource, result.tag(slot), depth(o.Slots), o.MaxResult)
		}
	case Named:
		if workers*o.Slots > namedMemory/size {
			return nil, fmt.Errorf("farm: Named receives of %d bytes for %d slots of %d workers would take more than %d MiB: use AnySource",
				size, o.Slots, workers, namedMemory>>20)
		}
		for w := range workers {
			for slot := range o.Slots {
				add(w+1, request.tag(slot), 1, 0)
				add(w+1, result.tag(slot), 1, o.MaxResult)
			}
		}
	}
	return all, nil
}

// post posts all receives.
func (l *lane[R]) post(c *mpi.Comm) error {
	for range l.receives {
		if err := l.next(c); err != nil {
			return err
		}
	}
	return nil
}

// head is the oldest receive, and head's buffer where its message comes.
func (l *lane[R]) head() *mpi.Request { return l.receives[l.oldest] }
func (l *lane[R]) message() []R       { return l.buffers[l.oldest] }

// next posts the oldest receive once more.
func (l *lane[R]) next(c *mpi.Comm) (err error) {
	l.receives[l.oldest], err = mpi.Irecv(c, l.buffers[l.oldest], l.source, l.tag)
	l.oldest = (l.oldest + 1) % len(l.receives)
	return err
}
