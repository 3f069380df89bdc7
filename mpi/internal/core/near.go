package core

import (
	"reflect"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/near"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/startup"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/window"
)

// maxBoards bounds the communicators of a process that have a board for short operations. Others take messages.
const maxBoards = 64

// nearness is the board of a communicator. The memory is rank 0's, a segment as windows have them.
type nearness struct {
	comm    *Comm
	place   boardPlace
	segment *window.Segment
	board   *near.Board
}

// boardPlace is what rank 0 tells the others of its segment.
type boardPlace struct {
	Host   uint64
	Ticket window.Ticket
}

var boardPlaceType = datatype.OfGo(reflect.TypeFor[boardPlace]())

// sharesWithAll reports whether this process may share memory with all others of the job.
func (p *process) sharesWithAll() bool {
	for peer := range p.size {
		if peer != p.rank && (p.sharer == nil || !p.sharer.SharesMemory(matching.Rank(peer))) {
			return false
		}
	}
	return true
}

// mayShare reports whether the ranks of the communicator are to try to share memory. All find the same.
func (c *Comm) mayShare() bool {
	n := c.group.Size()
	return c.process.nearby && c.union == nil && n > 1 && n <= near.MaxRanks && startup.OneHost(c.hosts())
}

// addBoard adds to the schedule of an operation, if that tries to make the board of the communicator, what is to be done for that.
func (c *View) addBoard(o *collective.Operation, b *schedule.Builder) {
	if !o.Tries() {
		return
	}
	n := &nearness{comm: c.Comm}
	if c.rank == 0 {
		n.make()
	}
	o.AddBlock(bytesOf(&n.place), elements(boardPlaceType))
	o.Call, o.Then = n.join, n.decide
	ranks := c.ranks()
	schedule.Barrier(b, ranks, b.Call(schedule.Introduce(b, ranks, o.Block(0), schedule.Start)))
}

// make makes the board, at rank 0.
func (n *nearness) make() {
	size := n.comm.group.Size()
	segment, ticket, err := window.NewSegment(near.Size(size), 0, 0, n.comm.process.sharer.OneProcess())
	if err != nil {
		return // the others find no ticket
	}
	n.segment, n.place = segment, boardPlace{window.Host(), ticket}
}

// join opens the board, and says there that this rank can use it.
func (n *nearness) join() {
	c := n.comm
	p, size := c.process, c.group.Size()
	if p.sharer == nil || n.place.Host != window.Host() || n.place.Ticket == (window.Ticket{}) {
		return
	}
	if c.rank != 0 {
		segment, err := window.OpenSegment(n.place.Ticket, near.Size(size), 0, 0)
		if err != nil {
			return
		}
		n.segment = segment
	}
	n.board = near.Open(n.segment.Bytes(), c.rank, size)
	for _, peer := range n.others() {
		if !p.sharer.HasMemory(peer) {
			return
		}
	}
	if p.boards.Load() < maxBoards {
		n.board.Join()
	}
}

// others are the processes of the communicator but for this one.
func (n *nearness) others() (peers []matching.Rank) {
	for rank, peer := range n.comm.group.Members() {
		if rank != n.comm.rank {
			peers = append(peers, peer)
		}
	}
	return peers
}

// decide has the board used if all ranks can use it.
func (n *nearness) decide(failed bool) {
	c := n.comm
	if n.board == nil || !n.board.Decide(!failed && n.board.Complete()) {
		n.close()
		return
	}
	n.segment.Shared()
	c.process.boards.Add(1)
	c.collectives.Share(collective.NewMemory(c.process.sharer, n.board, n.others(), func() {
		n.close()
		c.process.boards.Add(-1)
	}))
}

// close gives the memory back.
func (n *nearness) close() {
	if n.segment != nil {
		n.segment.Close()
		n.segment, n.board = nil, nil
	}
}
