package flow

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

// Exchange brings the borders of a rank's blocks from its neighbours. The neighbours of all blocks in a direction are those
// of the same rank, so that one message has the borders of all.
type Exchange struct{ sides []side }

// side is what goes one way in one direction.
type side struct {
	d              int
	up             bool
	to, from       []*Block // whose own points are sent, and whose border is received
	sent, received []State
	requests       [2]*mpi.Request // persistent
}

// NewExchange is for blocks in the ascending order of their places in each direction. Neighbours are the ranks below and
// above in x, y and z; they are not used where no block has a neighbour there. Only the directions that are named take part.
func NewExchange(c *mpi.Comm, blocks [3][]*Block, below, above [3]int) *Exchange {
	e := &Exchange{}
	for d := range 3 {
		for _, up := range []bool{true, false} {
			s := side{d: d, up: up}
			for _, b := range blocks[d] {
				lowest, highest := b.First[d] == 0, b.First[d]+b.Size[d] == b.Points
				if up && !highest || !up && !lowest {
					s.to = append(s.to, b)
				}
				if up && !lowest || !up && !highest {
					s.from = append(s.from, b)
				}
			}
			e.add(c, s, below[d], above[d])
		}
	}
	return e
}

// add makes the requests of a side.
func (e *Exchange) add(c *mpi.Comm, s side, below, above int) {
	dest, source, tag := above, below, tagUp
	if !s.up {
		dest, source, tag = below, above, tagDown
	}
	s.sent, s.received = make([]State, faces(s.to, s.d)), make([]State, faces(s.from, s.d))
	if len(s.received) > 0 {
		s.requests[0] = nas.Value(mpi.RecvInit(c, s.received, source, tag))
	}
	if len(s.sent) > 0 {
		s.requests[1] = nas.Value(mpi.SendInit(c, s.sent, dest, tag))
	}
	e.sides = append(e.sides, s)
}

// faces is the number of points in one border of all blocks in direction d.
func faces(blocks []*Block, d int) (n int) {
	for _, b := range blocks {
		n += border * b.Size[(d+1)%3] * b.Size[(d+2)%3]
	}
	return n
}

// Borders sets the borders of all blocks to the states of the neighbours. Edges and corners of the border stay as they are:
// no difference has them.
func (e *Exchange) Borders() {
	for i := range e.sides {
		s := &e.sides[i]
		face := s.sent
		for _, b := range s.to {
			from := 0
			if s.up {
				from = b.Size[s.d] - border
			}
			face = b.slab(s.d, from, face, take)
		}
		for _, request := range s.requests {
			if request != nil {
				nas.Must(request.Start())
			}
		}
	}
	for i := range e.sides {
		s := &e.sides[i]
		for _, request := range s.requests {
			nas.Value(request.Wait(context.Background()))
		}
		face := s.received
		for _, b := range s.from {
			to := -border
			if !s.up {
				to = b.Size[s.d]
			}
			face = b.slab(s.d, to, face, put)
		}
	}
}

func take(state, face []State) { copy(face, state) }
func put(state, face []State)  { copy(state, face) }

// slab moves as many points as a border has, from a place in direction d on, and returns the rest of face.
func (b *Block) slab(d, from int, face []State, move func(state, face []State)) []State {
	var first, size [3]int
	size = b.Size
	first[d], size[d] = from, border
	for z := range size[2] {
		for y := range size[1] {
			row := b.Index(first[0], first[1]+y, first[2]+z)
			move(b.U[row:][:size[0]], face)
			face = face[size[0]:]
		}
	}
	return face
}

// Free ends the requests.
func (e *Exchange) Free() (err error) {
	for _, s := range e.sides {
		for _, request := range s.requests {
			if request != nil {
				err = errors.Join(err, request.Free())
			}
		}
	}
	return err
}
