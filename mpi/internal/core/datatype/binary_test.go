package datatype

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// A type that has been described and parsed is the same one.
func TestDescribedAndParsed(t *testing.T) {
	r := newRandom(t)
	r.each(func(made *Type, o oracle) {
		b, err := made.AppendBinary([]byte("before"))
		require.NoError(t, err)
		require.Equal(t, "before", string(b[:6]))
		parsed, err := Parse(b[6:])
		require.NoError(t, err)
		made.Commit()
		require.Equal(t, made.shape, parsed.shape)
		require.Equal(t, made.bytes, parsed.bytes)
		require.Equal(t, []any{made.exact, made.unit}, []any{parsed.exact, parsed.unit})
		require.Equal(t, CombinerParsed, parsed.Contents().Combiner)
		require.True(t, parsed.Committed())
		for n := range b[6:] {
			_, err := Parse(b[6 : 6+n])
			require.ErrorIs(t, err, ErrType)
		}
	})
}

func TestWrongDescriptions(t *testing.T) {
	column, err := must(Vector(5, 1, 3, Basic(Float64))).AppendBinary(nil)
	require.NoError(t, err)
	v := func(b []byte, numbers ...int64) []byte {
		for _, n := range numbers {
			b = binary.AppendVarint(b, n)
		}
		return b
	}
	run := func(disp int64, count uint64) []byte {
		return append(binary.AppendUvarint(v([]byte{form, 0, 0, 1, byte(Float64)}, disp), count), 1)
	}
	_, err = Parse(run(0, 1))
	require.NoError(t, err)
	deep := []byte{form, 0, 0}
	for range 1000 {
		deep = append(deep, 1, byte(Invalid), 0, 2, 0)
	}
	for text, b := range map[string][]byte{
		"wrong length or form":        append([]byte{9}, column[1:]...),
		"unknown unit":                append([]byte{form, 200}, column[2:]...),
		"it is not made of int32":     append([]byte{form, byte(Int32)}, column[2:]...),
		"it is not made of 2double":   append([]byte{form, byte(TwoDouble)}, column[2:]...),
		"unknown form of bounds":      append([]byte{form, 0, 4}, column[3:]...),
		"too many bytes":              append(slices.Clone(column), 0),
		"wrong numbers, or too few":   deep,
		"does not fit into 64 bits":   run(math.MaxInt64, 1),
		"remote type: wrong numbers":  run(0, 0),
		"the description of a remote": {form, 0, 0, 1, byte(DoubleInt), 0, 1, 1},
	} {
		_, err := Parse(b)
		require.ErrorContains(t, err, text)
		require.ErrorIs(t, err, ErrType)
	}

	// Each level has the one below in two places: in memory it is there once, in bytes as often as that.
	tree := Basic(Float64)
	for range 22 {
		tree = must(Struct([]int64{2, 1, 3}, []int64{0, 0, 8}, []*Type{tree, Basic(Int16), tree}))
	}
	tree.Commit()
	_, err = tree.AppendBinary(nil)
	require.ErrorContains(t, err, "has too many irregular blocks: their description has more than 16777216 bytes")
}

// What hostile bytes describe is a type that can be asked everything.
func FuzzParse(f *testing.F) {
	for _, t := range []*Type{
		Basic(Float64), Basic(LongDoubleInt), must(Contiguous(0, Basic(Byte))), must(Vector(5, 2, 3, Basic(Float64))),
		must(Struct([]int64{1, 2, 1}, []int64{0, 8, 40}, []*Type{Basic(Int32), must(Hvector(2, 1, 100, Basic(Long))), Basic(Char)})),
		must(Subarray([]int64{4, 5, 6}, []int64{2, 2, 2}, []int64{1, 1, 1}, OrderC, Basic(DoubleInt))),
		must(Indexed([]int64{1, 2, 3}, []int64{7, -9, 40}, must(Resized(Basic(Int16), -4, 64)))),
	} {
		b, err := t.AppendBinary(nil)
		require.NoError(f, err)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		parsed, err := Parse(b)
		if err != nil {
			return
		}
		again, err := parsed.AppendBinary(nil)
		require.NoError(t, err)
		same, err := Parse(again)
		require.NoError(t, err)
		require.Equal(t, parsed.shape, same.shape)
		require.Equal(t, parsed.Signature(), same.Signature())
		parsed.BasicElements(parsed.Size() / 2)
		parsed.Matches(mixed, parsed.Size()/3, 2)
		low, high, err := parsed.Span(2)
		if err != nil {
			return
		}
		pieces := 0
		for disp, size := range parsed.Pieces(2, parsed.Size()/2, math.MaxInt64) {
			require.True(t, low <= disp && size > 0 && size <= high-disp, "%d bytes at %d are not within %d to %d", size, disp, low, high)
			if pieces++; pieces > 1000 {
				break
			}
		}
		if low < -1<<16 || high > 1<<16 || parsed.Size() > 1<<20 {
			return
		}
		low, high = min(low, 0), max(high, 0)
		room := make([]byte, high-low+1)
		message := make([]byte, 2*parsed.Size())
		address := unsafe.Add(unsafe.Pointer(unsafe.SliceData(room)), -low)
		require.Equal(t, len(message), parsed.Unpack(address, 2, 0, message))
		require.Equal(t, len(message), parsed.Pack(message, address, 2, 0))
	})
}
