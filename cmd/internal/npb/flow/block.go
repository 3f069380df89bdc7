package flow

// border is how many points of the neighbours a block has around its own: as far as the fourth difference reaches.
const border = 2

// Block is a box of points of the grid with a border two points wide, which belongs to the neighbours.
type Block struct {
	// Points is the number of points of the whole grid in each direction. It is a cube.
	Points int
	// First is the place of the block's first point in the grid, and Size the number of its points, in x, y and z.
	First, Size [3]int
	// Stride is how far a point's neighbour in each direction is in the slices below. That in x is 1.
	Stride [3]int
	// U is the state of all points, Flow what follows from it, and Residual the change that U wants: 0 if it is steady,
	// and always 0 on the faces of the cube.
	U, Residual []State
	Flow        []Flow
	force       []State // makes the exact solution a steady state
	terms       Terms
}

// Flow is what follows from a state: 1/density, the velocity in x, y and z, and the kinetic energy of a unit of mass.
type Flow [5]float64

// NewBlock makes a block that is at the beginning of the benchmark. Its border is right where it is part of the grid.
func NewBlock(points int, first, size [3]int) *Block {
	b := &Block{Points: points, First: first, Size: size, terms: NewTerms(points)}
	n := 1
	for d, s := range size {
		b.Stride[d] = n
		n *= s + 2*border
	}
	b.U, b.Residual, b.force, b.Flow = make([]State, n), make([]State, n), make([]State, n), make([]Flow, n)
	b.fill(func(place [3]float64, _ bool) State { return Exact(place) })
	b.Differ()
	for i, r := range b.Residual {
		for m := range r {
			b.force[i][m] = -r[m]
		}
	}
	b.Reset()
	return b
}

// Reset brings the block back to the beginning.
func (b *Block) Reset() {
	b.fill(func(place [3]float64, inside bool) State {
		if inside {
			return Interpolated(place)
		}
		return Exact(place)
	})
}

// Index is where a point is in the slices. The block's first point is at 0, 0, 0.
func (b *Block) Index(x, y, z int) int {
	return x + border + (y+border)*b.Stride[1] + (z+border)*b.Stride[2]
}

// Inside is the range of points in a direction that are not on the faces of the cube: of their places in the block.
func (b *Block) Inside(d int) (from, to int) { return b.Within(d, 0, 1) }

// Within is the range of places in a direction that are in the block or at most margin outside, and in the grid at least
// edge from its faces.
func (b *Block) Within(d, margin, edge int) (from, to int) {
	return max(-margin, edge-b.First[d]), min(b.Size[d]+margin, b.Points-edge-b.First[d])
}

// place is where in the unit cube a point is, and whether it is not on a face.
func (b *Block) place(x, y, z int) (place [3]float64, inside bool) {
	inside = true
	for d, i := range [3]int{x, y, z} {
		i += b.First[d]
		place[d] = float64(i) / float64(b.Points-1)
		inside = inside && i > 0 && i < b.Points-1
	}
	return place, inside
}

// fill sets the state of all points of the block and of its border.
func (b *Block) fill(state func(place [3]float64, inside bool) State) {
	b.each(border, 0, func(x, y, z int) { b.U[b.Index(x, y, z)] = state(b.place(x, y, z)) })
}

// each calls do for all points of the block and a margin around it that are in the grid and at least edge from its faces.
func (b *Block) each(margin, edge int, do func(x, y, z int)) {
	x0, x1 := b.Within(0, margin, edge)
	y0, y1 := b.Within(1, margin, edge)
	z0, z1 := b.Within(2, margin, edge)
	for z := z0; z < z1; z++ {
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				do(x, y, z)
			}
		}
	}
}
