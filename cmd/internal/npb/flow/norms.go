package flow

import (
	"fmt"
	"math"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// Norms are root mean squares over the grid, for each value of a state: of the residual, and of the difference between the
// states and the exact solution.
type Norms struct{ Residual, Error State }

// Measure returns the norms over the blocks of all ranks. With faces the error is also that of the points on the faces of
// the cube.
func Measure(c *mpi.Comm, blocks []*Block, faces bool) (norms Norms) {
	here, sums := make([]float64, 10), make([]float64, 10)
	edge := 1
	if faces {
		edge = 0
	}
	for _, b := range blocks {
		b.each(0, 1, func(x, y, z int) {
			for m, r := range b.Residual[b.Index(x, y, z)] {
				here[m] += r * r
			}
		})
		b.each(0, edge, func(x, y, z int) {
			place, _ := b.place(x, y, z)
			want := Exact(place)
			for m, u := range b.U[b.Index(x, y, z)] {
				here[5+m] += (u - want[m]) * (u - want[m])
			}
		})
	}
	nas.Must(mpi.Allreduce(c, here, sums, mpi.Sum))
	inside := math.Pow(float64(blocks[0].Points-2), 3)
	for m := range norms.Error {
		norms.Residual[m], norms.Error[m] = math.Sqrt(sums[m]/inside), math.Sqrt(sums[5+m]/inside)
	}
	return norms
}

// Checks compares norms with the published ones.
func (n Norms) Checks(want Norms) []nas.Check {
	return append(compare("residual", n.Residual, want.Residual), compare("error", n.Error, want.Error)...)
}

func compare(name string, got, want State) (checks []nas.Check) {
	for m := range got {
		checks = append(checks, nas.Check{
			Name: fmt.Sprint(name, " ", m+1), Got: got[m], Want: want[m], Tolerance: nas.Epsilon,
		})
	}
	return checks
}
