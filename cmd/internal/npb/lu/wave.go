package lu

import (
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/flow"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

const (
	tagLower = 3
	tagUpper = 4
)

// wave brings what a triangular system has solved from the ranks before to those behind: for each plane of z the points next
// to the neighbours in x and in y. That is a message of 40 bytes for each of them.
type wave struct {
	c            *mpi.Comm
	below, above [2]int // ranks in x and y, ProcNull beyond the grid
	column       []flow.State
}

// lower solves (D + ωL)·v = residual, D the diagonal and L what is below it, and leaves v in the residual.
func (s *solver) lower() {
	b := s.block
	x0, x1 := b.Inside(0)
	y0, y1 := b.Inside(1)
	z0, z1 := b.Inside(2)
	for z := z0; z < z1; z++ {
		s.wave.receive(b, s.wave.below, tagLower, x0-1, y0-1, z)
		for y := y0; y < y1; y++ {
			row := b.Index(x0, y, z)
			for p := row; p < row+x1-x0; p++ {
				var sum flow.State
				for d, stride := range b.Stride {
					q := p - stride
					s.coupling.add(&sum, &b.U[q], &b.Flow[q], &b.Residual[q], d, -1)
				}
				r := &b.Residual[p]
				for m := range r {
					r[m] -= sum[m]
				}
				s.coupling.divide(r, &b.U[p], &b.Flow[p])
			}
		}
		s.wave.send(b, s.wave.above, tagLower, x1-1, y1-1, z)
	}
}

// upper solves (D + ωU)·w = D·v, U what is above the diagonal, and leaves w in the residual.
func (s *solver) upper() {
	b := s.block
	x0, x1 := b.Inside(0)
	y0, y1 := b.Inside(1)
	z0, z1 := b.Inside(2)
	for z := z1 - 1; z >= z0; z-- {
		s.wave.receive(b, s.wave.above, tagUpper, x1, y1, z)
		for y := y1 - 1; y >= y0; y-- {
			row := b.Index(x0, y, z)
			for p := row + x1 - x0 - 1; p >= row; p-- {
				var sum flow.State
				for d, stride := range b.Stride {
					q := p + stride
					s.coupling.add(&sum, &b.U[q], &b.Flow[q], &b.Residual[q], d, 1)
				}
				s.coupling.divide(&sum, &b.U[p], &b.Flow[p])
				r := &b.Residual[p]
				for m := range r {
					r[m] -= sum[m]
				}
			}
		}
		s.wave.send(b, s.wave.below, tagUpper, x0, y0, z)
	}
}

// receive sets the border of a plane at x and at y.
func (w *wave) receive(b *flow.Block, from [2]int, tag, x, y, z int) {
	if from[0] != mpi.ProcNull {
		nas.Value(mpi.Recv(w.c, w.column, from[0], tag))
		for i, v := range w.column {
			b.Residual[b.Index(x, i, z)] = v
		}
	}
	if from[1] != mpi.ProcNull {
		nas.Value(mpi.Recv(w.c, b.Residual[b.Index(0, y, z):][:b.Size[0]], from[1], tag))
	}
}

// send sends a plane's points at x and at y.
func (w *wave) send(b *flow.Block, to [2]int, tag, x, y, z int) {
	if to[0] != mpi.ProcNull {
		for i := range w.column {
			w.column[i] = b.Residual[b.Index(x, i, z)]
		}
		nas.Must(mpi.Send(w.c, w.column, to[0], tag))
	}
	if to[1] != mpi.ProcNull {
		nas.Must(mpi.Send(w.c, b.Residual[b.Index(0, y, z):][:b.Size[0]], to[1], tag))
	}
}
