package datatype

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/big"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// MPI 4.1, section 14.5.2, the table of sizes in external32; what C and Fortran name otherwise has the same kind.
func TestExternalSizesAreTheStandards(t *testing.T) {
	for kind, size := range map[Kind]int64{
		Packed: 1, Byte: 1, Char: 1, Int8: 1, Uint8: 1, Wchar: 2, Int16: 2, Uint16: 2, Int32: 4, Uint32: 4, Long: 4, Ulong: 4,
		Int64: 8, Uint64: 8, Float32: 4, Float64: 8, LongDouble: 16, Bool: 1, Complex64: 2 * 4, Complex128: 2 * 8,
		LongDoubleComplex: 2 * 16, Logical4: 4, Int128: 16, Float16: 2, Float128: 16, Complex32: 2 * 2, Complex256: 2 * 16,
		Logical1: 1, Logical2: 2, Logical8: 8, Logical16: 16, FloatInt: 8, DoubleInt: 12, LongInt: 8, TwoInt: 8, ShortInt: 6,
		LongDoubleInt: 20, TwoFloat: 8, TwoDouble: 16,
	} {
		n, err := Basic(kind).ExternalSize(3)
		require.NoError(t, err)
		require.Equal(t, 3*size, n, kind)
	}
	_, err := Basic(Int32).ExternalSize(-1)
	require.ErrorIs(t, err, ErrCount)
	_, err = Basic(Int32).ExternalSize(math.MaxInt64 / 2)
	require.ErrorIs(t, err, ErrCount)
}

// What values look like.
func TestExternalValues(t *testing.T) {
	for _, test := range []struct {
		kind  Kind
		value any
		want  string
	}{
		{Int16, int16(-2), "fffe"},
		{Int32, int32(0x01020304), "01020304"},
		{Int64, int64(-3), "fffffffffffffffd"},
		{Long, int64(-3), "fffffffd"},
		{Ulong, uint64(1<<32 - 1), "ffffffff"},
		{Wchar, int32(0x20ac), "20ac"},
		{Float32, float32(1.5), "3fc00000"},
		{Float64, -2.0, "c000000000000000"},
		{Complex64, complex64(complex(1, 2)), "3f80000040000000"},
		{Complex128, complex(1, -1), "3ff0000000000000bff0000000000000"},
		{Bool, true, "01"},
		{Int128, [16]byte{1}, "00000000000000000000000000000001"},
		{FloatInt, [2]uint32{math.Float32bits(1), 7}, "3f80000000000007"},
	} {
		memory, err := binary.Append(nil, binary.NativeEndian, test.value)
		require.NoError(t, err)
		external := make([]byte, 40)
		n, err := Basic(test.kind).PackExternal(external, unsafe.Pointer(&memory[0]), 1)
		require.NoError(t, err)
		require.Equal(t, test.want, hex.EncodeToString(external[:n]), test.kind)
		back := make([]byte, len(memory))
		n, err = Basic(test.kind).UnpackExternal(unsafe.Pointer(&back[0]), 1, external)
		require.NoError(t, err)
		require.Equal(t, memory, back, test.kind)
		require.Len(t, test.want, 2*n)
	}
}

func TestExternalErrors(t *testing.T) {
	external := make([]byte, 16)
	for kind, value := range map[Kind]int64{Long: 1 << 31, Ulong: 1 << 32, Wchar: 1 << 16} {
		_, err := Basic(kind).PackExternal(external, unsafe.Pointer(&value), 1)
		require.ErrorIs(t, err, ErrConvert)
		require.ErrorContains(t, err, "does not fit")
	}
	long := []int64{1, -1 << 31, -1<<31 - 1}
	_, err := Basic(Long).PackExternal(external, unsafe.Pointer(&long[0]), 3)
	require.ErrorContains(t, err, "a long of -2147483649 does not fit into the 32 bits that it has in external32")
	_, err = Basic(Int32).PackExternal(external, unsafe.Pointer(&long[0]), 5)
	require.ErrorIs(t, err, ErrTruncate)
	require.ErrorContains(t, err, "5 elements take 20 bytes in external32, and there are 16")
	_, err = Basic(Int32).UnpackExternal(unsafe.Pointer(&long[0]), -1, external)
	require.ErrorIs(t, err, ErrCount)
}

// The elements of any type are converted one by one, in the order of sending.
func TestExternalIsByElements(t *testing.T) {
	if !littleEndian {
		t.Skip("expects numbers to have their last byte first")
	}
	r := newRandom(t)
	r.kinds = []Kind{Byte, Int16, Int32, Float64, Complex64, DoubleInt, Float128}
	source, src := memory(r)
	target := make([]byte, len(source))
	middle := int64(len(source) / 2)
	r.each(func(made *Type, o oracle) {
		n := r.small(3)
		if low, high, _ := made.Span(n); low < -middle || high > middle {
			return
		}
		var want []byte
		for i := range n {
			for _, e := range o.entries {
				at := middle + i*o.extent() + e.disp
				value := slices.Clone(source[at : at+kinds[e.kind].size])
				for part := range slices.Chunk(value, int(kinds[e.kind].part)) {
					slices.Reverse(part)
				}
				want = append(want, value...)
			}
		}
		size, err := made.ExternalSize(n)
		require.NoError(t, err)
		packed := make([]byte, size)
		_, err = made.PackExternal(packed, src, n)
		require.NoError(t, err)
		require.True(t, string(want) == string(packed))
		clear(target)
		_, err = made.UnpackExternal(unsafe.Pointer(&target[middle]), n, packed)
		require.NoError(t, err)
		for _, d := range o.bytes(n) {
			require.Equal(t, source[middle+d], target[middle+d])
		}
	})
}

func extendedNumber(sign, exponent uint16, mantissa uint64) []byte {
	b := binary.LittleEndian.AppendUint64(nil, mantissa)
	return append(binary.LittleEndian.AppendUint16(b, sign<<15|exponent), make([]byte, 6)...)
}

// Long doubles of x86 and IEEE's numbers of 16 bytes.
func TestLongDoubles(t *testing.T) {
	const one = 1 << 63
	for _, test := range []struct {
		sign, exponent uint16
		mantissa       uint64
		want           string
	}{
		{0, 0x3fff, one, "3fff0000000000000000000000000000"},                // 1
		{1, 0x4000, one | one>>1, "c0008000000000000000000000000000"},       // -3
		{0, 0x3fff, one | 1, "3fff0000000000000002000000000000"},            // the next after 1
		{0, 0, 0, "00000000000000000000000000000000"},                       // 0
		{1, 0, 0, "80000000000000000000000000000000"},                       // -0
		{0, 0x7fff, one, "7fff0000000000000000000000000000"},                // infinite
		{0, 0x7fff, one | one>>1, "7fff8000000000000000000000000000"},       // NaN
		{0, 0, 1, "00000000000000000002000000000000"},                       // the smallest
		{0, 0x7ffe, math.MaxUint64, "7ffefffffffffffffffe000000000000"},     // the largest
		{0, 0, one - 1, "0000fffffffffffffffe000000000000"},                 // the largest without leading one
		{1, 1, one, "80010000000000000000000000000000"},                     // the smallest with one
		{0, 0x4005, 0xc800000000000000, "40059000000000000000000000000000"}, // 100
		{1, 0x3ffd, 0xaaaaaaaaaaaaaaab, "bffd5555555555555556000000000000"}, // -1/3
	} {
		memory := extendedNumber(test.sign, test.exponent, test.mantissa)
		external, back := make([]byte, 16), make([]byte, 16)
		fromExtended(external, memory)
		require.Equal(t, test.want, hex.EncodeToString(external))
		toExtended(back, external)
		require.Equal(t, memory, back, test.want)
	}
	// Numbers that the processor never makes.
	external := make([]byte, 16)
	fromExtended(external, extendedNumber(0, 0, one))
	require.Equal(t, "00010000000000000000000000000000", hex.EncodeToString(external))
	fromExtended(external, extendedNumber(0, 5, 1))
	require.Equal(t, "7fff8000000000000000000000000000", hex.EncodeToString(external))
}

// What has more digits is rounded to the nearest, as package math/big does it.
func TestLongDoublesAreRounded(t *testing.T) {
	r := newRandom(t)
	back := make([]byte, 16)
	for range 10_000 {
		high, low := r.Uint64()&^(0x7fff<<48)|uint64(0x3fff+r.IntN(40))<<48, r.Uint64()
		if r.IntN(2) == 0 { // in the middle, or nearly
			low = low&^(1<<49-1) | 1<<48 + uint64(r.IntN(3)-1)
		}
		if r.IntN(8) == 0 {
			high, low = high|(1<<48-1), low|^uint64(1<<49-1)
		}
		external := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, high), low)
		toExtended(back, external)

		digits := new(big.Int).SetUint64(high&(1<<48-1) | 1<<48)
		digits.Lsh(digits, 64).Add(digits, new(big.Int).SetUint64(low))
		want := new(big.Float).SetPrec(64).SetInt(digits)
		got := new(big.Float).SetUint64(binary.LittleEndian.Uint64(back))
		got.SetMantExp(got, int(binary.LittleEndian.Uint16(back[8:])&0x7fff)-int(high>>48&0x7fff)+112-63)
		require.Zero(t, want.Cmp(got), "%x %x: %v, not %v", high, low, got, want)
		require.Equal(t, high>>63, uint64(back[9]>>7))
	}
	for external, want := range map[string][]byte{
		"7fff0000000000000000000000000001": extendedNumber(0, 0x7fff, 3<<62), // a NaN stays one
		"7ffeffffffffffffffffffffffffffff": extendedNumber(0, 0x7fff, 1<<63), // too large becomes infinite
		"0000ffffffffffffffffffffffffffff": extendedNumber(0, 1, 1<<63),
	} {
		b, err := hex.DecodeString(external)
		require.NoError(t, err)
		toExtended(back, b)
		require.Equal(t, want, back, external)
	}
}
