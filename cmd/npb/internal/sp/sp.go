// Package sp is SP of the NAS Parallel Benchmarks: the flow of package flow, by a system of equations for each line of the grid in
// each direction, after a change of variables that leaves single numbers on five diagonals. Ranks have blocks all over the
// grid, as in BT; SP has shorter messages, and less arithmetic between them.
package sp

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/cmd/npb/internal/flow"
	"github.com/sctpmpi/sctpmpi/cmd/npb/internal/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// Kernel is SP.
var Kernel = nas.Kernel{Name: "sp", About: "flow of a fluid, by lines of five diagonals", Ranks: flow.Squares, Run: Run}

// problem is a class, with the published norms.
type problem struct {
	points, iterations int
	step               float64 // of time
	norms              flow.Norms
}

var problems = map[nas.Class]problem{
	'S': {12, 100, 0.015, flow.Norms{
		Residual: flow.State{2.7470315451339479e-2, 1.0360746705285417e-2, 1.6235745065095532e-2, 1.5840557224455615e-2, 3.4849040609362460e-2},
		Error:    flow.State{2.7289258557377227e-5, 1.0364446640837285e-5, 1.6154798287166471e-5, 1.5750704994480102e-5, 3.4177666183390531e-5},
	}},
	'W': {36, 400, 1.5e-3, flow.Norms{
		Residual: flow.State{1.893253733584e-3, 1.717075447775e-4, 2.778153350936e-4, 2.887475409984e-4, 3.143611161242e-3},
		Error:    flow.State{7.542088599534e-5, 6.512852253086e-6, 1.049092285688e-5, 1.128838671535e-5, 1.212845639773e-4},
	}},
	'A': {64, 400, 1.5e-3, flow.Norms{
		Residual: flow.State{2.4799822399300195, 1.1276337964368832, 1.5028977888770491, 1.4217816211695179, 2.1292113035138280},
		Error:    flow.State{1.0900140297820550e-4, 3.7343951769282091e-5, 5.0092785406541633e-5, 4.7671093939528255e-5, 1.3621613399213001e-4},
	}},
	'B': {102, 400, 1e-3, flow.Norms{
		Residual: flow.State{69.03293579998, 30.95134488084, 41.03336647017, 38.64769009604, 56.43482272596},
		Error:    flow.State{9.810006190188e-3, 1.022827905670e-3, 1.720597911692e-3, 1.694479428231e-3, 1.847456263981e-2},
	}},
	'C': {162, 400, 0.67e-3, flow.Norms{
		Residual: flow.State{588.1691581829, 245.4417603569, 329.3829191851, 308.1924971891, 459.7223799176},
		Error:    flow.State{0.2598120500183, 2.590888922315e-2, 5.132886416320e-2, 4.806073419454e-2, 0.5483377491301},
	}},
}

// operations are those of all iterations, by the count of NAS.
func (p problem) operations() float64 {
	n := float64(p.points)
	return float64(p.iterations) * (((881.174*n-4683.91)*n+11484.5)*n - 19272.4)
}

// Run runs SP on all ranks of c, a square.
func Run(c *mpi.Comm, class nas.Class) (nas.Result, error) {
	p, ok := problems[class]
	if !ok {
		return nas.Result{}, fmt.Errorf("sp has no class %v", class)
	}
	if err := flow.Squares(c.Size()); err != nil {
		return nas.Result{}, fmt.Errorf("sp runs %w", err)
	}
	if most := flow.MostRanks(p.points); c.Size() > most {
		return nas.Result{}, fmt.Errorf("sp runs in class %v on at most %d ranks, not on %d", class, most, c.Size())
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
