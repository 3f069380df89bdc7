// Package sp is SP of the NAS Parallel Benchmarks: the flow of package flow, by a system of equations for each line of the grid in
// each direction, after a change of variables that leaves single numbers on five diagonals. Ranks have blocks all over the
// grid, as in BT; SP has shorter messages, and less arithmetic between them.
package sp

import (
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/flow"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
)

// Kernel is SP.
var Kernel = benchmark.Kernel()

var benchmark = flow.Partitioned{
	Name: "sp", About: "flow of a fluid, by lines of five diagonals", Problems: problems,
	Operations: func(n float64) float64 { return ((881.174*n-4683.91)*n+11484.5)*n - 19272.4 },
	New:        func(grid *flow.Partition, p flow.Problem) func(int) { return newSolver(grid, p).solve },
}

var problems = map[nas.Class]flow.Problem{
	'S': {Points: 12, Iterations: 100, Step: 0.015, Norms: flow.Norms{
		Residual: flow.State{2.7470315451339479e-2, 1.0360746705285417e-2, 1.6235745065095532e-2, 1.5840557224455615e-2, 3.4849040609362460e-2},
		Error:    flow.State{2.7289258557377227e-5, 1.0364446640837285e-5, 1.6154798287166471e-5, 1.5750704994480102e-5, 3.4177666183390531e-5},
	}},
	'W': {Points: 36, Iterations: 400, Step: 1.5e-3, Norms: flow.Norms{
		Residual: flow.State{1.893253733584e-3, 1.717075447775e-4, 2.778153350936e-4, 2.887475409984e-4, 3.143611161242e-3},
		Error:    flow.State{7.542088599534e-5, 6.512852253086e-6, 1.049092285688e-5, 1.128838671535e-5, 1.212845639773e-4},
	}},
	'A': {Points: 64, Iterations: 400, Step: 1.5e-3, Norms: flow.Norms{
		Residual: flow.State{2.4799822399300195, 1.1276337964368832, 1.5028977888770491, 1.4217816211695179, 2.1292113035138280},
		Error:    flow.State{1.0900140297820550e-4, 3.7343951769282091e-5, 5.0092785406541633e-5, 4.7671093939528255e-5, 1.3621613399213001e-4},
	}},
	'B': {Points: 102, Iterations: 400, Step: 1e-3, Norms: flow.Norms{
		Residual: flow.State{69.03293579998, 30.95134488084, 41.03336647017, 38.64769009604, 56.43482272596},
		Error:    flow.State{9.810006190188e-3, 1.022827905670e-3, 1.720597911692e-3, 1.694479428231e-3, 1.847456263981e-2},
	}},
	'C': {Points: 162, Iterations: 400, Step: 0.67e-3, Norms: flow.Norms{
		Residual: flow.State{588.1691581829, 245.4417603569, 329.3829191851, 308.1924971891, 459.7223799176},
		Error:    flow.State{0.2598120500183, 2.590888922315e-2, 5.132886416320e-2, 4.806073419454e-2, 0.5483377491301},
	}},
}
