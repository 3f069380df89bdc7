// Package bt is BT of the NAS Parallel Benchmarks: the flow of package flow, by a system of equations for each line of the grid in
// each direction, whose matrix has three diagonals of blocks. Ranks have blocks all over the grid, so BT measures few
// messages of middle length between neighbours, and arithmetic with small matrices.
package bt

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/cmd/npb/internal/flow"
	"github.com/sctpmpi/sctpmpi/cmd/npb/internal/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// Kernel is BT.
var Kernel = nas.Kernel{Name: "bt", About: "flow of a fluid, by lines of 5×5 blocks", Ranks: flow.Squares, Run: Run}

// problem is a class, with the published norms.
type problem struct {
	points, iterations int
	step               float64 // of time
	norms              flow.Norms
}

var problems = map[nas.Class]problem{
	'S': {12, 60, 0.01, flow.Norms{
		Residual: flow.State{1.7034283709541311e-1, 1.2975252070034097e-2, 3.2527926989486055e-2, 2.6436421275166801e-2, 1.9211784131744430e-1},
		Error:    flow.State{4.9976913345811579e-4, 4.5195666782961927e-5, 7.3973765172921357e-5, 7.3821238632439731e-5, 8.9269630987491446e-4},
	}},
	'W': {24, 200, 0.8e-3, flow.Norms{
		Residual: flow.State{112.5590409344, 11.80007595731, 27.10329767846, 24.69174937669, 263.8427874317},
		Error:    flow.State{4.419655736008, 0.4638531260002, 1.011551749967, 0.9235878729944, 10.18045837718},
	}},
	'A': {64, 200, 0.8e-3, flow.Norms{
		Residual: flow.State{108.06346714637264, 11.319730901220813, 25.974354511582465, 23.665622544678910, 252.78963211748344},
		Error:    flow.State{4.2348416040525025, 0.44390282496995698, 0.96692480136345650, 0.88302063039765474, 9.7379901770829278},
	}},
	'B': {102, 200, 3e-4, flow.Norms{
		Residual: flow.State{1423.3597229287254, 99.330522590150238, 356.46025644535285, 324.85447959084092, 3270.7541254659363},
		Error:    flow.State{52.969847140936856, 4.4632896115670668, 13.122573342210174, 12.006925323559144, 124.59576151035986},
	}},
	'C': {162, 200, 1e-4, flow.Norms{
		Residual: flow.State{6239.8116551764615, 507.93239190423964, 1542.3530093013596, 1330.2387929291190, 11604.087428436455},
		Error:    flow.State{164.62008369091265, 11.497107903824313, 41.207446207461508, 37.087651059694167, 362.11053051841265},
	}},
}

// operations are those of all iterations, by the count of NAS.
func (p problem) operations() float64 {
	n := float64(p.points)
	return float64(p.iterations) * ((3478.8*n-17655.7)*n + 28023.7) * n
}

// Run runs BT on all ranks of c, a square.
func Run(c *mpi.Comm, class nas.Class) (nas.Result, error) {
	p, ok := problems[class]
	if !ok {
		return nas.Result{}, fmt.Errorf("bt has no class %v", class)
	}
	if err := flow.Squares(c.Size()); err != nil {
		return nas.Result{}, fmt.Errorf("bt runs %w", err)
	}
	if most := flow.MostRanks(p.points); c.Size() > most {
		return nas.Result{}, fmt.Errorf("bt runs in class %v on at most %d ranks, not on %d", class, most, c.Size())
	}
	s, err := newSolver(c, p)
	if err != nil {
		return nas.Result{}, err
	}
	defer s.grid.Free()
	if err := s.solve(1); err != nil { // not timed: it touches all memory and connects all ranks
		return nas.Result{}, err
	}
	s.grid.Reset()
	seconds, err := nas.Timed(c, func() error { return s.solve(p.iterations) })
	if err != nil {
		return nas.Result{}, err
	}
	if err := s.grid.Differ(); err != nil {
		return nas.Result{}, err
	}
	norms, err := flow.Measure(c, s.grid.Blocks, true)
	if err != nil {
		return nas.Result{}, err
	}
	return nas.Result{
		Size: fmt.Sprintf("%d×%[1]d×%[1]d points", p.points), Iterations: p.iterations,
		Seconds: seconds, Operations: p.operations(), Checks: norms.Checks(p.norms),
	}, nil
}
