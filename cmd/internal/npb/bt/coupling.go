package bt

import "github.com/sctpmpi/sctpmpi/cmd/internal/npb/flow"

// coupling makes the blocks of a line's matrix: a point's own, and those of its neighbours, each of the state there.
type coupling struct {
	convection, viscosity float64
	diffusion             [3]float64
}

// newCoupling has the terms of a step of time.
func newCoupling(points int, step float64) coupling {
	t := flow.NewTerms(points)
	c := coupling{convection: step * t.Convection, viscosity: step * t.Viscosity}
	for d, factor := range t.Diffusion {
		c.diffusion[d] = step * factor
	}
	return c
}

// middle sets m to the block of a point itself.
func (c *coupling) middle(m *matrix, u *flow.State, f *flow.Flow, d int) {
	*m = matrix{}
	spread(m, u, f, d, 2*c.viscosity)
	for i := range m {
		m[i][i] += 1 + 2*c.diffusion[d]
	}
}

// neighbour sets m to the block of a neighbour in direction d. Up is 1 for the one above, -1 for the one below.
func (c *coupling) neighbour(m *matrix, u *flow.State, f *flow.Flow, d int, up float64) {
	*m = matrix{}
	convect(m, u, f, d, up*c.convection)
	spread(m, u, f, d, -c.viscosity)
	for i := range m {
		m[i][i] -= c.diffusion[d]
	}
}

// convect adds the derivative of what flows in direction d, times a factor.
func convect(m *matrix, u *flow.State, f *flow.Flow, d int, factor float64) {
	normal := (1 + d) & 3
	speed := factor * f[normal]
	pressure := factor * flow.Pressure
	whole := f[0] * (u[4] + flow.Pressure*(u[4]-u[0]*f[4])) // energy and pressure, of a unit of mass

	m[0][normal] += factor
	for i := 1; i < 4; i++ {
		row := &m[i]
		row[0] -= speed * f[i]
		row[normal] += factor * f[i]
		row[i] += speed
	}
	row := &m[normal]
	row[0] += pressure * f[4]
	row[1] -= pressure * f[1]
	row[2] -= pressure * f[2]
	row[3] -= pressure * f[3]
	row[4] += pressure
	row, pressure = &m[4], speed*flow.Pressure
	row[0] += pressure*f[4] - speed*whole
	row[1] -= pressure * f[1]
	row[2] -= pressure * f[2]
	row[3] -= pressure * f[3]
	row[4] += pressure + speed
	row[normal] += factor * whole
}

// spread adds the derivative of what viscosity and heat transport in direction d, times a factor.
func spread(m *matrix, u *flow.State, f *flow.Flow, d int, factor float64) {
	normal := (1 + d) & 3
	factor *= f[0]
	speed := f[normal]
	for i := 1; i < 4; i++ {
		m[i][0] -= factor * f[i]
		m[i][i] += factor
	}
	m[normal][0] -= factor * (1. / 3) * speed
	m[normal][normal] += factor * (1. / 3)
	row := &m[4]
	row[0] -= factor * (flow.Kinetic*2*f[4] + (1./3)*speed*speed + flow.Heat*u[4]*f[0])
	row[1] += factor * flow.Kinetic * f[1]
	row[2] += factor * flow.Kinetic * f[2]
	row[3] += factor * flow.Kinetic * f[3]
	row[4] += factor * flow.Heat
	row[normal] += factor * (1. / 3) * speed
}
