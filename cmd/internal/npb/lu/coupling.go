package lu

import "github.com/sctpmpi/sctpmpi/cmd/internal/npb/flow"

// coupling multiplies by the blocks of the linear system, each 5×5 and made of a point's state: without making them, as
// most of their elements are 0 or products of a few numbers.
type coupling struct {
	convection, viscosity float64
	diffusion             [3]float64
	diagonal              float64 // of D, without viscosity
	spread                float64 // of D, by viscosity in one direction
}

// newCoupling has the terms of a step of time. Those of neighbours are times ω.
func newCoupling(points int, step float64) coupling {
	t := flow.NewTerms(points)
	c := coupling{
		convection: relaxation * step * t.Convection, viscosity: relaxation * step * t.Viscosity,
		diagonal: 1, spread: 2 * step * t.Viscosity,
	}
	for d, factor := range t.Diffusion {
		c.diffusion[d] = relaxation * step * factor
		c.diagonal += 2 * step * factor
	}
	return c
}

// add adds to sum the block of a neighbour in direction d, times its value v. Up is 1 for the neighbour above, -1 for that
// below.
func (c *coupling) add(sum, u *flow.State, f *flow.Flow, v *flow.State, d int, up float64) {
	normal := (1 + d) & 3
	convection, viscosity, diffusion := up*c.convection, c.viscosity, c.diffusion[d]
	// What v changes: the velocity, kinetic energy times density, and pressure.
	w := [4]float64{0, (v[1] - f[1]*v[0]) * f[0], (v[2] - f[2]*v[0]) * f[0], (v[3] - f[3]*v[0]) * f[0]}
	square := f[1]*v[1] + f[2]*v[2] + f[3]*v[3] - f[4]*v[0]
	pressure := flow.Pressure * (v[4] - square)
	speed, change := f[normal], w[normal]
	whole := u[4] + flow.Pressure*(u[4]-u[0]*f[4]) // energy and pressure

	sum[0] += convection*v[normal] - diffusion*v[0]
	sum[1] += convection*(v[1]*speed+u[1]*change) - viscosity*w[1] - diffusion*v[1]
	sum[2] += convection*(v[2]*speed+u[2]*change) - viscosity*w[2] - diffusion*v[2]
	sum[3] += convection*(v[3]*speed+u[3]*change) - viscosity*w[3] - diffusion*v[3]
	sum[normal] += convection*pressure - viscosity*(1./3)*change
	energy := flow.Kinetic*(f[1]*w[1]+f[2]*w[2]+f[3]*w[3]) + (1./3)*speed*change + flow.Heat*(v[4]-u[4]*f[0]*v[0])*f[0]
	sum[4] += convection*(speed*(v[4]+pressure)+change*whole) - viscosity*energy - diffusion*v[4]
}

// divide replaces r by D⁻¹·r, for D of a point. D is triangular: the density depends on nothing else, the momentum on the
// density, and the energy on both.
func (c *coupling) divide(r, u *flow.State, f *flow.Flow) {
	momentum := c.spread * (10. / 3) * f[0]
	energy := c.spread * (3 * flow.Heat) * f[0]
	r[0] /= c.diagonal
	inverse := 1 / (c.diagonal + momentum)
	r[1] = (r[1] + momentum*f[1]*r[0]) * inverse
	r[2] = (r[2] + momentum*f[2]*r[0]) * inverse
	r[3] = (r[3] + momentum*f[3]*r[0]) * inverse
	square := (f[1]*(r[1]-f[1]*r[0]) + f[2]*(r[2]-f[2]*r[0]) + f[3]*(r[3]-f[3]*r[0])) * f[0]
	r[4] += energy*u[4]*f[0]*r[0] - c.spread*(3*flow.Kinetic+1./3)*square
	r[4] /= c.diagonal + energy
}
