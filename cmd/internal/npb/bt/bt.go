// Package bt is BT of the NAS Parallel Benchmarks: the flow of package flow, by a system of equations for each line of the grid in
// each direction, whose matrix has three diagonals of blocks. Ranks have blocks all over the grid, so BT measures few
// messages of middle length between neighbours, and arithmetic with small matrices.
package bt

import (
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/flow"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
)

// Kernel is BT.
var Kernel = benchmark.Kernel()

var benchmark = flow.Partitioned{
	Name: "bt", About: "flow of a fluid, by lines of 5×5 blocks", Problems: problems,
	Operations: func(n float64) float64 { return ((3478.8*n-17655.7)*n + 28023.7) * n },
	New:        func(grid *flow.Partition, p flow.Problem) func(int) { return newSolver(grid, p).solve },
}

var problems = map[nas.Class]flow.Problem{
	'S': {Points: 12, Iterations: 60, Step: 0.01, Norms: flow.Norms{
		Residual: flow.State{1.7034283709541311e-1, 1.2975252070034097e-2, 3.2527926989486055e-2, 2.6436421275166801e-2, 1.9211784131744430e-1},
		Error:    flow.State{4.9976913345811579e-4, 4.5195666782961927e-5, 7.3973765172921357e-5, 7.3821238632439731e-5, 8.9269630987491446e-4},
	}},
	'W': {Points: 24, Iterations: 200, Step: 0.8e-3, Norms: flow.Norms{
		Residual: flow.State{112.5590409344, 11.80007595731, 27.10329767846, 24.69174937669, 263.8427874317},
		Error:    flow.State{4.419655736008, 0.4638531260002, 1.011551749967, 0.9235878729944, 10.18045837718},
	}},
	'A': {Points: 64, Iterations: 200, Step: 0.8e-3, Norms: flow.Norms{
		Residual: flow.State{108.06346714637264, 11.319730901220813, 25.974354511582465, 23.665622544678910, 252.78963211748344},
		Error:    flow.State{4.2348416040525025, 0.44390282496995698, 0.96692480136345650, 0.88302063039765474, 9.7379901770829278},
	}},
	'B': {Points: 102, Iterations: 200, Step: 3e-4, Norms: flow.Norms{
		Residual: flow.State{1423.3597229287254, 99.330522590150238, 356.46025644535285, 324.85447959084092, 3270.7541254659363},
		Error:    flow.State{52.969847140936856, 4.4632896115670668, 13.122573342210174, 12.006925323559144, 124.59576151035986},
	}},
	'C': {Points: 162, Iterations: 200, Step: 1e-4, Norms: flow.Norms{
		Residual: flow.State{6239.8116551764615, 507.93239190423964, 1542.3530093013596, 1330.2387929291190, 11604.087428436455},
		Error:    flow.State{164.62008369091265, 11.497107903824313, 41.207446207461508, 37.087651059694167, 362.11053051841265},
	}},
}
