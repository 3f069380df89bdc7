package bt

import "github.com/sctpmpi/sctpmpi/cmd/internal/npb/flow"

// matrix is a block of a line's matrix.
type matrix [5]flow.State

// subtract subtracts a·b from m.
func (m *matrix) subtract(a, b *matrix) {
	for i := range m {
		a, m := &a[i], &m[i]
		a0, a1, a2, a3, a4 := a[0], a[1], a[2], a[3], a[4]
		m[0] -= a0*b[0][0] + a1*b[1][0] + a2*b[2][0] + a3*b[3][0] + a4*b[4][0]
		m[1] -= a0*b[0][1] + a1*b[1][1] + a2*b[2][1] + a3*b[3][1] + a4*b[4][1]
		m[2] -= a0*b[0][2] + a1*b[1][2] + a2*b[2][2] + a3*b[3][2] + a4*b[4][2]
		m[3] -= a0*b[0][3] + a1*b[1][3] + a2*b[2][3] + a3*b[3][3] + a4*b[4][3]
		m[4] -= a0*b[0][4] + a1*b[1][4] + a2*b[2][4] + a3*b[3][4] + a4*b[4][4]
	}
}

// subtract subtracts a·v from r.
func subtract(r *flow.State, a *matrix, v *flow.State) {
	v0, v1, v2, v3, v4 := v[0], v[1], v[2], v[3], v[4]
	for i := range r {
		a := &a[i]
		r[i] -= a[0]*v0 + a[1]*v1 + a[2]*v2 + a[3]*v3 + a[4]*v4
	}
}

// divide replaces c by m⁻¹·c and r by m⁻¹·r, by elimination without pivots: the matrices of small steps of time are near
// the unit matrix. It destroys m. Rows are changed as a whole, as that is faster than to leave out what is 0 by then.
func (m *matrix) divide(c *matrix, r *flow.State) {
	for k := range m {
		row, right := &m[k], &c[k]
		pivot := 1 / row[k]
		times(row, pivot)
		times(right, pivot)
		r[k] *= pivot
		for i := k + 1; i < 5; i++ {
			factor := m[i][k]
			less(&m[i], factor, row)
			less(&c[i], factor, right)
			r[i] -= factor * r[k]
		}
	}
	for k := 4; k > 0; k-- {
		for i := range k {
			factor := m[i][k]
			less(&c[i], factor, &c[k])
			r[i] -= factor * r[k]
		}
	}
}

// times multiplies r by a factor.
func times(r *flow.State, factor float64) {
	r[0] *= factor
	r[1] *= factor
	r[2] *= factor
	r[3] *= factor
	r[4] *= factor
}

// less subtracts factor·v from r.
func less(r *flow.State, factor float64, v *flow.State) {
	r[0] -= factor * v[0]
	r[1] -= factor * v[1]
	r[2] -= factor * v[2]
	r[3] -= factor * v[3]
	r[4] -= factor * v[4]
}
