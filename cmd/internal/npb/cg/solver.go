package cg

import (
	"math"
	"math/bits"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

const tagTranspose = 1

// solver solves A·z = x on a grid of ranks, row by row. There are as many columns as rows, or twice as many. A
// rank has the block of A of its grid row and column, and the part of each vector that belongs to its column.
type solver struct {
	c, row *mpi.Comm // all ranks, and those of this grid row, by column
	matrix matrix
	shift  float64

	x, z, p, q, r  []float64
	product, total []float64 // of this rank's block, and the sum of those of the grid row
	// partner has the rows of A that are this rank's part of vectors, and wants those in theirs.
	partner int
	theirs  span
	sums    [2]float64
}

// newSolver makes this rank's block of the matrix.
func newSolver(c *mpi.Comm, p problem) *solver {
	log2 := bits.Len(uint(c.Size())) - 1
	rows := 1 << (log2 / 2)
	columns := c.Size() / rows
	ratio := columns / rows
	i, j := c.Rank()/columns, c.Rank()%columns
	// part is that of a grid column. A grid row has the parts of as many columns as there are for each row.
	part := func(j int) span {
		first, end := nas.Share(p.order, columns, j)
		return span{first, end}
	}
	mine, height := part(j), span{part(i * ratio).first, part(i*ratio + ratio - 1).end}
	theirs := part(i*ratio + j%ratio)
	s := &solver{
		c: c, row: nas.Value(c.Split(i, j)), matrix: assemble(p, height, mine), shift: p.shift,
		product: make([]float64, height.size()), total: make([]float64, height.size()),
		partner: j/ratio*columns + i*ratio + j%ratio,
		theirs:  span{theirs.first - height.first, theirs.end - height.first},
	}
	for _, v := range []*[]float64{&s.x, &s.z, &s.p, &s.q, &s.r} {
		*v = make([]float64, mine.size())
	}
	return s
}

// multiply sets y to A·x.
func (s *solver) multiply(y, x []float64) {
	s.matrix.multiply(s.product, x)
	nas.Must(mpi.Allreduce(s.row, s.product, s.total, mpi.Sum))
	theirs := s.total[s.theirs.first:s.theirs.end]
	if s.partner == s.c.Rank() {
		copy(y, theirs)
		return
	}
	nas.Value(mpi.Sendrecv(s.c, theirs, s.partner, tagTranspose, y, s.partner, tagTranspose))
}

// sum adds two numbers up over all parts of a vector.
func (s *solver) sum(a, b float64) (sums [2]float64) {
	s.sums = [2]float64{a, b}
	nas.Must(mpi.Allreduce(s.row, s.sums[:], sums[:], mpi.Sum))
	return sums
}

// solve sets z to an approximation of A⁻¹·x, by the method of conjugate gradients. It returns the
// norm of x - A·z.
func (s *solver) solve() (residual float64) {
	clear(s.z)
	copy(s.r, s.x)
	copy(s.p, s.x)
	rho := s.sum(dot(s.r, s.r), 0)[0]
	for range steps {
		s.multiply(s.q, s.p)
		alpha := rho / s.sum(dot(s.p, s.q), 0)[0]
		p, q, r, z := s.p, s.q[:len(s.p)], s.r[:len(s.p)], s.z[:len(s.p)]
		for i := range p {
			z[i] += alpha * p[i]
			r[i] -= alpha * q[i]
		}
		last := rho
		rho = s.sum(dot(r, r), 0)[0]
		beta := rho / last
		for i := range p {
			p[i] = r[i] + beta*p[i]
		}
	}
	s.multiply(s.q, s.z)
	for i, x := range s.x {
		s.r[i] = x - s.q[i]
	}
	return math.Sqrt(s.sum(dot(s.r, s.r), 0)[0])
}

// dot is the scalar product of two parts of vectors.
func dot(x, y []float64) (sum float64) {
	for i, y := range y[:len(x)] {
		sum += x[i] * y
	}
	return sum
}
