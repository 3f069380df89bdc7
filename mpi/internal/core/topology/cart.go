package topology

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Cart is a grid of processes (section 8.5.1). Ranks are in row-major order: the last coordinate changes first. Without dimensions
// it has one process.
type Cart struct {
	dims    []int
	periods []bool
	size    int
}

// NewCart makes a grid. periods tells for each dimension whether its ends are neighbours.
func NewCart(op string, dims []int, periods []bool) (*Cart, *mpierr.Error) {
	if len(periods) != len(dims) {
		return nil, mpierr.Invalid(op, rpi.ErrArg, "there are %s for %s", mpierr.Plural(len(periods), "period"), mpierr.Plural(len(dims), "dimension"))
	}
	size := 1
	for i, d := range dims {
		if d < 1 {
			return nil, mpierr.Invalid(op, rpi.ErrDims, "dimension %d is %d; it must be positive", i, d)
		}
		if d > maxSize/size {
			return nil, mpierr.Invalid(op, rpi.ErrDims, "a grid of %v has more than %d processes", dims, maxSize)
		}
		size *= d
	}
	return &Cart{slices.Clone(dims), slices.Clone(periods), size}, nil
}

// Size is the number of processes.
func (c *Cart) Size() int { return c.size }

// Get returns copies of what the grid was made of.
func (c *Cart) Get() (dims []int, periods []bool) {
	return slices.Clone(c.dims), slices.Clone(c.periods)
}

// Coords returns the coordinates of a rank (MPI_CART_COORDS; section 8.5.5).
func (c *Cart) Coords(op string, rank int) ([]int, *mpierr.Error) {
	if err := member(op, rank, c.size); err != nil {
		return nil, err
	}
	coords := make([]int, len(c.dims))
	for i := len(coords) - 1; i >= 0; i-- {
		coords[i] = rank % c.dims[i]
		rank /= c.dims[i]
	}
	return coords, nil
}

// Rank returns the rank with the given coordinates (MPI_CART_RANK; section 8.5.5). In a periodic dimension they may be any number.
func (c *Cart) Rank(op string, coords []int) (int, *mpierr.Error) {
	if len(coords) != len(c.dims) {
		return 0, mpierr.Invalid(op, rpi.ErrArg, "there are %s for %s", mpierr.Plural(len(coords), "coordinate"), mpierr.Plural(len(c.dims), "dimension"))
	}
	rank := 0
	for i, at := range coords {
		d := c.dims[i]
		if c.periods[i] {
			at = (at%d + d) % d
		}
		if at < 0 || at >= d {
			return 0, mpierr.Invalid(op, rpi.ErrArg, "coordinate %d is %d; the dimension is not periodic and has %s", i, at, mpierr.Plural(d, "place"))
		}
		rank = rank*d + at
	}
	return rank, nil
}

// Shift returns the ranks by places before and after rank in a dimension, ProcNull beyond a border (MPI_CART_SHIFT; section 8.5.6).
func (c *Cart) Shift(op string, rank, dimension, by int) (source, dest int, err *mpierr.Error) {
	if dimension < 0 || dimension >= len(c.dims) {
		return 0, 0, mpierr.Invalid(op, rpi.ErrArg, "dimension %d is not one of %s", dimension, mpierr.Plural(len(c.dims), "dimension"))
	}
	if err := member(op, rank, c.size); err != nil {
		return 0, 0, err
	}
	stride := 1
	for _, d := range c.dims[dimension+1:] {
		stride *= d
	}
	return c.move(rank, dimension, stride, by, false), c.move(rank, dimension, stride, by, true), nil
}

// move returns the rank that is by places on in a dimension, or back. Neighbours there differ by stride.
func (c *Cart) move(rank, dimension, stride, by int, on bool) int {
	d := c.dims[dimension]
	at := rank / stride % d
	switch {
	case c.periods[dimension]:
		by %= d
		if !on {
			by = -by
		}
		return rank + ((at+by+d)%d-at)*stride
	case by > -d && by < d: // else it is beyond the border, and -by may be no number
		if !on {
			by = -by
		}
		if at+by >= 0 && at+by < d {
			return rank + by*stride
		}
	}
	return ProcNull
}

// Neighbors implements Topology: for each dimension, the neighbour before a rank and the one after it.
func (c *Cart) Neighbors(rank int) (sources, destinations []int32) {
	all := make([]int32, 2*len(c.dims))
	stride := 1
	for i := len(c.dims) - 1; i >= 0; i-- {
		all[2*i] = int32(c.move(rank, i, stride, 1, false))
		all[2*i+1] = int32(c.move(rank, i, stride, 1, true))
		stride *= c.dims[i]
	}
	return all, all
}

// Sub returns the grid of the dimensions that remain, and where rank is (MPI_CART_SUB; section 8.5.7): processes with the same
// color, a number made of their other coordinates, are one grid, and place is their rank there.
func (c *Cart) Sub(op string, rank int, remain []bool) (sub *Cart, color, place int, err *mpierr.Error) {
	if len(remain) != len(c.dims) {
		return nil, 0, 0, mpierr.Invalid(op, rpi.ErrArg, "it is said of %s whether they remain; there are %d", mpierr.Plural(len(remain), "dimension"), len(c.dims))
	}
	coords, err := c.Coords(op, rank)
	if err != nil {
		return nil, 0, 0, err
	}
	sub = &Cart{size: 1}
	for i, d := range c.dims {
		if remain[i] {
			sub.dims, sub.periods, sub.size = append(sub.dims, d), append(sub.periods, c.periods[i]), sub.size*d
			place = place*d + coords[i]
		} else {
			color = color*d + coords[i]
		}
	}
	return sub, color, place, nil
}
