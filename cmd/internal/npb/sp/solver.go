package sp

import "github.com/sctpmpi/sctpmpi/cmd/internal/npb/flow"

// solver has a rank's blocks of the grid.
type solver struct {
	grid   *flow.Partition
	step   float64
	terms  flow.Terms
	blocks []block
	up     *flow.Sweep[solved]
	down   *flow.Sweep[flow.State]
}

// block is what SP has of the points of a block: the speed of sound, and what is left of the line's matrices when they have
// been solved up to there. That is 0 on the faces.
type block struct {
	*flow.Block
	sound []float64
	upper []upper
}

// upper has, for each of a line's three matrices, the numbers by which the next two points' values count.
type upper [3][2]float64

// solved is what a line says of one of its last two points, for the next block: value = right side - upper·next values.
type solved struct {
	upper upper
	right flow.State
}

func newSolver(grid *flow.Partition, p flow.Problem) *solver {
	s := &solver{grid: grid, step: p.Step, terms: flow.NewTerms(p.Points)}
	for _, b := range grid.Blocks {
		s.blocks = append(s.blocks, block{b, make([]float64, len(b.U)), make([]upper, len(b.U))})
	}
	s.up = flow.NewSweep(grid, 2, func(i, point int) solved {
		return solved{s.blocks[i].upper[point], s.blocks[i].Residual[point]}
	}, func(i, point int, v solved) {
		s.blocks[i].upper[point], s.blocks[i].Residual[point] = v.upper, v.right
	})
	s.down = flow.NewResidualSweep(grid, 2)
	return s
}

// solve does some steps.
func (s *solver) solve(steps int) {
	for range steps {
		s.grid.Differ()
		s.grid.Scale(s.step)
		for _, b := range s.blocks {
			b.hear()
			b.enter()
		}
		for d := range 3 {
			s.up.Up(d, func(i int) { s.eliminate(s.blocks[i], d) })
			s.down.Down(d, func(i int) { s.blocks[i].substitute(d) })
			for _, b := range s.blocks {
				switch d {
				case 0:
					b.turnToY()
				case 1:
					b.turnToZ()
				case 2:
					b.leave()
				}
			}
		}
		s.grid.Add()
	}
}
