package datatype

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func must(t *Type, err error) *Type {
	if err != nil {
		panic(err)
	}
	return t
}

// Wrong arguments are refused in the program's terms, and by class.
func TestWrongArguments(t *testing.T) {
	f := Basic(Float64)
	huge := must(Contiguous(math.MaxInt64/8, f))
	two := []int64{2, 2}
	whole := []Distribution{Whole, Whole}
	for _, test := range []struct {
		class error
		text  string
		make  func() (*Type, error)
	}{
		{ErrCount, "contiguous: the count is -1", func() (*Type, error) { return Contiguous(-1, f) }},
		{ErrType, "contiguous: type 0 is missing", func() (*Type, error) { return Contiguous(1, nil) }},
		{ErrType, "indexed block: type 0 is missing", func() (*Type, error) { return IndexedBlock(1, two, nil) }},
		{ErrCount, "vector: the count is -2", func() (*Type, error) { return Vector(-2, 1, 1, f) }},
		{ErrArg, "vector: the block length is -3", func() (*Type, error) { return Vector(1, -3, 1, f) }},
		{ErrArg, "hvector: the block length is -3", func() (*Type, error) { return Hvector(1, -3, 1, f) }},
		{ErrArg, "indexed: the block length 1 is -4", func() (*Type, error) { return Indexed([]int64{0, -4}, two, f) }},
		{ErrArg, "indexed: there are 1 block lengths and 2 displacements", func() (*Type, error) { return Indexed([]int64{1}, two, f) }},
		{ErrArg, "hindexed: there are 3 block lengths and 2 displacements", func() (*Type, error) { return Hindexed(make([]int64, 3), two, f) }},
		{ErrArg, "hindexed block: the block length is -1", func() (*Type, error) { return HindexedBlock(-1, two, f) }},
		{ErrArg, "struct: the block length 0 is -1", func() (*Type, error) { return Struct([]int64{-1}, []int64{0}, []*Type{f}) }},
		{ErrArg, "struct: there are 2 block lengths, 1 displacements and 1 types", func() (*Type, error) { return Struct(two, []int64{0}, []*Type{f}) }},
		{ErrArg, "does not fit into 64 bits", func() (*Type, error) { return Contiguous(2, huge) }},
		{ErrArg, "vector: the type is too large", func() (*Type, error) { return Vector(2, 1, math.MaxInt64/4, f) }},
		{ErrArg, "does not fit into 64 bits", func() (*Type, error) { return Hindexed([]int64{1}, []int64{math.MaxInt64 - 7}, f) }},
		{ErrArg, "does not fit into 64 bits", func() (*Type, error) { return Hindexed([]int64{1, 1}, []int64{math.MinInt64, 0}, f) }},
		{ErrArg, "does not fit into 64 bits", func() (*Type, error) { return Resized(f, math.MaxInt64, 1) }},
		{ErrArg, "subarray: the array has no dimensions", func() (*Type, error) { return Subarray(nil, nil, nil, OrderC, f) }},
		{ErrArg, "the array has 2 dimensions, but one argument has 1 values", func() (*Type, error) { return Subarray(two, two, []int64{0}, OrderC, f) }},
		{ErrArg, "the array has 0 elements in dimension 0", func() (*Type, error) { return Subarray([]int64{0}, []int64{1}, []int64{0}, OrderC, f) }},
		{ErrArg, "the part has 3 elements in dimension 1, the array 2", func() (*Type, error) { return Subarray(two, []int64{1, 3}, []int64{0, 0}, OrderC, f) }},
		{ErrArg, "in dimension 0 the part, 2 elements from 1 on, is not within the array's 2",
			func() (*Type, error) { return Subarray(two, two, []int64{1, 0}, OrderC, f) }},
		{ErrArg, "subarray: unknown order (7)", func() (*Type, error) { return Subarray(two, two, []int64{0, 0}, 7, f) }},
		{ErrArg, "a grid of [2 2] has 4 processes, not 5", func() (*Type, error) { return Darray(5, 0, two, whole, two, two, OrderC, f) }},
		{ErrArg, "a grid of [2 2] has more than 3 processes", func() (*Type, error) { return Darray(3, 0, two, whole, two, two, OrderC, f) }},
		{ErrArg, "darray: rank 4 is not one of 4", func() (*Type, error) { return Darray(4, 4, two, whole, two, two, OrderC, f) }},
		{ErrArg, "dimension 1 is not distributed, but the grid has 2 processes there", func() (*Type, error) { return Darray(4, 0, two, whole, two, two, OrderC, f) }},
		{ErrArg, "dimension 0 has 9 elements, more than the 2 blocks of 3 hold",
			func() (*Type, error) {
				return Darray(2, 0, []int64{9}, []Distribution{Block}, []int64{3}, []int64{2}, OrderC, f)
			}},
		{ErrArg, "the block length of dimension 0 is 0",
			func() (*Type, error) {
				return Darray(2, 0, []int64{9}, []Distribution{Cyclic}, []int64{0}, []int64{2}, OrderC, f)
			}},
		{ErrArg, "dimension 0 has an unknown distribution (9)",
			func() (*Type, error) {
				return Darray(2, 0, []int64{9}, []Distribution{9}, []int64{1}, []int64{2}, OrderC, f)
			}},
	} {
		made, err := test.make()
		require.Nil(t, made, test.text)
		require.ErrorContains(t, err, test.text)
		require.ErrorIs(t, err, test.class)
	}
	_, err := f.Bytes(-1)
	require.ErrorIs(t, err, ErrCount)
	_, _, err = f.Span(math.MaxInt64 / 4)
	require.ErrorIs(t, err, ErrCount)
	_, _, err = must(Resized(f, 0, math.MaxInt64/2)).Span(4)
	require.ErrorContains(t, err, "4 elements with an extent of 4611686018427387903 bytes do not fit into memory")
}

// Constructors that add nothing make no tree deeper, and those that do come to an end.
func TestNestedTypes(t *testing.T) {
	made := Basic(Float64)
	for range 1000 {
		made = must(Dup(must(Contiguous(1, must(Resized(made, 0, 16))))))
	}
	require.Equal(t, Basic(Float64).list, made.list)
	levels := 0
	for ; ; levels++ {
		next, err := Struct([]int64{1, 2}, []int64{0, 16}, []*Type{Basic(Int16), made})
		if err != nil {
			require.ErrorContains(t, err, "does not fit into 64 bits")
			break
		}
		made = next
	}
	made.Commit()
	require.Greater(t, levels, 40)
	packed := make([]byte, 10)
	source := make([]byte, 4096)
	require.Equal(t, 10, made.Pack(packed, unsafe.Pointer(&source[0]), 1, 0))
}

// The layouts that C compilers give these structs on 64-bit machines.
func TestLayoutsOfC(t *testing.T) {
	for kind, want := range map[Kind][2]int64{ // size, extent
		FloatInt: {8, 8}, DoubleInt: {12, 16}, LongInt: {12, 16}, TwoInt: {8, 8}, ShortInt: {6, 8}, LongDoubleInt: {20, 32},
		TwoFloat: {8, 8}, TwoDouble: {16, 16},
	} {
		require.Equal(t, want, [2]int64{Basic(kind).Size(), Basic(kind).Extent()}, kind)
		require.Equal(t, want[0] == want[1], Basic(kind).Dense(), kind)
	}
	// struct { char c[3]; double d; short s; }
	s := must(Struct([]int64{3, 1, 1}, []int64{0, 8, 16}, []*Type{Basic(Char), Basic(Float64), Basic(Int16)}))
	require.EqualValues(t, 24, s.Extent())
	require.EqualValues(t, 13, s.Size())
	require.EqualValues(t, 18, s.TrueExtent())
	require.EqualValues(t, 5, s.Elements())
}

// However many blocks a type has, its memory is constant, and so is the time to find a place in it.
func TestLargeTypesAreSmall(t *testing.T) {
	const n = 1 << 30
	column := must(Vector(n, 1, 1000, Basic(Float64)))
	require.Len(t, column.list.loops, 1)
	matrix := must(Hvector(1000, 1, 8, column))
	matrix.Commit()
	require.Len(t, matrix.bytes.loops, 1)
	require.Len(t, matrix.bytes.loops[0].body.loops, 1)
	require.EqualValues(t, 8*1000*n, matrix.Size())
	for disp, size := range matrix.Pieces(1, 8*(n*500+7)+3, math.MaxInt64) {
		require.Equal(t, []int64{7*8000 + 500*8 + 3, 5}, []int64{disp, size})
		break
	}
	regular := make([]int64, 1000)
	for i := range regular {
		regular[i] = int64(3 * i)
	}
	require.Len(t, must(IndexedBlock(2, regular, Basic(Int16))).list.loops, 1, "equal steps are one loop")
	require.Equal(t, Basic(Int32).list, must(Vector(1, 1, math.MaxInt64, Basic(Int32))).list, "the stride of one block is not used")
	require.Equal(t, must(Vector(3, 4, 4, Basic(Int16))).list, must(Contiguous(12, Basic(Int16))).list)
}

var (
	values [2]int64
	number float32
)

// With nil as address the displacements are absolute (MPI_BOTTOM).
func TestAbsoluteAddresses(t *testing.T) {
	values, number = [...]int64{7, 8}, 9
	at := []int64{int64(uintptr(unsafe.Pointer(&values[1]))), int64(uintptr(unsafe.Pointer(&number)))}
	absolute := must(Struct([]int64{1, 1}, at, []*Type{Basic(Int64), Basic(Float32)}))
	packed := make([]byte, 12)
	require.Equal(t, 12, absolute.Pack(packed, nil, 1, 0))
	require.Equal(t, int64(8), *(*int64)(unsafe.Pointer(&packed[0])))
	packed[0] = 6
	require.Equal(t, 12, absolute.Unpack(nil, 1, 0, packed))
	require.Equal(t, int64(6), values[1])
	require.Equal(t, float32(9), number)
}

func TestContents(t *testing.T) {
	f, i := Basic(Float64), Basic(Int32)
	require.Equal(t, Contents{}, f.Contents())
	for _, test := range []struct {
		made *Type
		want Contents
	}{
		{must(Dup(f)), Contents{CombinerDup, nil, nil, []*Type{f}}},
		{must(Contiguous(3, f)), Contents{CombinerContiguous, []int64{3}, nil, []*Type{f}}},
		{must(Vector(3, 2, -4, f)), Contents{CombinerVector, []int64{3, 2, -4}, nil, []*Type{f}}},
		{must(Hvector(3, 2, 40, f)), Contents{CombinerHvector, []int64{3, 2}, []int64{40}, []*Type{f}}},
		{must(Indexed([]int64{1, 2}, []int64{5, 6}, f)), Contents{CombinerIndexed, []int64{2, 1, 2, 5, 6}, nil, []*Type{f}}},
		{must(Hindexed([]int64{1, 2}, []int64{5, 6}, f)), Contents{CombinerHindexed, []int64{2, 1, 2}, []int64{5, 6}, []*Type{f}}},
		{must(IndexedBlock(4, []int64{5, 6}, f)), Contents{CombinerIndexedBlock, []int64{2, 4, 5, 6}, nil, []*Type{f}}},
		{must(HindexedBlock(4, []int64{5, 6}, f)), Contents{CombinerHindexedBlock, []int64{2, 4}, []int64{5, 6}, []*Type{f}}},
		{must(Struct([]int64{1, 2}, []int64{8, 0}, []*Type{f, i})), Contents{CombinerStruct, []int64{2, 1, 2}, []int64{8, 0}, []*Type{f, i}}},
		{must(Resized(f, -8, 32)), Contents{CombinerResized, nil, []int64{-8, 32}, []*Type{f}}},
		{must(Subarray([]int64{4, 5}, []int64{2, 3}, []int64{1, 0}, OrderFortran, f)),
			Contents{CombinerSubarray, []int64{2, 4, 5, 2, 3, 1, 0, 1}, nil, []*Type{f}}},
		{must(Darray(6, 4, []int64{4, 5}, []Distribution{Cyclic, Block}, []int64{2, DefaultBlock}, []int64{2, 3}, OrderC, f)),
			Contents{CombinerDarray, []int64{6, 4, 2, 4, 5, 1, 0, 2, -1, 2, 3, 0}, nil, []*Type{f}}},
	} {
		require.Equal(t, test.want, test.made.Contents())
		require.False(t, test.made.Committed() && test.want.Combiner != CombinerDup)
		require.Equal(t, Invalid, test.made.Kind())
	}
	require.Equal(t, "vector of float64", must(Vector(3, 2, 4, f)).Name())
	require.Equal(t, "struct of 12 bytes", must(Struct([]int64{1, 1}, []int64{8, 0}, []*Type{f, i})).Name())
	require.Equal(t, "long double", Basic(LongDouble).Name())
	column := must(Vector(3, 1, 4, f))
	column.SetName("column")
	require.Equal(t, "column", column.Name())
}

// A unit is what MPI_Accumulate wants: one predefined type of which all is made, a pair among them.
func TestUnit(t *testing.T) {
	pairs := must(Vector(3, 1, 2, Basic(DoubleInt)))
	require.Equal(t, DoubleInt, pairs.Unit())
	require.Equal(t, DoubleInt, must(Struct([]int64{1, 1}, []int64{0, 200}, []*Type{pairs, Basic(DoubleInt)})).Unit())
	require.Equal(t, Invalid, must(Struct([]int64{1, 1, 1}, []int64{0, 200, 300}, []*Type{pairs, Basic(Float64), Basic(DoubleInt)})).Unit())
	require.Equal(t, Invalid, must(Contiguous(0, Basic(Float64))).Unit())
	require.Equal(t, Float64, must(Resized(Basic(Float64), 0, 24)).Unit())
	require.EqualValues(t, 12, DoubleInt.Size())
	require.Equal(t, Float64, must(Struct([]int64{0, 2}, []int64{0, 0}, []*Type{Basic(Int32), Basic(Float64)})).Unit())
	value, index, ok := LongInt.Pair()
	require.Equal(t, []any{Long, Int32, true}, []any{value, index, ok})
	_, _, ok = Int32.Pair()
	require.False(t, ok)
	require.Panics(t, func() { Basic(Invalid) })
	require.Equal(t, "a kind unknown here (99)", Kind(99).String())
}

// MPI_Get_elements: how much of a type has come.
func TestBasicElements(t *testing.T) {
	r := newRandom(t)
	r.each(func(made *Type, o oracle) {
		sum := int64(0)
		all := o.kindsOf(2)
		for i, k := range all {
			n, ok := made.BasicElements(sum)
			require.True(t, ok)
			require.EqualValues(t, i, n)
			if kinds[k].size > 1 {
				_, ok = made.BasicElements(sum + 1)
				require.False(t, ok)
			}
			sum += kinds[k].size
		}
		n, ok := made.BasicElements(sum)
		require.True(t, ok)
		require.EqualValues(t, len(all), n)
	})
}
