package combine_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/combine"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

// Narrow integers are added several at a time: each sum is that of its two numbers alone, for all pairs of bytes, and of lengths that
// are no multiple of a word.
func TestSumsOfNarrowIntegers(t *testing.T) {
	for length := range 40 {
		left, right, want := make([]byte, length), make([]byte, length), make([]byte, length)
		for a := range 256 {
			for b := range 256 {
				for i := range length {
					left[i], right[i] = byte(a+i), byte(b-3*i)
					want[i] = left[i] + right[i]
				}
				combine.For(collective.Sum, datatype.Int8)(left, right)
				if string(left) != string(want) {
					t.Fatalf("%d bytes from %d and %d: %v, not %v", length, a, b, left, want)
				}
			}
		}
	}
	for n := range 12 {
		for _, pair := range [][2]uint16{{1, 2}, {0xffff, 1}, {0x7fff, 0x7fff}, {0x8000, 0x8000}, {0xff, 1}, {0xabcd, 0xfedc}} {
			left, right, want := make([]uint16, n), make([]uint16, n), make([]uint16, n)
			for i := range n {
				left[i], right[i] = pair[i%2], pair[1-i%2]
				want[i] = pair[0] + pair[1]
			}
			combine.For(collective.Sum, datatype.Uint16)(asBytes(left), asBytes(right))
			require.Equal(t, want, left)
		}
	}
}

func BenchmarkSum(b *testing.B) {
	for _, k := range []datatype.Kind{datatype.Int8, datatype.Int16, datatype.Int32, datatype.Float64} {
		b.Run(fmt.Sprint(k), func(b *testing.B) {
			sum := combine.For(collective.Sum, k)
			left, right := make([]byte, 64<<10), make([]byte, 64<<10)
			b.SetBytes(int64(len(left)))
			for b.Loop() {
				sum(left, right)
			}
		})
	}
}
