package bt

import "github.com/sctpmpi/sctpmpi/cmd/internal/npb/flow"

// solver has a rank's blocks of the grid.
type solver struct {
	grid     *flow.Partition
	step     float64
	coupling coupling
	// upper has for each point of each block what is left of the line's matrix when it has been solved up to there: the block
	// by which the next point's value counts. It is 0 on the faces.
	upper [][]matrix
	up    *flow.Sweep[solved]
	down  *flow.Sweep[flow.State]
}

// solved is what a line says of its last point, for the next block: value = right side - upper·next value.
type solved struct {
	upper matrix
	right flow.State
}

func newSolver(grid *flow.Partition, p flow.Problem) *solver {
	s := &solver{grid: grid, step: p.Step, coupling: newCoupling(p.Points, p.Step)}
	for _, b := range grid.Blocks {
		s.upper = append(s.upper, make([]matrix, len(b.U)))
	}
	s.up = flow.NewSweep(grid, 1, func(block, point int) solved {
		return solved{s.upper[block][point], grid.Blocks[block].Residual[point]}
	}, func(block, point int, v solved) {
		s.upper[block][point], grid.Blocks[block].Residual[point] = v.upper, v.right
	})
	s.down = flow.NewResidualSweep(grid, 1)
	return s
}

// solve does some steps.
func (s *solver) solve(steps int) {
	for range steps {
		s.grid.Differ()
		s.grid.Scale(s.step)
		for d := range 3 {
			s.up.Up(d, func(block int) { s.eliminate(block, d) })
			s.down.Down(d, func(block int) { s.substitute(block, d) })
		}
		s.grid.Add()
	}
}

// eliminate removes what is below the diagonal from all lines of a block in direction d, and makes the diagonal 1.
func (s *solver) eliminate(block, d int) {
	b, upper := s.grid.Blocks[block], s.upper[block]
	stride := b.Stride[d]
	var lower, middle matrix
	b.Rows(func(first, n int) {
		for p := first; p < first+n; p++ {
			r := &b.Residual[p]
			s.coupling.neighbour(&lower, &b.U[p-stride], &b.Flow[p-stride], d, -1)
			s.coupling.middle(&middle, &b.U[p], &b.Flow[p], d)
			s.coupling.neighbour(&upper[p], &b.U[p+stride], &b.Flow[p+stride], d, 1)
			middle.subtract(&lower, &upper[p-stride])
			subtract(r, &lower, &b.Residual[p-stride])
			middle.divide(&upper[p], r)
		}
	})
}

// substitute solves all lines of a block in direction d, from above.
func (s *solver) substitute(block, d int) {
	b, upper := s.grid.Blocks[block], s.upper[block]
	b.RowsBack(func(first, n int) {
		for p := first + n - 1; p >= first; p-- {
			subtract(&b.Residual[p], &upper[p], &b.Residual[p+b.Stride[d]])
		}
	})
}
