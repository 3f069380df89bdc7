package core

import (
	"context"
	"reflect"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/window"
)

// The memory that WinAllocate makes is a segment of its own for each rank. The ranks of its host with which it also shares memory for messages
// open it, and operate on it without messages: see window.Near. A rank that cannot make a segment has other memory, and one that cannot open
// another's sends messages to its owner.

// neighbour is what a rank tells the others of its segment.
type neighbour struct {
	Host      uint64
	Len, Unit int64 // in bytes
	Ticket    window.Ticket
}

var neighbourType = datatype.OfGo(reflect.TypeFor[neighbour]())

// allocate makes the memory of this rank a segment of n elements, and notes in own how others find it. It reports false if that is not possible.
func (w *Window) allocate(n int, own *neighbour) bool {
	size := n * int(w.kind.Extent())
	if !w.sharesWithAny() {
		return false
	}
	s, ticket, err := window.NewSegment(size, 1, w.comm.group.Size(), w.comm.process.sharer.OneProcess())
	if err != nil {
		return false
	}
	w.segments = append(w.segments, s)
	w.memory = Buffer{Addr: unsafe.Pointer(unsafe.SliceData(s.Bytes())), Count: n, Type: w.kind}
	w.Near(w.comm.rank, s, 0, s.Bytes(), w.unit)
	*own = neighbour{window.Host(), int64(size), int64(w.unit), ticket}
	return true
}

// tell is meet, and returns what all ranks have told of their segments.
func (w *Window) tell(ctx context.Context, op string, bad *mpierr.Error, own neighbour) ([]neighbour, error) {
	all := make([]neighbour, w.comm.group.Size())
	send, recv := Of(neighbourType, []neighbour{own}), Of(neighbourType, all)
	err := w.gather(ctx, op, bad, collective.Allgather, func(o *collective.Operation, r schedule.Ranks) {
		schedule.Allgather(buffers(o, send, recv), r, send.Len(), schedule.Start)
	})
	return all, err
}

// meetNeighbours opens the segments of the ranks that may share memory with this one, and waits until all ranks have done that.
func (w *Window) meetNeighbours(ctx context.Context, op string, all []neighbour) error {
	none, host, segments := window.Ticket{}, window.Host(), false
	for rank, n := range all {
		segments = segments || n.Ticket != none
		if n.Ticket == none || n.Host != host || rank == w.comm.rank || !w.shares(rank) {
			continue
		}
		s, err := window.OpenSegment(n.Ticket, int(n.Len), 1, len(all))
		if err != nil {
			continue // by messages
		}
		w.segments = append(w.segments, s)
		w.Near(rank, s, 0, s.Bytes(), int(n.Unit))
	}
	if !segments {
		return nil
	}
	err := w.meet(ctx, op, nil)
	w.Meets()
	if all[w.comm.rank].Ticket != none {
		w.segments[0].Shared()
	}
	return err
}

// sharesWithAny reports whether this rank may share memory with some other.
func (w *Window) sharesWithAny() bool {
	for rank := range w.comm.group.Size() {
		if w.shares(rank) {
			return true
		}
	}
	return false
}

// shares reports whether this rank may share memory with another one.
func (w *Window) shares(rank int) bool {
	s := w.comm.process.sharer
	return s != nil && s.SharesMemory(w.comm.jobRank(rank))
}
