package mg

import "github.com/sctpmpi/sctpmpi/mpi"

const (
	tagUp   = 1
	tagDown = 2
)

// border is how a rank exchanges borders with its neighbours on a periodic grid of ranks.
type border struct {
	c *mpi.Comm
	// ranks are those in each direction, x, y and z, and place is this one's among them.
	ranks, place [3]int
	// below and above are the neighbours in each direction.
	below, above [3]int
	// sent and received have a face each.
	sent, received []float64
}

// newBorder makes a grid of all ranks of c, a power of two, whose parts of a cube are as nearly cubes as may be.
// The longest face has face points.
func newBorder(c *mpi.Comm, face int) *border {
	b := &border{c: c, ranks: shape(c.Size()), sent: make([]float64, face), received: make([]float64, face)}
	b.place = b.placeOf(c.Rank())
	for d := range b.ranks {
		below, above := b.place, b.place
		below[d] = (below[d] + b.ranks[d] - 1) % b.ranks[d]
		above[d] = (above[d] + 1) % b.ranks[d]
		b.below[d], b.above[d] = b.rankOf(below), b.rankOf(above)
	}
	return b
}

// shape is how many ranks there are in each direction.
func shape(ranks int) [3]int {
	n := [3]int{1, 1, 1}
	for d := 2; ranks > 1; d = (d + 2) % 3 { // z first, as planes of z lie together
		n[d] *= 2
		ranks /= 2
	}
	return n
}

func (b *border) rankOf(place [3]int) int {
	return (place[2]*b.ranks[1]+place[1])*b.ranks[0] + place[0]
}

func (b *border) placeOf(rank int) [3]int {
	return [3]int{rank % b.ranks[0], rank / b.ranks[0] % b.ranks[1], rank / b.ranks[0] / b.ranks[1]}
}

// exchange sets the border of a rank's part to the neighbours' points. Each direction has the points that those before it
// have brought, so that edges and corners come along.
func (b *border) exchange(g grid) error {
	for d, n := range [3]int{g.x, g.y, g.z} {
		if b.ranks[d] == 1 {
			b.wrap(g, d, n)
			continue
		}
		if err := b.shift(g, d, n, b.above[d], 0, b.below[d], tagUp); err != nil {
			return err
		}
		if err := b.shift(g, d, 1, b.below[d], n+1, b.above[d], tagDown); err != nil {
			return err
		}
	}
	return nil
}

// shift sends a face to one neighbour and receives one from the other.
func (b *border) shift(g grid, d, from, dest, to, source, tag int) error {
	sent, received := b.sent[:g.face(d)], b.received[:g.face(d)]
	if d == 2 { // these lie together in memory
		sent, received = g.plane(from), g.plane(to)
	} else {
		g.take(d, from, sent)
	}
	if _, err := mpi.Sendrecv(b.c, sent, dest, tag, received, source, tag); err != nil {
		return err
	}
	if d != 2 {
		g.put(d, to, received)
	}
	return nil
}

// wrapAll is exchange for a grid that each rank has whole.
func (b *border) wrapAll(g grid) {
	for d, n := range [3]int{g.x, g.y, g.z} {
		b.wrap(g, d, n)
	}
}

// wrap sets the border in a direction where the grid is its own neighbour.
func (b *border) wrap(g grid, d, n int) {
	face := b.sent[:g.face(d)]
	g.take(d, n, face)
	g.put(d, 0, face)
	g.take(d, 1, face)
	g.put(d, n+1, face)
}

// face is the number of points of a face in a direction, with the border.
func (g grid) face(d int) int { return len(g.values) / ([3]int{g.x, g.y, g.z}[d] + 2) }

// plane is the face with a z.
func (g grid) plane(z int) []float64 {
	n := g.face(2)
	return g.values[z*n:][:n]
}

// take copies the face with an index in a direction out of the grid.
func (g grid) take(d, index int, face []float64) {
	switch d {
	case 0:
		for i, row := 0, g.values[index:]; i < len(face); i++ {
			face[i] = row[i*(g.x+2)]
		}
	case 1:
		for z := range g.z + 2 {
			face = face[copy(face, g.row(index, z)):]
		}
	case 2:
		copy(face, g.plane(index))
	}
}

// put copies a face into the grid.
func (g grid) put(d, index int, face []float64) {
	switch d {
	case 0:
		for i, row := 0, g.values[index:]; i < len(face); i++ {
			row[i*(g.x+2)] = face[i]
		}
	case 1:
		for z := range g.z + 2 {
			face = face[copy(g.row(index, z), face):]
		}
	case 2:
		copy(g.plane(index), face)
	}
}
