package lu

import (
	"math/bits"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/flow"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// relaxation is ω, the factor of over-relaxation.
const relaxation = 1.2

// solver has a rank's columns of the grid.
type solver struct {
	c        *mpi.Comm
	step     float64
	block    *flow.Block
	exchange *flow.Exchange
	coupling coupling
	wave     wave
}

// newSolver shares the grid among the ranks: as many in x as in y, or half as many. A rank has all points in z.
func newSolver(c *mpi.Comm, p problem) *solver {
	across := 1 << ((bits.Len(uint(c.Size())) - 1) / 2)
	along := c.Size() / across
	x, y := c.Rank()%across, c.Rank()/across
	firstX, endX := nas.Share(p.points, across, x)
	firstY, endY := nas.Share(p.points, along, y)
	b := flow.NewBlock(p.points, [3]int{firstX, firstY, 0}, [3]int{endX - firstX, endY - firstY, p.points})
	below, above := [2]int{mpi.ProcNull, mpi.ProcNull}, [2]int{mpi.ProcNull, mpi.ProcNull}
	if x > 0 {
		below[0] = c.Rank() - 1
	}
	if x < across-1 {
		above[0] = c.Rank() + 1
	}
	if y > 0 {
		below[1] = c.Rank() - across
	}
	if y < along-1 {
		above[1] = c.Rank() + across
	}
	blocks := []*flow.Block{b}
	exchange := flow.NewExchange(c, [3][]*flow.Block{blocks, blocks, blocks},
		[3]int{below[0], below[1], mpi.ProcNull}, [3]int{above[0], above[1], mpi.ProcNull})
	return &solver{
		c: c, step: p.step, block: b, exchange: exchange, coupling: newCoupling(p.points, p.step),
		wave: wave{c: c, below: below, above: above, column: make([]flow.State, b.Size[1])},
	}
}

// solve does some steps. At its end the residual is that of the last state.
func (s *solver) solve(steps int) {
	s.differ()
	for range steps {
		s.block.Scale(s.step)
		s.lower()
		s.upper()
		s.block.Add(1 / (relaxation * (2 - relaxation)))
		s.differ()
	}
}

// differ sets the residual.
func (s *solver) differ() {
	s.exchange.Borders()
	s.block.Differ()
}
