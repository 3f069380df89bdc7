package mg

import (
	"errors"
	"math"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// wholeAtMost is the number of points in each direction up to which each rank has the whole grid: to compute it takes less
// time than to exchange the borders of its parts.
const wholeAtMost = 4

// level is a grid of the hierarchy: of the solution u and the residual r. Each rank has a part of them, or the whole.
type level struct {
	u, r  *shared
	whole bool
}

// solver has level k, of 2^k points in each direction, at levels[k]. Level 0 is not used.
type solver struct {
	c        *mpi.Comm
	cube     cube
	smoother weights
	levels   []level
	v        grid // the right side, on the finest grid
	// part is this rank's part of the finest grid that each rank has whole, mine its points without the border, and
	// gathered those of all ranks in turn.
	part           grid
	mine, gathered []float64
	space          rows
	points         float64 // of the finest grid
}

// mostRanks is on how many ranks the grid can be solved, as each rank has two points or more in each direction.
func (p problem) mostRanks() int { return 1 << (3 * (p.log2 - 1)) }

// newSolver makes the grids, and the right side, which is 0 but at twenty points.
func newSolver(c *mpi.Comm, p problem) *solver {
	s := &solver{
		c: c, cube: newCube(c), smoother: p.smoother, levels: make([]level, p.log2+1), points: math.Ldexp(1, 3*p.log2),
	}
	ranks := s.cube.ranks
	part := func(n int) grid { return newGrid(n/ranks[0], n/ranks[1], n/ranks[2]) }
	longest := 0
	for k := 1; k <= p.log2; k++ {
		n, l, q := 1<<k, &s.levels[k], s.cube
		u, r := part(n), part(n)
		if l.whole = k < p.log2 && n <= max(wholeAtMost, ranks[2]); l.whole { // there are most ranks in the direction of z
			s.part, s.mine, s.gathered = u, make([]float64, 0, n*n*n/c.Size()), make([]float64, n*n*n)
			u, r = newGrid(n, n, n), newGrid(n, n, n)
			q.ranks = [3]int{1, 1, 1}
		}
		longest = max(longest, u.x)
		l.u, l.r = q.share(u), q.share(r)
	}
	s.space, s.v = newRows(longest), part(1<<p.log2)
	s.charge(p.log2)
	return s
}

// free ends the solver's requests.
func (s *solver) free() (err error) {
	for _, l := range s.levels[1:] {
		err = errors.Join(err, l.u.free(), l.r.free())
	}
	return err
}

// solve begins with u = 0, and returns the norm of the residual after some iterations.
func (s *solver) solve(iterations int) (norm float64) {
	finest := len(s.levels) - 1
	clear(s.levels[finest].u.values)
	s.residual(finest, s.v)
	for range iterations {
		s.cycle()
		s.residual(finest, s.v)
	}
	sum := nas.Value(mpi.AllreduceValue(s.c, s.levels[finest].r.square(), mpi.Sum))
	return math.Sqrt(sum / s.points)
}

// cycle is a V-cycle: the residual goes down to the coarsest grid, and the correction comes up.
func (s *solver) cycle() {
	finest := len(s.levels) - 1
	for k := finest; k > 1; k-- {
		s.coarsen(k)
	}
	clear(s.levels[1].u.values)
	s.smooth(1)
	for k := 2; k <= finest; k++ {
		right := s.v
		if k < finest {
			right = s.levels[k].r.grid
			clear(s.levels[k].u.values)
		}
		s.refine(k)
		s.residual(k, right)
		s.smooth(k)
	}
}

// residual sets r of a level to what the right side has more than the operator makes of u.
func (s *solver) residual(k int, right grid) {
	l := s.levels[k]
	apply(l.r.grid, right, l.u.grid, laplace, s.space)
	l.r.exchange()
}

// smooth brings u of a level nearer to the solution.
func (s *solver) smooth(k int) {
	l := s.levels[k]
	apply(l.u.grid, l.u.grid, l.r.grid, s.smoother, s.space)
	l.u.exchange()
}

// coarsen sets the residual of the level below to that of level k.
func (s *solver) coarsen(k int) {
	fine, coarse := s.levels[k], s.levels[k-1]
	to := coarse.r.grid
	if coarse.whole && !fine.whole {
		to = s.part
	}
	coarsen(to, fine.r.grid, s.space)
	if coarse.whole && !fine.whole {
		s.gather(coarse.r.grid)
	}
	coarse.r.exchange()
}

// refine adds the solution of the level below to that of level k.
func (s *solver) refine(k int) {
	fine, coarse := s.levels[k], s.levels[k-1]
	from := coarse.u.grid
	if coarse.whole && !fine.whole {
		s.cut(coarse.u.grid)
		from = s.part
	}
	refine(fine.u.grid, from, s.space)
}

// gather makes the whole grid of all ranks' parts, without its border.
func (s *solver) gather(whole grid) {
	mine := s.mine
	for z := 1; z <= s.part.z; z++ {
		for y := 1; y <= s.part.y; y++ {
			mine = append(mine, s.part.row(y, z)[1:s.part.x+1]...)
		}
	}
	nas.Must(mpi.Allgather(s.c, mine, s.gathered))
	rest := s.gathered
	for rank := range s.c.Size() {
		x, y, z := s.corner(rank)
		for k := range s.part.z {
			for j := range s.part.y {
				copy(whole.row(y+j+1, z+k+1)[x+1:], rest[:s.part.x])
				rest = rest[s.part.x:]
			}
		}
	}
}

// cut sets this rank's part, and its border, to that of the whole grid.
func (s *solver) cut(whole grid) {
	x, y, z := s.corner(s.c.Rank())
	for k := range s.part.z + 2 {
		for j := range s.part.y + 2 {
			copy(s.part.row(j, k), whole.row(y+j, z+k)[x:])
		}
	}
}

// corner is how many points of the whole grid come before a rank's part in each direction.
func (s *solver) corner(rank int) (x, y, z int) {
	place := s.cube.placeOf(rank)
	return place[0] * s.part.x, place[1] * s.part.y, place[2] * s.part.z
}
