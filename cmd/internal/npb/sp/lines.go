package sp

import "github.com/sctpmpi/sctpmpi/cmd/internal/npb/flow"

// eliminate removes what is below the diagonals from the lines of a block in direction d, and makes the diagonals 1.
func (s *solver) eliminate(b block, d int) {
	x0, x1 := b.Inside(0)
	y0, y1 := b.Inside(1)
	z0, z1 := b.Inside(2)
	for z := z0; z < z1; z++ {
		for y := y0; y < y1; y++ {
			row := b.Index(x0, y, z)
			switch d {
			case 0:
				for x := x0; x < x1; {
					weights, n := b.Weights(0, x, x1)
					s.row(b, b.Index(x, y, z), n, d, weights)
					x += n
				}
			case 1:
				weights, _ := b.Weights(1, y, y1)
				s.row(b, row, x1-x0, d, weights)
			case 2:
				weights, _ := b.Weights(2, z, z1)
				s.row(b, row, x1-x0, d, weights)
			}
		}
	}
}

// row does so for n points from index p on, which have the same weights of the fourth difference. All three matrices of a line
// have the terms of that, of diffusion, and of convection; those of sound have its speed too. Diffusion is that of heat, which
// is greater than that of momentum.
func (s *solver) row(b block, p, n, d int, weights *[5]float64) {
	convection := s.step * s.terms.Convection
	heat := s.step * s.terms.Viscosity * flow.Heat
	diffusion := s.step * s.terms.Diffusion[d]
	damping := s.step * flow.Damping
	stride, normal := b.Stride[d], (1+d)&3
	lowest, below := damping*weights[0], damping*weights[1]-diffusion
	middle, above, highest := 1+damping*weights[2]+2*diffusion, damping*weights[3]-diffusion, damping*weights[4]
	for q := p; q < p+n; q++ {
		low, mid, high := &b.Flow[q-stride], &b.Flow[q], &b.Flow[q+stride]
		e1 := below - convection*low[normal] - heat*low[0]
		e2 := middle + 2*heat*mid[0]
		e3 := above + convection*high[normal] - heat*high[0]
		soundBelow, soundAbove := convection*b.sound[q-stride], convection*b.sound[q+stride]
		before2, before1, here := &b.upper[q-2*stride], &b.upper[q-stride], &b.upper[q]
		r2, r1, r := &b.Residual[q-2*stride], &b.Residual[q-stride], &b.Residual[q]

		k, inverse := here.set(0, before2, before1, lowest, e1, e2, e3, highest)
		r[0] = (r[0] - lowest*r2[0] - k*r1[0]) * inverse
		r[1] = (r[1] - lowest*r2[1] - k*r1[1]) * inverse
		r[2] = (r[2] - lowest*r2[2] - k*r1[2]) * inverse
		k, inverse = here.set(1, before2, before1, lowest, e1-soundBelow, e2, e3+soundAbove, highest)
		r[3] = (r[3] - lowest*r2[3] - k*r1[3]) * inverse
		k, inverse = here.set(2, before2, before1, lowest, e1+soundBelow, e2, e3-soundAbove, highest)
		r[4] = (r[4] - lowest*r2[4] - k*r1[4]) * inverse
	}
}

// set eliminates the two points before from an equation of matrix i. It returns by how much the value of the point just before
// counts, when the one before that has been eliminated, and by what to multiply the equation.
func (u *upper) set(i int, before2, before1 *upper, e0, e1, e2, e3, e4 float64) (k, inverse float64) {
	k = e1 - e0*before2[i][0]
	inverse = 1 / (e2 - e0*before2[i][1] - k*before1[i][0])
	u[i] = [2]float64{(e3 - k*before1[i][1]) * inverse, e4 * inverse}
	return k, inverse
}

// substitute solves the lines of a block in direction d, from above.
func (b block) substitute(d int) {
	stride := b.Stride[d]
	b.RowsBack(func(first, n int) {
		for p := first + n - 1; p >= first; p-- {
			r, r1, r2, u := &b.Residual[p], &b.Residual[p+stride], &b.Residual[p+2*stride], &b.upper[p]
			r[0] -= u[0][0]*r1[0] + u[0][1]*r2[0]
			r[1] -= u[0][0]*r1[1] + u[0][1]*r2[1]
			r[2] -= u[0][0]*r1[2] + u[0][1]*r2[2]
			r[3] -= u[1][0]*r1[3] + u[1][1]*r2[3]
			r[4] -= u[2][0]*r1[4] + u[2][1]*r2[4]
		}
	})
}
