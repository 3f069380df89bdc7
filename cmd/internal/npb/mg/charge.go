package mg

import (
	"cmp"
	"slices"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

const (
	seed = 314159265
	// charges are the points where the right side is 1, and as many where it is -1.
	charges = 10
)

// point is one of the finest grid, with its random number.
type point struct {
	value float64
	index int // x first, then y, then z
}

// charge sets the right side: each point of the finest grid gets a random number; it is 1 where the ten greatest are,
// -1 where the ten least are, and 0 elsewhere.
func (s *solver) charge(log2 int) {
	n := 1 << log2
	x, y, z := s.cube.place[0]*s.v.x, s.cube.place[1]*s.v.y, s.cube.place[2]*s.v.z
	byValue := func(a, b point) int { return cmp.Compare(a.value, b.value) }
	var ends []point // the least and greatest of the rows up to now, in order
	numbers := make([]float64, s.v.x)
	for k := range s.v.z {
		for j := range s.v.y {
			first := ((z+k)*n+y+j)*n + x
			random := nas.Random(seed)
			random.Skip(uint64(first))
			random.Fill(numbers)
			for i, number := range numbers {
				if len(ends) < 2*charges || number < ends[charges-1].value || number > ends[len(ends)-charges].value {
					ends = append(ends, point{number, first + i})
					slices.SortFunc(ends, byValue)
					ends = trim(ends)
				}
			}
		}
	}
	ends = slices.Concat(nas.Value(mpi.AllgatherSlices(s.c, ends))...)
	slices.SortFunc(ends, byValue)
	ends = trim(ends)
	for i, p := range ends {
		i, j, k, charge := p.index%n-x, p.index/n%n-y, p.index/n/n-z, charge(i)
		if i >= 0 && i < s.v.x && j >= 0 && j < s.v.y && k >= 0 && k < s.v.z {
			s.v.row(j+1, k+1)[i+1] = charge
		}
	}
}

// charge is the right side at the point of the i-th least number of twenty.
func charge(i int) float64 {
	if i < charges {
		return -1
	}
	return 1
}

// trim leaves the ten first and the ten last of the points.
func trim(points []point) []point {
	if extra := len(points) - 2*charges; extra > 0 {
		return slices.Delete(points, charges, charges+extra)
	}
	return points
}
