package mpitest

import (
	"fmt"
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// A neighborhood is a collective operation of neighbours in the topology of a team.
type neighborhood struct {
	team   *team
	size   int // of the communicator of which the team is
	seed   uint64
	length int // of a block, at most
}

// stages is how many there are: it starts and completes.
func (p *neighborhood) stages() int { return 2 }

// block is one that a rank sends: as long as its sender and its number say if blocks have different lengths.
func (p *neighborhood) block(rank, number int) []int64 {
	n := p.length
	if p.seed%2 == 1 {
		n = p.length * (1 + (rank+3*number)%5) / 5
	}
	return numbers(int(p.seed%1000)+100_000*rank+10_000*number, n)
}

func (p *neighborhood) begin(c *mpi.Comm) []func() error {
	a, me := p.team.arrangement(p.size), c.Rank()
	one := p.seed/2%2 == 0 // block for all neighbours
	number := func(i int) int {
		if one {
			return 0
		}
		return i
	}
	var send, want []int64
	var out, in mpi.Layout
	add := func(l *mpi.Layout, all, block []int64) []int64 {
		l.Counts, l.Displs = append(l.Counts, len(block)), append(l.Displs, len(all))
		return append(all, block...)
	}
	if one {
		send = p.block(me, 0)
	} else {
		for i := range a.To[me] {
			send = add(&out, send, p.block(me, i))
		}
	}
	for k, source := range a.From[me] {
		block := make([]int64, p.length) // as it is, where there is no neighbour
		if source >= 0 {
			sender, i := a.Outgoing(me, k)
			block = p.block(sender, number(i))
		}
		want = add(&in, want, block)
	}
	got := make([]int64, len(want))
	var request *mpi.Request
	start := func() (err error) {
		switch blocking := p.seed/4%3 == 0; {
		case one && blocking:
			return mpi.NeighborAllgatherv(c, send, got, in)
		case one && p.seed%2 == 0:
			request, err = mpi.IneighborAllgather(c, send, got)
		case one:
			request, err = mpi.IneighborAllgatherv(c, send, got, in)
		case blocking:
			return mpi.NeighborAlltoallv(c, send, out, got, in)
		case p.seed%2 == 0:
			request, err = mpi.IneighborAlltoall(c, send, got)
		default:
			request, err = mpi.IneighborAlltoallv(c, send, out, got, in)
		}
		return err
	}
	complete := func() error {
		if request != nil {
			if _, err := completeBy(int(p.seed%ways), request); err != nil {
				return err
			}
		}
		if !slices.Equal(got, want) {
			return fmt.Errorf("%+v: wrong blocks from the neighbours %v", *p, a.From[me])
		}
		return nil
	}
	return []func() error{start, complete}
}
