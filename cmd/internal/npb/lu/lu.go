// Package lu is LU of the NAS Parallel Benchmarks: the flow of package flow, by symmetric successive over-relaxation. Each
// step solves a lower and an upper triangular system, point by point. Ranks have columns of the grid, and the solution goes
// through them as a wave, plane by plane, so LU measures many short messages, and how soon they arrive.
package lu

import (
	"fmt"
	"math/bits"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/flow"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// Kernel is LU.
var Kernel = nas.New(nas.Kernel{Name: "lu", About: "flow of a fluid, by over-relaxation in waves", Ranks: nas.PowerOfTwo}, problems, problem.mostRanks, run)

// problem is a class, with the published norms and the published integral of the pressure over a surface.
type problem struct {
	points, iterations int
	step               float64 // of time
	norms              flow.Norms
	integral           float64
}

var problems = map[nas.Class]problem{
	'S': {12, 50, 0.5, flow.Norms{
		Residual: flow.State{1.6196343210976702e-2, 2.1976745164821318e-3, 1.5179927653399185e-3, 1.5029584435994323e-3, 3.4264073155896461e-2},
		Error:    flow.State{6.4223319957960924e-4, 8.4144342047347926e-5, 5.8588269616485186e-5, 5.8474222595157350e-5, 1.3103347914111294e-3},
	}, 7.8418928865937083},
	'W': {33, 300, 1.5e-3, flow.Norms{
		Residual: flow.State{12.36511638192, 1.317228477799, 2.550120713095, 2.326187750252, 28.26799444189},
		Error:    flow.State{0.4867877144216, 5.064652880982e-2, 9.281818101960e-2, 8.570126542733e-2, 1.084277417792},
	}, 11.61399311023},
	'A': {64, 250, 2, flow.Norms{
		Residual: flow.State{779.02107606689367, 63.402765259692870, 194.99249727292479, 178.45301160418537, 1838.4760349464247},
		Error:    flow.State{29.964085685471943, 2.8194576365003349, 7.3473412698774742, 6.7139225687777051, 70.715315688392578},
	}, 26.030925604886277},
	'B': {102, 250, 2, flow.Norms{
		Residual: flow.State{3553.2672969982736, 262.14750795310692, 883.33721850952190, 778.12774739425265, 7308.7969592545314},
		Error:    flow.State{114.01176380212709, 8.1098963655421574, 28.480597317698308, 25.905394567832939, 260.54907504857413},
	}, 47.887162703308227},
	'C': {162, 250, 2, flow.Norms{
		Residual: flow.State{10376.6980323537846, 892.212458801008552, 2562.38814582660871, 2191.94343857831427, 17807.8057261061185},
		Error:    flow.State{215.986399716949279, 15.5789559239863600, 54.1318863077207766, 48.2262643154045421, 455.902910043250358},
	}, 66.6404553572181300},
}

// operations are those of all iterations, by the count of NAS.
func (p problem) operations() float64 {
	n := float64(p.points)
	return float64(p.iterations) * (((1984.77*n-10923.3)*n+27770.9)*n - 144010)
}

func run(c *mpi.Comm, p problem) nas.Result {
	s := newSolver(c, p)
	defer s.exchange.Free()
	s.solve(1) // not timed: it touches all memory and connects all ranks
	s.block.Reset()
	seconds := nas.Timed(c, func() { s.solve(p.iterations) })
	norms := flow.Measure(c, []*flow.Block{s.block}, false)
	integral := nas.Value(mpi.AllreduceValue(c, surface(s.block), mpi.Sum))
	return nas.Result{
		Size: fmt.Sprintf("%d×%[1]d×%[1]d points", p.points), Iterations: p.iterations,
		Seconds: seconds, Operations: p.operations(),
		Checks: append(norms.Checks(p.norms),
			nas.Check{Name: "surface integral", Got: integral, Want: p.integral, Tolerance: nas.Epsilon}),
	}
}

// mostRanks is how many ranks there can be: each has at least two points in x and y, as a border has.
func (p problem) mostRanks() int {
	side := 1 << (bits.Len(uint(p.points/2)) - 1)
	return side * side
}
