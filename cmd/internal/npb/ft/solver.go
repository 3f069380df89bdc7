package ft

import (
	"math"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// solver is one rank's part of the grid, whose points have indices x, y and z. A rank has a slab of z, as long as x and y
// are transformed, and a slab of y while z is. Values of its z lie as Alltoall sends them: first those for rank 0, which
// has the lowest y. Those of its y it receives in the order of z. So a value is never moved but to another rank:
//
//	of this rank's z: block of y, z, y in the block, x
//	of this rank's y: z, y, x
type solver struct {
	c      *mpi.Comm
	size   [3]int // of the whole grid: x, y, z
	ny, nz int    // of the slabs of y and z
	first  int    // the slab's first z

	waves  []complex128 // the transform at the present time, of this rank's y
	values []complex128 // of this rank's z
	space  []complex128 // of this rank's y
	decay  [3][]float64 // by which a wave decays in each time, the product of three

	transforms [3]*transform
	// places are where the values of a line along x, y and z lie, counted from its first.
	places [3][]int
}

func newSolver(c *mpi.Comm, size [3]int) *solver {
	s := &solver{c: c, size: size, ny: size[1] / c.Size(), nz: size[2] / c.Size()}
	s.first = s.nz * c.Rank()
	points := size[0] * size[1] * s.nz
	s.waves, s.values, s.space = make([]complex128, points), make([]complex128, points), make([]complex128, points)
	for d, n := range size {
		s.decay[d], s.places[d] = make([]float64, n), make([]int, n)
		for i := range n {
			frequency := float64((i+n/2)%n - n/2)
			s.decay[d][i] = math.Exp(-4 * diffusivity * math.Pi * math.Pi * frequency * frequency)
		}
		s.transforms[d] = newTransform(n)
	}
	for x := range s.places[0] {
		s.places[0][x] = x
	}
	for y := range s.places[1] {
		s.places[1][y] = s.at(0, y, 0)
	}
	for z := range s.places[2] {
		s.places[2][z] = z * s.ny * size[0]
	}
	return s
}

// at is where values has a point of this rank's z, which counts from the slab's first.
func (s *solver) at(x, y, z int) int { return ((y/s.ny*s.nz+z)*s.ny+y%s.ny)*s.size[0] + x }

// begin sets values to the beginning, which is random.
func (s *solver) begin() {
	random := nas.Random(seed)
	random.Skip(2 * uint64(s.first*s.size[0]*s.size[1]))
	for z := range s.nz {
		for y := range s.size[1] {
			row := s.values[s.at(0, y, z):][:s.size[0]]
			for x := range row {
				row[x] = complex(random.Next(), random.Next())
			}
		}
	}
}

// forward transforms values, into waves.
func (s *solver) forward() {
	s.alongX(forward)
	s.alongY(forward)
	nas.Must(mpi.Alltoall(s.c, s.values, s.waves))
	s.alongZ(s.waves, forward)
}

// backward transforms space, into values.
func (s *solver) backward() {
	s.alongZ(s.space, backward)
	nas.Must(mpi.Alltoall(s.c, s.space, s.values))
	s.alongY(backward)
	s.alongX(backward)
}

func (s *solver) alongX(d direction) {
	rows := s.ny * s.c.Size() * s.nz
	width := min(together, rows)
	for row := 0; row < rows; row += width {
		s.transforms[0].rows(s.values[row*s.size[0]:], width, d)
	}
}

func (s *solver) alongY(d direction) {
	width := min(together, s.size[0])
	for z := range s.nz {
		for x := 0; x < s.size[0]; x += width {
			s.transforms[1].columns(s.values[s.at(x, 0, z):], s.places[1], width, d)
		}
	}
}

func (s *solver) alongZ(of []complex128, d direction) {
	width := min(together, s.size[0])
	for first := 0; first < s.ny*s.size[0]; first += width {
		s.transforms[2].columns(of[first:], s.places[2], width, d)
	}
}

// evolve lets waves decay by one unit of time, and copies them to space.
func (s *solver) evolve() {
	n := s.size[0]
	decay := s.decay[0]
	for z, dz := range s.decay[2] {
		for y, dy := range s.decay[1][s.ny*s.c.Rank():][:s.ny] {
			first := (z*s.ny + y) * n
			waves, space := s.waves[first:][:n], s.space[first:][:n]
			factor := dy * dz
			for x, dx := range decay[:n] {
				f, w := factor*dx, waves[x]
				w = complex(real(w)*f, imag(w)*f)
				waves[x], space[x] = w, w
			}
		}
	}
}

// sample is this rank's part of the checksum: the sum of the values at some points.
func (s *solver) sample() (sum complex128) {
	for i := 1; i <= samples; i++ {
		if z := 5*i%s.size[2] - s.first; z >= 0 && z < s.nz {
			sum += s.values[s.at(i%s.size[0], 3*i%s.size[1], z)]
		}
	}
	return sum / complex(float64(s.size[0]*s.size[1]*s.size[2]), 0) // backward has not divided by it
}
