package mg

// grid is a function on a block of points, with a border one point wide, which belongs to the neighbours. Point 1 is the
// block's first.
type grid struct {
	x, y, z int // points in each direction, without the border
	values  []float64
}

func newGrid(x, y, z int) grid { return grid{x, y, z, make([]float64, (x+2)*(y+2)*(z+2))} }

// row is the points of a y and a z, with the border.
func (g grid) row(y, z int) []float64 {
	n := g.x + 2
	return g.values[(z*(g.y+2)+y)*n:][:n:n]
}

// weights are those of a point in a stencil of 27, of its 6 nearest neighbours, of the 12 across an edge and of the 8 across
// a corner.
type weights [4]float64

var (
	// laplace is minus the operator of Poisson's equation.
	laplace = weights{8. / 3, 0, -1. / 6, -1. / 12}
	// mean makes a value of the coarse grid.
	mean = weights{1. / 2, 1. / 4, 1. / 8, 1. / 16}
)

// rows is space for sums of rows.
type rows struct{ near, far []float64 }

func newRows(x int) rows { return rows{make([]float64, x+2), make([]float64, x+2)} }

// add sums up the rows around that of y and z: the four nearest, and the four across an edge.
func (s rows) add(g grid, y, z int) (near, far []float64) {
	n := g.x + 2
	near, far = s.near[:n], s.far[:n]
	a, b, c, d := g.row(y-1, z)[:n], g.row(y+1, z)[:n], g.row(y, z-1)[:n], g.row(y, z+1)[:n]
	for i := range near {
		near[i] = a[i] + b[i] + c[i] + d[i]
	}
	a, b, c, d = g.row(y-1, z-1)[:n], g.row(y+1, z-1)[:n], g.row(y-1, z+1)[:n], g.row(y+1, z+1)[:n]
	for i := range far {
		far[i] = a[i] + b[i] + c[i] + d[i]
	}
	return near, far
}

// apply sets result to base plus the stencil of g. Base may be result itself.
func apply(result, base, g grid, w weights, space rows) {
	for z := 1; z <= g.z; z++ {
		for y := 1; y <= g.y; y++ {
			near, far := space.add(g, y, z)
			row := g.row(y, z)
			to, from := result.row(y, z), base.row(y, z)
			near, far, to, from = near[:len(row)], far[:len(row)], to[:len(row)], from[:len(row)]
			for i := 1; i < len(row)-1; i++ {
				to[i] = from[i] + w[0]*row[i] + w[1]*(row[i-1]+row[i+1]+near[i]) +
					w[2]*(near[i-1]+near[i+1]+far[i]) + w[3]*(far[i-1]+far[i+1])
			}
		}
	}
}

// coarsen sets coarse to the means of fine. Point i of the coarse grid is point 2i of the fine one.
func coarsen(coarse, fine grid, space rows) {
	for z := 1; z <= coarse.z; z++ {
		for y := 1; y <= coarse.y; y++ {
			near, far := space.add(fine, 2*y, 2*z)
			row, to := fine.row(2*y, 2*z), coarse.row(y, z)
			for i := 1; i <= coarse.x; i++ {
				k := 2 * i
				to[i] = mean[0]*row[k] + mean[1]*(row[k-1]+row[k+1]+near[k]) +
					mean[2]*(near[k-1]+near[k+1]+far[k]) + mean[3]*(far[k-1]+far[k+1])
			}
		}
	}
}

// refine adds coarse to fine: to points between those of the coarse grid the mean of the nearest. If the coarse grid's
// border is right and the fine one's was, it is right afterwards.
func refine(fine, coarse grid, space rows) {
	sum := space.near[:coarse.x+2]
	for z := 0; z <= fine.z+1; z++ {
		for y := 0; y <= fine.y+1; y++ {
			// The four rows are one or two or four different ones.
			a, b := coarse.row(y/2, z/2), coarse.row((y+1)/2, z/2)
			c, d := coarse.row(y/2, (z+1)/2), coarse.row((y+1)/2, (z+1)/2)
			for i := range sum {
				sum[i] = 0.25 * (a[i] + b[i] + c[i] + d[i])
			}
			to := fine.row(y, z)
			for i, v := range sum[:len(sum)-1] {
				to[2*i] += v
				to[2*i+1] += 0.5 * (v + sum[i+1])
			}
		}
	}
}

// square is the sum of the squares of all points.
func (g grid) square() (sum float64) {
	for z := 1; z <= g.z; z++ {
		for y := 1; y <= g.y; y++ {
			part := 0.
			for _, v := range g.row(y, z)[1 : g.x+1] {
				part += v * v
			}
			sum += part
		}
	}
	return sum
}
