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
	form   form
	length int // of a block, at most
}

func (p *neighborhood) stages() int { return p.form.stages() }

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
	return p.form.run(p.seed, func() (x call, err error) {
		given, got := slices.Clone(send), make([]int64, len(want))
		x.what = p
		x.reset = func() { clear(got) }
		x.check = func() error {
			if !slices.Equal(got, want) || !slices.Equal(given, send) {
				return fmt.Errorf("%+v: wrong blocks from the neighbours %v", *p, a.From[me])
			}
			return nil
		}
		x.request, err = p.start(c, one, given, out, got, in)
		if err == nil && p.form == persistent {
			err = x.request.Start()
		}
		return x, err
	})
}

// start calls one of the operations: one sends the same block to all.
func (p *neighborhood) start(c *mpi.Comm, one bool, send []int64, out mpi.Layout, recv []int64, in mpi.Layout) (*mpi.Request, error) {
	equal, several := p.seed%2 == 0, p.seed/4%2 == 0
	switch p.form {
	case blocking:
		switch {
		case one && equal:
			return done(mpi.NeighborAllgather(c, send, recv))
		case one:
			return done(mpi.NeighborAllgatherv(c, send, recv, in))
		case several:
			return done(mpi.NeighborAlltoallw(c, data(send, out, mpi.Data{}), data(recv, in, mpi.Elements(recv[:0]))))
		case equal:
			return done(mpi.NeighborAlltoall(c, send, recv))
		}
		return done(mpi.NeighborAlltoallv(c, send, out, recv, in))
	case nonblocking:
		switch {
		case one && equal:
			return mpi.IneighborAllgather(c, send, recv)
		case one:
			return mpi.IneighborAllgatherv(c, send, recv, in)
		case several:
			return mpi.IneighborAlltoallw(c, data(send, out, mpi.Data{}), data(recv, in, mpi.Elements(recv[:0])))
		case equal:
			return mpi.IneighborAlltoall(c, send, recv)
		}
		return mpi.IneighborAlltoallv(c, send, out, recv, in)
	}
	switch {
	case one && equal:
		return mpi.NeighborAllgatherInit(c, send, recv)
	case one:
		return mpi.NeighborAllgathervInit(c, send, recv, in)
	case several:
		return mpi.NeighborAlltoallwInit(c, data(send, out, mpi.Data{}), data(recv, in, mpi.Elements(recv[:0])))
	case equal:
		return mpi.NeighborAlltoallInit(c, send, recv)
	}
	return mpi.NeighborAlltoallvInit(c, send, out, recv, in)
}
