package flow

// Rows calls do for each row of points inside the cube, in the order in which they are in memory: with the index of its first
// point, and their number.
func (b *Block) Rows(do func(first, n int)) { b.RowsWithin(0, 1, do) }

// RowsWithin is Rows of the points of the block and of a margin around it that are in the grid and at least edge from its faces.
func (b *Block) RowsWithin(margin, edge int, do func(first, n int)) {
	x0, x1 := b.Within(0, margin, edge)
	y0, y1 := b.Within(1, margin, edge)
	z0, z1 := b.Within(2, margin, edge)
	for z := z0; z < z1; z++ {
		for y := y0; y < y1; y++ {
			do(b.Index(x0, y, z), x1-x0)
		}
	}
}

// RowsBack is Rows in the opposite order.
func (b *Block) RowsBack(do func(first, n int)) {
	x0, x1 := b.Inside(0)
	y0, y1 := b.Inside(1)
	z0, z1 := b.Inside(2)
	for z := z1 - 1; z >= z0; z-- {
		for y := y1 - 1; y >= y0; y-- {
			do(b.Index(x0, y, z), x1-x0)
		}
	}
}

// Scale multiplies the residuals inside the cube.
func (b *Block) Scale(factor float64) {
	b.Rows(func(first, n int) {
		residual := b.Residual[first:][:n]
		for i := range residual {
			r := &residual[i]
			r[0] *= factor
			r[1] *= factor
			r[2] *= factor
			r[3] *= factor
			r[4] *= factor
		}
	})
}

// Add adds the residuals inside the cube to the states, times a factor.
func (b *Block) Add(factor float64) {
	b.Rows(func(first, n int) {
		residual := b.Residual[first:][:n]
		states := b.U[first:][:len(residual)]
		for i := range residual {
			u, r := &states[i], &residual[i]
			u[0] += factor * r[0]
			u[1] += factor * r[1]
			u[2] += factor * r[2]
			u[3] += factor * r[3]
			u[4] += factor * r[4]
		}
	})
}
