package combine_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/combine"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

var (
	arithmetic = []collective.Reduction{collective.Sum, collective.Prod}
	order      = []collective.Reduction{collective.Max, collective.Min}
	logical    = []collective.Reduction{collective.LogicalAnd, collective.LogicalOr, collective.LogicalXor}
	bitwise    = []collective.Reduction{collective.BitAnd, collective.BitOr, collective.BitXor}
	located    = []collective.Reduction{collective.MaxLoc, collective.MinLoc}
)

func TestEachTypeHasItsOperations(t *testing.T) {
	all := [][]collective.Reduction{arithmetic, order, logical, bitwise, located}
	has := func(k datatype.Kind, groups ...[]collective.Reduction) {
		for _, group := range all {
			expected := false
			for _, g := range groups {
				expected = expected || &g[0] == &group[0]
			}
			for _, r := range group {
				require.Equal(t, expected, combine.For(r, k) != nil, "%v of %v", r, k)
			}
		}
	}
	for _, k := range []datatype.Kind{
		datatype.Int8, datatype.Int16, datatype.Int32, datatype.Int64, datatype.Long, datatype.Uint8, datatype.Uint16, datatype.Uint32,
		datatype.Uint64, datatype.Ulong, datatype.Char,
	} {
		has(k, arithmetic, order, logical, bitwise)
	}
	has(datatype.Float32, arithmetic, order, logical)
	has(datatype.Float64, arithmetic, order, logical)
	has(datatype.Complex64, arithmetic, logical)
	has(datatype.Complex128, arithmetic, logical)
	has(datatype.Bool, logical)
	has(datatype.Logical4, logical)
	has(datatype.Byte, bitwise)
	for _, k := range []datatype.Kind{
		datatype.FloatInt, datatype.DoubleInt, datatype.LongInt, datatype.TwoInt, datatype.ShortInt, datatype.TwoFloat, datatype.TwoDouble,
	} {
		has(k, located)
	}
	has(datatype.Packed)
	has(datatype.Wchar)
	has(datatype.LongDouble) // unless a face knows it
	require.Nil(t, combine.For(collective.Replace, datatype.Int32))
}

func TestPairsHaveTheLayoutOfC(t *testing.T) {
	type pair struct {
		value int16
		index int32
	}
	left, right := []pair{{1, 7}, {5, 1}, {3, 9}}, []pair{{2, 1}, {4, 2}, {3, 8}}
	combine.For(collective.MaxLoc, datatype.ShortInt)(asBytes(left), asBytes(right))
	require.Equal(t, []pair{{2, 1}, {5, 1}, {3, 8}}, left)
}

func TestWhatGoCannotComputeIsAskedElsewhere(t *testing.T) {
	defer func() { combine.Foreign = nil }()
	combine.Foreign = func(collective.Reduction, datatype.Kind) combine.Func { return func(left, _ []byte) { left[0] = 9 } }
	left := make([]byte, 16)
	combine.For(collective.Sum, datatype.LongDouble)(left, nil)
	require.EqualValues(t, 9, left[0])
	require.Nil(t, combine.For(collective.Sum, datatype.Packed), "which has none anywhere")
}

func TestWhatGroupsAsItLikes(t *testing.T) {
	require.True(t, combine.Exact(collective.Sum, datatype.Int32))
	require.True(t, combine.Exact(collective.Max, datatype.Float64))
	require.False(t, combine.Exact(collective.Sum, datatype.Float64))
	require.False(t, combine.Exact(collective.MaxLoc, datatype.DoubleInt))
	require.True(t, combine.Exact(collective.MaxLoc, datatype.TwoInt))
}

func asBytes[T any](s []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero)))
}
