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
func newSolver(c *mpi.Comm, p problem) (*solver, error) {
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
	row, err := c.Split(i, j)
	if err != nil {
		return nil, err
	}
	s := &solver{
		c: c, row: row, matrix: assemble(p, height, mine), shift: p.shift,
		product: make([]float64, height.size()), total: make([]float64, height.size()),
		partner: j/ratio*columns + i*ratio + j%ratio,
		theirs:  span{theirs.first - height.first, theirs.end - height.first},
	}
	for _, v := range []*[]float64{&s.x, &s.z, &s.p, &s.q, &s.r} {
		*v = make([]float64, mine.size())
	}
	return s, nil
}

// multiply sets y to A·x.
func (s *solver) multiply(y, x []float64) error {
	s.matrix.multiply(s.product, x)
	if err := mpi.Allreduce(s.row, s.product, s.total, mpi.Sum); err != nil {
		return err
	}
	theirs := s.total[s.theirs.first:s.theirs.end]
	if s.partner == s.c.Rank() {
		copy(y, theirs)
		return nil
	}
	_, err := mpi.Sendrecv(s.c, theirs, s.partner, tagTranspose, y, s.partner, tagTranspose)
	return err
}

// sum adds two numbers up over all parts of a vector.
func (s *solver) sum(a, b float64) ([2]float64, error) {
	s.sums = [2]float64{a, b}
	var sums [2]float64
	err := mpi.Allreduce(s.row, s.sums[:], sums[:], mpi.Sum)
	return sums, err
}

// solve sets z to an approximation of A⁻¹·x, by the method of conjugate gradients. It returns the
// norm of x - A·z.
func (s *solver) solve() (residual float64, err error) {
	clear(s.z)
	copy(s.r, s.x)
	copy(s.p, s.x)
	sums, err := s.sum(dot(s.r, s.r), 0)
	if err != nil {
		return 0, err
	}
	rho := sums[0]
	for range steps {
		if err := s.multiply(s.q, s.p); err != nil {
			return 0, err
		}
		sums, err := s.sum(dot(s.p, s.q), 0)
		if err != nil {
			return 0, err
		}
		alpha := rho / sums[0]
		p, q, r, z := s.p, s.q[:len(s.p)], s.r[:len(s.p)], s.z[:len(s.p)]
		for i := range p {
			z[i] += alpha * p[i]
			r[i] -= alpha * q[i]
		}
		if sums, err = s.sum(dot(r, r), 0); err != nil {
			return 0, err
		}
		beta := sums[0] / rho
		rho = sums[0]
		for i := range p {
			p[i] = r[i] + beta*p[i]
		}
	}
	if err := s.multiply(s.q, s.z); err != nil {
		return 0, err
	}
	for i, x := range s.x {
		s.r[i] = x - s.q[i]
	}
	sums, err = s.sum(dot(s.r, s.r), 0)
	return math.Sqrt(sums[0]), err
}

// dot is the scalar product of two parts of vectors.
func dot(x, y []float64) (sum float64) {
	for i, y := range y[:len(x)] {
		sum += x[i] * y
	}
	return sum
}
