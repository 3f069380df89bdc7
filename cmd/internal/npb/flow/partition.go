package flow

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// Partition shares the grid among a square of q·q ranks for sweeps along lines, in each of the three directions in turn. It
// cuts the grid into q·q·q blocks, and each rank has q of them, so placed that any plane of blocks has one of each rank: all
// ranks have work at any time. The block above any one of a rank belongs to the same other rank, in each direction.
type Partition struct {
	c      *mpi.Comm
	Blocks []*Block
	order  [3][]int // numbers of blocks, in the ascending order of their places
	below  [3]int   // ranks
	above  [3]int
	*Exchange
}

// Squares is the Ranks of a kernel that uses a partition.
func Squares(n int) error {
	if _, whole := root(n); !whole {
		return fmt.Errorf("on a square of ranks, 1, 4, 9 …, not on %d", n)
	}
	return nil
}

// root is the square root of n, or the number below it, and whether it is whole.
func root(n int) (q int, whole bool) {
	for (q+1)*(q+1) <= n {
		q++
	}
	return q, q*q == n
}

// NewPartition shares the grid among all ranks of c, a square.
func NewPartition(c *mpi.Comm, points int) *Partition {
	q, _ := root(c.Size())
	column, row := c.Rank()%q, c.Rank()/q
	at := func(column, row int) int { return (row+q)%q*q + (column+q)%q }
	p := &Partition{
		c:     c,
		below: [3]int{at(column-1, row), at(column, row-1), at(column+1, row+1)},
		above: [3]int{at(column+1, row), at(column, row+1), at(column-1, row-1)},
	}
	for d := range p.order {
		p.order[d] = make([]int, q)
	}
	for z := range q {
		var first, size [3]int
		for d, place := range [3]int{(column + z) % q, (row + z) % q, z} {
			p.order[d][place] = z
			begin, end := nas.Share(points, q, place)
			first[d], size[d] = begin, end-begin
		}
		p.Blocks = append(p.Blocks, NewBlock(points, first, size))
	}
	var blocks [3][]*Block
	for d, order := range p.order {
		for _, i := range order {
			blocks[d] = append(blocks[d], p.Blocks[i])
		}
	}
	p.Exchange = NewExchange(c, blocks, p.below, p.above)
	return p
}

// Reset brings all blocks back to the beginning.
func (p *Partition) Reset() {
	for _, b := range p.Blocks {
		b.Reset()
	}
}

// Differ sets the residuals of all blocks.
func (p *Partition) Differ() {
	p.Borders()
	for _, b := range p.Blocks {
		b.Differ()
	}
}

// Scale multiplies all residuals.
func (p *Partition) Scale(factor float64) {
	for _, b := range p.Blocks {
		b.Scale(factor)
	}
}

// Add adds the residuals to the states.
func (p *Partition) Add() {
	for _, b := range p.Blocks {
		b.Add(1)
	}
}
