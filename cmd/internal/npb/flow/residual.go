package flow

// Terms are the factors of the differences on a grid.
type Terms struct {
	Convection, Viscosity float64
	Diffusion             [3]float64
}

// NewTerms is for a grid of some points in each direction.
func NewTerms(points int) Terms {
	n := float64(points - 1) // the reciprocal of the distance of two points
	t := Terms{Convection: n / 2, Viscosity: viscous * n * n}
	for d, factor := range diffusion {
		t.Diffusion[d] = factor * n * n
	}
	return t
}

// Differ sets Residual to what the states of the points make of each other, and Flow to what follows from them.
func (b *Block) Differ() {
	b.flow()
	x0, x1 := b.Inside(0)
	y0, y1 := b.Inside(1)
	z0, z1 := b.Inside(2)
	n := x1 - x0
	for z := z0; z < z1; z++ {
		for y := y0; y < y1; y++ {
			row := b.Index(x0, y, z)
			copy(b.Residual[row:row+n], b.force[row:row+n])
			for d := range 3 {
				b.transport(row, n, d)
			}
			for x := x0; x < x1; {
				weights, count := b.Weights(0, x, x1)
				b.damp(b.Index(x, y, z), count, 0, weights)
				x += count
			}
			weights, _ := b.Weights(1, y, y1)
			b.damp(row, n, 1, weights)
			weights, _ = b.Weights(2, z, z1)
			b.damp(row, n, 2, weights)
		}
	}
}

// flow sets Flow in the block and one point around it.
func (b *Block) flow() {
	b.RowsWithin(1, 0, func(first, n int) {
		from := b.U[first:][:n]
		to := b.Flow[first:][:len(from)]
		for i := range from {
			s := &from[i]
			f := 1 / s[0]
			u, v, w := f*s[1], f*s[2], f*s[3]
			to[i] = Flow{f, u, v, w, 0.5 * (u*u + v*v + w*w)}
		}
	})
}

// transport adds what flows in direction d to the residual of n points from index p on, and what spreads there by
// viscosity, heat and artificial diffusion. All are central differences of second order.
func (b *Block) transport(p, n, d int) {
	s := b.Stride[d]
	low, mid, high := b.U[p-s:][:n], b.U[p:][:n], b.U[p+s:][:n]
	lowFlow, midFlow, highFlow := b.Flow[p-s:][:n], b.Flow[p:][:n], b.Flow[p+s:][:n]
	residual := b.Residual[p:][:n]
	convection, viscosity, diffusion := b.terms.Convection, b.terms.Viscosity, b.terms.Diffusion[d]
	normal := 1 + d
	for i := range residual {
		r := &residual[i]
		a, c, e := &low[i], &mid[i], &high[i]
		fa, fc, fe := &lowFlow[i], &midFlow[i], &highFlow[i]
		va, vc, ve := fa[normal&3], fc[normal&3], fe[normal&3]
		pa, pe := Pressure*(a[4]-a[0]*fa[4]), Pressure*(e[4]-e[0]*fe[4])

		r[0] += diffusion*(a[0]-2*c[0]+e[0]) - convection*(e[normal&3]-a[normal&3])
		r[1] += diffusion*(a[1]-2*c[1]+e[1]) + viscosity*(fa[1]-2*fc[1]+fe[1]) - convection*(e[1]*ve-a[1]*va)
		r[2] += diffusion*(a[2]-2*c[2]+e[2]) + viscosity*(fa[2]-2*fc[2]+fe[2]) - convection*(e[2]*ve-a[2]*va)
		r[3] += diffusion*(a[3]-2*c[3]+e[3]) + viscosity*(fa[3]-2*fc[3]+fe[3]) - convection*(e[3]*ve-a[3]*va)
		r[normal&3] += viscosity*(1./3)*(va-2*vc+ve) - convection*(pe-pa)
		spread := Kinetic*(fa[4]-2*fc[4]+fe[4]) + (1./6)*(va*va-2*vc*vc+ve*ve) + Heat*(a[4]*fa[0]-2*c[4]*fc[0]+e[4]*fe[0])
		r[4] += diffusion*(a[4]-2*c[4]+e[4]) + viscosity*spread - convection*((e[4]+pe)*ve-(a[4]+pa)*va)
	}
}

// The weights of the fourth difference. Next to a face it does without the points on it and beyond.
var (
	fourth = [5]float64{1, -4, 6, -4, 1}
	lowest = [2][5]float64{{0, 0, 5, -4, 1}, {0, -4, 6, -4, 1}}
	top    = [2][5]float64{{1, -4, 5, 0, 0}, {1, -4, 6, -4, 0}}
)

// Weights returns the weights at a place in direction d, and how many places from there on have the same, before end.
func (b *Block) Weights(d, place, end int) (weights *[5]float64, count int) {
	i := b.First[d] + place
	switch last := b.Points - 1; {
	case i <= 2:
		return &lowest[i-1], 1
	case last-i <= 2:
		return &top[last-i-1], 1
	default:
		return &fourth, min(end, last-2-b.First[d]) - place
	}
}

// damp subtracts the fourth difference in direction d from the residual of n points from index p on.
func (b *Block) damp(p, n, d int, weights *[5]float64) {
	s := b.Stride[d]
	u0, u1, u2, u3, u4 := b.U[p-2*s:][:n], b.U[p-s:][:n], b.U[p:][:n], b.U[p+s:][:n], b.U[p+2*s:][:n]
	residual := b.Residual[p:][:n]
	w0, w1, w2, w3, w4 := Damping*weights[0], Damping*weights[1], Damping*weights[2], Damping*weights[3], Damping*weights[4]
	for i := range residual {
		r := &residual[i]
		a, b, c, d, e := &u0[i], &u1[i], &u2[i], &u3[i], &u4[i]
		r[0] -= w0*a[0] + w1*b[0] + w2*c[0] + w3*d[0] + w4*e[0]
		r[1] -= w0*a[1] + w1*b[1] + w2*c[1] + w3*d[1] + w4*e[1]
		r[2] -= w0*a[2] + w1*b[2] + w2*c[2] + w3*d[2] + w4*e[2]
		r[3] -= w0*a[3] + w1*b[3] + w2*c[3] + w3*d[3] + w4*e[3]
		r[4] -= w0*a[4] + w1*b[4] + w2*c[4] + w3*d[4] + w4*e[4]
	}
}
