package mg

import (
	"context"
	"errors"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

const (
	tagUp   = 1
	tagDown = 2
)

// cube is how the ranks share a periodic cube: as a grid of ranks, whose parts are as nearly cubes as may be.
type cube struct {
	c *mpi.Comm
	// ranks are those in each direction, x, y and z, and place is this one's among them.
	ranks, place [3]int
}

// newCube makes a grid of all ranks of c, a power of two.
func newCube(c *mpi.Comm) cube {
	q := cube{c: c, ranks: shape(c.Size())}
	q.place = q.placeOf(c.Rank())
	return q
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

func (q cube) placeOf(rank int) [3]int {
	return [3]int{rank % q.ranks[0], rank / q.ranks[0] % q.ranks[1], rank / q.ranks[0] / q.ranks[1]}
}

// neighbour is the rank that is some steps away in a direction.
func (q cube) neighbour(d, steps int) int {
	place := q.place
	place[d] = (place[d] + steps + q.ranks[d]) % q.ranks[d]
	return (place[2]*q.ranks[1]+place[1])*q.ranks[0] + place[0]
}

// shared is a grid whose border comes from the neighbours, or from its own other end.
type shared struct {
	grid
	sides [3]side
}

// side is how the border in one direction is brought: what is sent below and above, and what is received from there.
// These are copies of faces, or the faces themselves.
type side struct {
	sent, received         [2][]float64
	sentCopy, receivedCopy bool
	requests               []*mpi.Request // persistent; none where the grid is its own neighbour
}

// share makes a grid of this rank's part with its border.
func (q cube) share(g grid) *shared {
	s := &shared{grid: g}
	for d := range s.sides {
		side, n, alone := &s.sides[d], g.size(d), q.ranks[d] == 1
		side.sentCopy, side.receivedCopy = d < 2, d < 2 || alone
		for end, faces := range [2][2]int{{1, 0}, {n, n + 1}} {
			if d == 2 { // these lie together in memory
				side.sent[end], side.received[end] = g.plane(faces[0]), g.plane(faces[1])
			} else {
				side.sent[end], side.received[end] = make([]float64, g.face(d)), make([]float64, g.face(d))
			}
		}
		if alone {
			side.received[0], side.received[1] = side.sent[1], side.sent[0]
			continue
		}
		below, above := q.neighbour(d, -1), q.neighbour(d, 1)
		side.requests = []*mpi.Request{
			nas.Value(mpi.RecvInit(q.c, side.received[0], below, tagUp)),
			nas.Value(mpi.RecvInit(q.c, side.received[1], above, tagDown)),
			nas.Value(mpi.SendInit(q.c, side.sent[0], below, tagDown)),
			nas.Value(mpi.SendInit(q.c, side.sent[1], above, tagUp)),
		}
	}
	return s
}

// exchange sets the border. Each direction has the points that those before it have brought, so that edges and corners
// come along.
func (s *shared) exchange() {
	for d := range s.sides {
		side, n := &s.sides[d], s.size(d)
		if side.sentCopy {
			s.take(d, 1, side.sent[0])
			s.take(d, n, side.sent[1])
		}
		nas.Must(mpi.StartAll(side.requests...))
		for _, request := range side.requests {
			nas.Value(request.Wait(context.Background()))
		}
		if side.receivedCopy {
			s.put(d, 0, side.received[0])
			s.put(d, n+1, side.received[1])
		}
	}
}

// free ends the requests.
func (s *shared) free() (err error) {
	for _, side := range s.sides {
		for _, request := range side.requests {
			err = errors.Join(err, request.Free())
		}
	}
	return err
}

// size is the number of points in a direction, without the border.
func (g grid) size(d int) int { return [3]int{g.x, g.y, g.z}[d] }

// face is the number of points of a face in a direction, with the border.
func (g grid) face(d int) int { return len(g.values) / (g.size(d) + 2) }

// plane is the face with a z.
func (g grid) plane(z int) []float64 {
	n := g.face(2)
	return g.values[z*n:][:n:n]
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
