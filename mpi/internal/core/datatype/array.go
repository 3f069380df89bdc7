package datatype

import "slices"

// Order says which index of an array runs fastest: the last one in C, the first one in Fortran.
type Order int64

const (
	OrderC Order = iota
	OrderFortran
)

// Distribution says how a dimension of an array is spread over processes.
type Distribution int64

const (
	// Block gives each process one block, Cyclic blocks in turn, Whole all of the dimension.
	Block Distribution = iota
	Cyclic
	Whole // MPI_DISTRIBUTE_NONE
)

// DefaultBlock is the block length that Darray chooses (MPI_DISTRIBUTE_DFLT_DARG).
const DefaultBlock = -1

// Subarray is the part of an array of old that begins at starts and has subsizes elements, by dimension. Its bounds are
// those of the whole array (section 5.1.3).
func Subarray(sizes, subsizes, starts []int64, order Order, old *Type) (*Type, error) {
	c := Contents{CombinerSubarray, integers(int64(len(sizes)), sizes, subsizes, starts, []int64{int64(order)}), nil, []*Type{old}}
	if err := c.check(); err != nil {
		return nil, err
	}
	if err := c.dimensions(order, sizes, subsizes, starts); err != nil {
		return nil, err
	}
	for i, size := range sizes {
		switch {
		case size < 1:
			return nil, invalid(ErrArg, "subarray: the array has %d elements in dimension %d", size, i)
		case subsizes[i] < 1 || subsizes[i] > size:
			return nil, invalid(ErrArg, "subarray: the part has %d elements in dimension %d, the array %d", subsizes[i], i, size)
		case starts[i] < 0 || starts[i] > size-subsizes[i]:
			return nil, invalid(ErrArg, "subarray: in dimension %d the part, %d elements from %d on, is not within the array's %d",
				i, subsizes[i], starts[i], size)
		}
	}
	return c.array(order, sizes, old, func(a *assembly, dimension int, s shape, stride int64) {
		a.add(s, a.builder.mul(starts[dimension], stride), subsizes[dimension], stride)
	})
}

// Darray is the part that process rank of size ones has of an array of old. The processes are a grid with its last
// dimension running fastest, whatever the order of the array (section 5.1.4). blocks are block lengths, or DefaultBlock.
func Darray(size, rank int64, sizes []int64, distributions []Distribution, blocks, grid []int64, order Order, old *Type) (*Type, error) {
	kinds := make([]int64, len(distributions))
	for i, d := range distributions {
		kinds[i] = int64(d)
	}
	c := Contents{CombinerDarray, slices.Concat([]int64{size, rank, int64(len(sizes))}, sizes, kinds, blocks, grid, []int64{int64(order)}), nil, []*Type{old}}
	if err := c.check(); err != nil {
		return nil, err
	}
	if err := c.dimensions(order, sizes, kinds, blocks, grid); err != nil {
		return nil, err
	}
	processes := int64(1)
	for i, n := range grid {
		if n < 1 {
			return nil, invalid(ErrArg, "darray: the grid has %d processes in dimension %d", n, i)
		}
		product, ok := multiply(processes, n)
		if processes = product; !ok || processes > size {
			return nil, invalid(ErrArg, "darray: a grid of %v has more than %d processes", grid, size)
		}
	}
	if processes != size {
		return nil, invalid(ErrArg, "darray: a grid of %v has %d processes, not %d", grid, processes, size)
	}
	if rank < 0 || rank >= size {
		return nil, invalid(ErrArg, "darray: rank %d is not one of %d", rank, size)
	}
	parts := make([]part, len(sizes))
	for i := range slices.Backward(sizes) {
		var err error
		if parts[i], err = spread(i, sizes[i], distributions[i], blocks[i], grid[i], rank%grid[i]); err != nil {
			return nil, err
		}
		rank /= grid[i]
	}
	return c.array(order, sizes, old, func(a *assembly, dimension int, s shape, stride int64) {
		p := parts[dimension]
		block := a.times(s, p.block, stride)
		a.add(block, a.builder.mul(p.first, stride), p.blocks, a.builder.mul(p.step, stride))
		last := a.builder.mul(a.builder.add(p.first, a.builder.mul(p.blocks, p.step)), stride)
		a.add(s, last, p.rest, stride)
	})
}

// part is what a process has of a dimension: blocks whole ones, each step elements, and the rest of one.
type part struct {
	first, block, blocks, step, rest int64
}

func spread(dimension int, size int64, d Distribution, block, processes, at int64) (part, error) {
	if size < 1 {
		return part{}, invalid(ErrArg, "darray: the array has %d elements in dimension %d", size, dimension)
	}
	if block != DefaultBlock && block < 1 {
		return part{}, invalid(ErrArg, "darray: the block length of dimension %d is %d", dimension, block)
	}
	switch {
	case d == Whole && processes != 1:
		return part{}, invalid(ErrArg, "darray: dimension %d is not distributed, but the grid has %d processes there", dimension, processes)
	case d == Whole:
		block = size
	case d == Block && block == DefaultBlock:
		block = (size-1)/processes + 1
	case d == Block && block < (size-1)/processes+1:
		return part{}, invalid(ErrArg, "darray: dimension %d has %d elements, more than the %d blocks of %d hold", dimension, size, processes, block)
	case d == Cyclic && block == DefaultBlock:
		block = 1
	case d != Block && d != Cyclic:
		return part{}, invalid(ErrArg, "darray: dimension %d has an unknown distribution (%d)", dimension, d)
	}
	block = min(block, size) // a longer one has the same effect, and its multiples might not fit
	step, fits := multiply(block, processes)
	first, ok := multiply(block, at)
	if !ok || first >= size {
		return part{}, nil
	}
	left := size - first
	if !fits || step >= left { // this process has one block
		if left >= block {
			return part{first: first, block: block, blocks: 1}, nil
		}
		return part{first: first, block: block, rest: left}, nil
	}
	p := part{first: first, block: block, step: step, blocks: left / step}
	if left %= step; left >= block {
		p.blocks++
	} else {
		p.rest = left
	}
	return p, nil
}

// dimensions checks that there is a value of each kind for each dimension.
func (c Contents) dimensions(order Order, sizes []int64, more ...[]int64) error {
	if len(sizes) == 0 {
		return invalid(ErrArg, "%v: the array has no dimensions", c.Combiner)
	}
	for _, values := range more {
		if len(values) != len(sizes) {
			return invalid(ErrArg, "%v: the array has %d dimensions, but one argument has %d values", c.Combiner, len(sizes), len(values))
		}
	}
	if order != OrderC && order != OrderFortran {
		return invalid(ErrArg, "%v: unknown order (%d)", c.Combiner, order)
	}
	return nil
}

// array makes a part of an array, dimension by dimension, the fastest first.
func (c Contents) array(order Order, sizes []int64, old *Type, choose func(a *assembly, dimension int, s shape, stride int64)) (*Type, error) {
	var a assembly
	s, stride := shape{list: old.list}, old.extent()
	for i := range sizes {
		dimension := i
		if order == OrderC {
			dimension = len(sizes) - 1 - i
		}
		a = assembly{builder: a.builder}
		choose(&a, dimension, s, stride)
		s = shape{list: a.list(a.loops)}
		stride = a.builder.mul(stride, sizes[dimension])
	}
	a = assembly{builder: a.builder}
	a.add(s, 0, 1, 0)
	a.mark(lower|upper, 0, stride)
	return a.finish(c)
}
