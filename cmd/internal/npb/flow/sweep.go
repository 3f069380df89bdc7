package flow

import (
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

const tagSweep = 3

// Sweep goes through the blocks of a partition in one direction, upwards or downwards, block by block. Where a block ends it
// sends what the next one needs: a T for each point of some planes.
type Sweep[T any] struct {
	p              *Partition
	planes         int
	sent, received []T
	take           func(block, point int) T
	put            func(block, point int, value T)
}

// NewSweep is for messages of some planes, one or two. Take returns what the next block needs of a point, and put sets it in that
// block's border; both get the number of the block, and the point's index there.
func NewSweep[T any](p *Partition, planes int, take func(block, point int) T, put func(block, point int, value T)) *Sweep[T] {
	most := 0
	for _, b := range p.Blocks {
		for d := range 3 {
			most = max(most, b.Size[(d+1)%3]*b.Size[(d+2)%3])
		}
	}
	return &Sweep[T]{
		p: p, planes: planes, sent: make([]T, planes*most), received: make([]T, planes*most), take: take, put: put,
	}
}

// NewResidualSweep is for the residuals of some planes.
func NewResidualSweep(p *Partition, planes int) *Sweep[State] {
	return NewSweep(p, planes, func(block, point int) State { return p.Blocks[block].Residual[point] },
		func(block, point int, v State) { p.Blocks[block].Residual[point] = v })
}

// Up calls solve for each block, from below to above in direction d.
func (s *Sweep[T]) Up(d int, solve func(block int)) {
	s.run(d, true, s.p.below[d], s.p.above[d], solve)
}

// Down calls solve for each block, from above to below in direction d.
func (s *Sweep[T]) Down(d int, solve func(block int)) {
	s.run(d, false, s.p.above[d], s.p.below[d], solve)
}

func (s *Sweep[T]) run(d int, up bool, from, to int, solve func(block int)) {
	order := s.p.order[d]
	at := func(stage int) int {
		if up {
			return order[stage]
		}
		return order[len(order)-1-stage]
	}
	for stage := range order {
		i := at(stage)
		solve(i)
		if stage == len(order)-1 {
			break
		}
		b, next := s.p.Blocks[i], s.p.Blocks[at(stage+1)]
		first, border := b.Size[d]-s.planes, -s.planes
		if !up {
			first, border = 0, next.Size[d]
		}
		n := 0
		s.points(b, d, first, func(p int) { s.sent[n] = s.take(i, p); n++ })
		m := 0
		s.points(next, d, border, func(int) { m++ })
		nas.Value(mpi.Sendrecv(s.p.c, s.sent[:n], to, tagSweep, s.received[:m], from, tagSweep))
		m = 0
		s.points(next, d, border, func(p int) { s.put(at(stage+1), p, s.received[m]); m++ })
	}
}

// points calls do for the points of some planes, from a place in direction d on, that are not on a face in the others.
func (s *Sweep[T]) points(b *Block, d, from int, do func(point int)) {
	var low, high [3]int
	for e := range 3 {
		low[e], high[e] = b.Inside(e)
	}
	low[d], high[d] = from, from+s.planes
	for z := low[2]; z < high[2]; z++ {
		for y := low[1]; y < high[1]; y++ {
			for x := low[0]; x < high[0]; x++ {
				do(b.Index(x, y, z))
			}
		}
	}
}
