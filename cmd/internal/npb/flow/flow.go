// Package flow is the problem that three of the NAS Parallel Benchmarks solve, LU, BT and SP: the flow of a compressible,
// viscous fluid through a cube, towards a steady state that is known. It has the equations on a grid, and what ranks that
// share the grid tell each other for them; how to come nearer to the steady state is up to each benchmark. See NAS report
// RNR-94-007, chapter 3.
package flow

// State is what there is at a point: the density, the momentum in directions x, y and z, and the energy.
type State [5]float64

// Constants of the fluid. Heat is the factor of the flow of heat by viscosity, Kinetic that of kinetic energy, and Pressure
// that between pressure and inner energy.
const (
	gamma   = 1.4 // k1 of the report: the ratio of the specific heats
	viscous = 0.1 // k3·k4
	prandtl = 1.4 // k5

	Pressure = gamma - 1 // k2
	Heat     = gamma * prandtl
	Kinetic  = 1 - Heat
)

// Damping is the factor of the fourth difference, which smooths what the grid cannot show.
const Damping = 0.25

// diffusion is the factor of artificial diffusion in each direction.
var diffusion = [3]float64{0.75, 0.75, 1}

// exact has the coefficients of the exact solution: for each value of a state a constant, then those of x, y and z, of
// their squares, of their cubes and of their fourth powers.
var exact = [5][13]float64{
	{2, 0, 0, 4, 5, 3, 0.5, 0.02, 0.01, 0.03, 0.5, 0.4, 0.3},
	{1, 0, 0, 0, 1, 2, 3, 0.01, 0.03, 0.02, 0.4, 0.3, 0.5},
	{2, 2, 0, 0, 0, 2, 3, 0.04, 0.03, 0.05, 0.3, 0.5, 0.4},
	{2, 2, 0, 0, 0, 2, 3, 0.03, 0.05, 0.04, 0.2, 0.1, 0.3},
	{5, 4, 3, 2, 0.1, 0.4, 0.3, 0.05, 0.04, 0.03, 0.1, 0.3, 0.2},
}

// Exact is the steady state at a place in the unit cube.
func Exact(place [3]float64) (s State) {
	for m, c := range exact {
		s[m] = c[0]
		for d, x := range place {
			s[m] += x * (c[1+d] + x*(c[4+d]+x*(c[7+d]+x*c[10+d])))
		}
	}
	return s
}

// Interpolated is the state inside the cube that all three benchmarks begin with. It is made of the exact solution on the six
// faces, by a formula of the report that multiplies values of states.
func Interpolated(place [3]float64) (s State) {
	var along [3]State // between the faces in one direction
	for d, x := range place {
		low, high := place, place
		low[d], high[d] = 0, 1
		a, b := Exact(low), Exact(high)
		for m := range s {
			along[d][m] = (1-x)*a[m] + x*b[m]
		}
	}
	for m := range s {
		x, y, z := along[0][m], along[1][m], along[2][m]
		s[m] = x + y + z - x*y - y*z - z*x + x*y*z
	}
	return s
}
