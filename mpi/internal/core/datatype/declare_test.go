package datatype

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDeclaredTypesOfOneKind(t *testing.T) {
	c, fortran := Declare(Int32, "MPI_INT", false), Declare(Int32, "MPI_INTEGER", false)
	require.Equal(t, []string{"MPI_INT", "MPI_INTEGER"}, []string{c.Name(), fortran.Name()})
	require.Equal(t, c.Signature(), fortran.Signature())
	require.True(t, c.Committed() && c.Dense() && c.Kind() == Int32)
}

func TestLooseTypesMatchAllOthers(t *testing.T) {
	loose, strict := Declare(Float64, "MPI_DOUBLE", true), Basic(Float64)
	column := must(Vector(3, 1, 4, loose))
	for _, one := range []*Type{loose, column, must(Dup(column)), must(Struct([]int64{1, 1}, []int64{0, 8}, []*Type{loose, Basic(Int32)}))} {
		require.True(t, one.Loose())
		require.Equal(t, Any, one.Signature())
		require.True(t, one.Matches(Basic(Byte).Signature(), 3, 1), "of any length")
		require.True(t, Basic(Char).Matches(one.Signature(), 8, 8), "whoever checks")
	}
	require.Equal(t, strict.Signature(), column.ExactSignature())
	require.False(t, must(Vector(3, 1, 4, strict)).Loose())
}

func TestMarkersSetBounds(t *testing.T) {
	lb, ub, number := Marker("MPI_LB", true), Marker("MPI_UB", false), Basic(Int32)
	make := func(types []*Type, displacements ...int64) *Type {
		lengths := []int64{}
		for range types {
			lengths = append(lengths, 1)
		}
		return must(Struct(lengths, displacements, types))
	}
	for _, c := range []struct {
		made        *Type
		low, extent int64
		what        string
	}{
		{make([]*Type{lb, number, ub}, -4, 0, 12), -4, 16, "both"},
		{make([]*Type{lb, number}, -4, 4), -4, 12, "the lower one"},
		{make([]*Type{number, ub}, 4, 100), 4, 96, "the upper one"},
		{make([]*Type{ub, number}, 2, 0), 0, 2, "below the end of the data"},
		{must(Contiguous(2, make([]*Type{lb, number, ub}, -4, 0, 12))), -4, 32, "they stay"},
		{make([]*Type{make([]*Type{number, ub}, 0, 20), lb}, 0, -8), -8, 28, "of different parts"},
	} {
		require.Equal(t, []int64{c.low, c.extent}, []int64{c.made.LowerBound(), c.made.Extent()}, c.what)
		bytes, err := c.made.AppendBinary(nil)
		require.NoError(t, err)
		there, err := Parse(bytes)
		require.NoError(t, err)
		require.Equal(t, []int64{c.low, c.extent}, []int64{there.LowerBound(), there.Extent()}, "elsewhere, %s", c.what)
	}
	require.Zero(t, lb.Size())
	require.Equal(t, Named, lb.Contents().Combiner)
}

func TestTypesOfFortranByPrecision(t *testing.T) {
	for _, c := range []struct {
		p, r    int64
		real    Kind
		complex Kind
	}{
		{6, 30, Float32, Complex64}, {6, -1, Float32, Complex64}, {-1, 300, Float64, Complex128}, {7, 30, Float64, Complex128},
		{33, 4931, Float128, Complex256},
	} {
		made := must(F90Real(c.p, c.r, false))
		require.Equal(t, c.real, made.Kind())
		require.Equal(t, Contents{Combiner: CombinerF90Real, Integers: []int64{c.p, c.r}}, made.Contents())
		require.Equal(t, c.complex, must(F90Complex(c.p, c.r, true)).Kind())
	}
	for digits, k := range map[int64]Kind{2: Int8, 3: Int16, 9: Int32, 10: Int64, 19: Int128} {
		require.Equal(t, k, must(F90Integer(digits, false)).Kind())
	}
	for _, f := range []func() (*Type, error){
		func() (*Type, error) { return F90Real(-1, -1, false) },
		func() (*Type, error) { return F90Real(34, 1, false) },
		func() (*Type, error) { return F90Complex(1, 5000, false) },
		func() (*Type, error) { return F90Integer(39, false) },
	} {
		_, err := f()
		require.ErrorIs(t, err, ErrArg)
	}
}
