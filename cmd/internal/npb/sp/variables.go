package sp

import (
	"math"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/flow"
)

// hear sets the speed of sound in the block and one point around it.
func (b block) hear() {
	const gamma = 1 + flow.Pressure
	b.RowsWithin(1, 0, func(first, n int) {
		to := b.sound[first:][:n]
		u, f := b.U[first:][:len(to)], b.Flow[first:][:len(to)]
		for i := range to {
			to[i] = math.Sqrt(gamma * flow.Pressure * (u[i][4]*f[i][0] - f[i][4]))
		}
	})
}

// In the variables of a direction the five equations of a line are apart: three move with the fluid, one with sound ahead of
// it, and one with sound against it. These are the changes from the values of a state to the variables of x, from there to
// those of y and z, and back to the values. All are products with matrices whose elements are 0 for the most part.

// half is the root of one half.
const half = math.Sqrt2 / 2

// enter changes from the values to the variables of x.
func (b block) enter() {
	b.Rows(func(first, n int) {
		residual := b.Residual[first:][:n]
		flows, sound := b.Flow[first:][:len(residual)], b.sound[first:][:len(residual)]
		for i := range residual {
			r, f, c := &residual[i], &flows[i], sound[i]
			pressure := flow.Pressure * (f[4]*r[0] - f[1]*r[1] - f[2]*r[2] - f[3]*r[3] + r[4]) / (c * c)
			velocity := half * f[0] * (f[1]*r[0] - r[1])
			wave := half * f[0] * c * pressure
			*r = flow.State{
				r[0] - pressure, f[0] * (r[3] - f[3]*r[0]), f[0] * (f[2]*r[0] - r[2]), wave - velocity, wave + velocity,
			}
		}
	})
}

// turnToY changes from the variables of x to those of y.
func (b block) turnToY() {
	b.Rows(func(first, n int) {
		residual := b.Residual[first:][:n]
		for i := range residual {
			r := &residual[i]
			across, along := half*r[2], 0.5*(r[3]+r[4])
			*r = flow.State{-r[1], r[0], half * (r[3] - r[4]), along - across, along + across}
		}
	})
}

// turnToZ changes from the variables of y to those of z.
func (b block) turnToZ() {
	b.Rows(func(first, n int) {
		residual := b.Residual[first:][:n]
		for i := range residual {
			r := &residual[i]
			across, along := half*r[0], 0.5*(r[3]+r[4])
			*r = flow.State{half * (r[3] - r[4]), -r[2], r[1], along - across, along + across}
		}
	})
}

// leave changes from the variables of z to the values.
func (b block) leave() {
	b.Rows(func(first, n int) {
		residual := b.Residual[first:][:n]
		states, flows, sound := b.U[first:][:len(residual)], b.Flow[first:][:len(residual)], b.sound[first:][:len(residual)]
		for i := range residual {
			r, f, c, density := &residual[i], &flows[i], sound[i], states[i][0]
			wave := half * density / c * (r[3] + r[4])
			mass := r[2] + wave
			velocity := half * density * (r[3] - r[4])
			*r = flow.State{
				mass, f[1]*mass - density*r[1], f[2]*mass + density*r[0], f[3]*mass + velocity,
				density*(f[2]*r[0]-f[1]*r[1]) + f[4]*mass + c*c*wave/flow.Pressure + f[3]*velocity,
			}
		}
	})
}
