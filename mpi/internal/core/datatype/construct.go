package datatype

import "slices"

// Contiguous is count elements of old, one after the other.
func Contiguous(count int64, old *Type) (*Type, error) {
	c := Contents{CombinerContiguous, []int64{count}, nil, []*Type{old}}
	if err := c.check(count); err != nil {
		return nil, err
	}
	var a assembly
	a.add(old.shape, 0, count, old.extent())
	return a.finish(c)
}

// Vector is count blocks of blockLength elements of old. From the beginning of one block to that of the next are stride
// elements.
func Vector(count, blockLength, stride int64, old *Type) (*Type, error) {
	c := Contents{CombinerVector, []int64{count, blockLength, stride}, nil, []*Type{old}}
	if err := c.check(count, blockLength); err != nil {
		return nil, err
	}
	var a assembly
	bytes := int64(0)
	if count > 1 { // else any stride will do
		bytes = a.builder.mul(stride, old.extent())
	}
	return a.vector(c, count, blockLength, bytes, old)
}

// Hvector is Vector with a stride in bytes.
func Hvector(count, blockLength, stride int64, old *Type) (*Type, error) {
	c := Contents{CombinerHvector, []int64{count, blockLength}, []int64{stride}, []*Type{old}}
	if err := c.check(count, blockLength); err != nil {
		return nil, err
	}
	var a assembly
	return a.vector(c, count, blockLength, stride, old)
}

func (a *assembly) vector(c Contents, count, blockLength, stride int64, old *Type) (*Type, error) {
	a.add(a.times(old.shape, blockLength, old.extent()), 0, count, stride)
	return a.finish(c)
}

// Indexed is blocks of blockLengths elements of old, at displacements in elements.
func Indexed(blockLengths, displacements []int64, old *Type) (*Type, error) {
	c := Contents{CombinerIndexed, integers(int64(len(blockLengths)), blockLengths, displacements), nil, []*Type{old}}
	if err := c.check(blockLengths...); err != nil {
		return nil, err
	}
	return indexed(c, blockLengths, displacements, old.extent(), old)
}

// Hindexed is Indexed with displacements in bytes.
func Hindexed(blockLengths, displacements []int64, old *Type) (*Type, error) {
	c := Contents{CombinerHindexed, integers(int64(len(blockLengths)), blockLengths), slices.Clone(displacements), []*Type{old}}
	if err := c.check(blockLengths...); err != nil {
		return nil, err
	}
	return indexed(c, blockLengths, displacements, 1, old)
}

func indexed(c Contents, blockLengths, displacements []int64, unit int64, old *Type) (*Type, error) {
	if len(blockLengths) != len(displacements) {
		return nil, invalid(ErrArg, "%v: there are %d block lengths and %d displacements", c.Combiner, len(blockLengths), len(displacements))
	}
	var a assembly
	for i, n := range blockLengths {
		a.add(old.shape, a.builder.mul(displacements[i], unit), n, old.extent())
	}
	return a.finish(c)
}

// IndexedBlock is blocks of blockLength elements of old, at displacements in elements.
func IndexedBlock(blockLength int64, displacements []int64, old *Type) (*Type, error) {
	c := Contents{CombinerIndexedBlock, append([]int64{int64(len(displacements)), blockLength}, displacements...), nil, []*Type{old}}
	if err := c.check(blockLength); err != nil {
		return nil, err
	}
	return c.indexedBlock(blockLength, displacements, old.extent(), old)
}

// HindexedBlock is IndexedBlock with displacements in bytes.
func HindexedBlock(blockLength int64, displacements []int64, old *Type) (*Type, error) {
	c := Contents{CombinerHindexedBlock, []int64{int64(len(displacements)), blockLength}, slices.Clone(displacements), []*Type{old}}
	if err := c.check(blockLength); err != nil {
		return nil, err
	}
	return c.indexedBlock(blockLength, displacements, 1, old)
}

func (c Contents) indexedBlock(blockLength int64, displacements []int64, unit int64, old *Type) (*Type, error) {
	var a assembly
	block := a.times(old.shape, blockLength, old.extent())
	for _, disp := range displacements {
		a.add(block, a.builder.mul(disp, unit), 1, 0)
	}
	return a.finish(c)
}

// Struct is blocks of blockLengths elements of types, at displacements in bytes. If no type has been resized the extent is
// that of the struct in C.
func Struct(blockLengths, displacements []int64, types []*Type) (*Type, error) {
	c := Contents{CombinerStruct, integers(int64(len(blockLengths)), blockLengths), slices.Clone(displacements), slices.Clone(types)}
	if err := c.check(blockLengths...); err != nil {
		return nil, err
	}
	if len(blockLengths) != len(displacements) || len(blockLengths) != len(types) {
		return nil, invalid(ErrArg, "struct: there are %d block lengths, %d displacements and %d types",
			len(blockLengths), len(displacements), len(types))
	}
	var a assembly
	for i, n := range blockLengths {
		a.add(types[i].shape, displacements[i], n, types[i].extent())
	}
	return a.finish(c)
}

// Resized is old with another lower bound and extent, in bytes. The extent may be negative.
func Resized(old *Type, lowerBound, extent int64) (*Type, error) {
	c := Contents{CombinerResized, nil, []int64{lowerBound, extent}, []*Type{old}}
	if err := c.check(); err != nil {
		return nil, err
	}
	var a assembly
	a.loops = a.place(a.loops, old.list, 0, 1, 0)
	a.mark(lower|upper, lowerBound, a.builder.add(lowerBound, extent))
	return a.finish(c)
}

// Dup is another type like t. It is committed if t is, and has no name of its own.
func Dup(old *Type) (*Type, error) {
	c := Contents{CombinerDup, nil, nil, []*Type{old}}
	if err := c.check(); err != nil {
		return nil, err
	}
	t := &Type{shape: old.shape, unit: old.unit, item: old.item, padded: old.padded, loose: old.loose, contents: c}
	if old.Committed() {
		t.Commit()
	}
	return t, nil
}

// check refuses missing types and negative counts.
func (c Contents) check(counts ...int64) error {
	for i, t := range c.Types {
		if t == nil {
			return invalid(ErrType, "%v: type %d is missing", c.Combiner, i)
		}
	}
	for i, n := range counts {
		switch {
		case n >= 0:
		case c.Combiner == CombinerIndexed || c.Combiner == CombinerHindexed || c.Combiner == CombinerStruct:
			return invalid(ErrArg, "%v: the block length %d is %d", c.Combiner, i, n)
		case i == 1 || c.Combiner == CombinerIndexedBlock || c.Combiner == CombinerHindexedBlock:
			return invalid(ErrArg, "%v: the block length is %d", c.Combiner, n)
		default:
			return invalid(ErrCount, "%v: the count is %d", c.Combiner, n)
		}
	}
	return nil
}

func integers(first int64, more ...[]int64) []int64 {
	return slices.Concat(append([][]int64{{first}}, more...)...)
}
