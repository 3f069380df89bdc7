package topology_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/topology"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// MPI 4.1, section 8.5.2.
func TestDims(t *testing.T) {
	for _, test := range []struct {
		n          int
		dims, want []int
	}{
		{6, []int{0, 0}, []int{3, 2}},
		{7, []int{0, 0}, []int{7, 1}},
		{6, []int{0, 3, 0}, []int{2, 3, 1}},
		{1, []int{0, 0, 0}, []int{1, 1, 1}},
		{12, []int{12}, []int{12}},
		{1, nil, nil},
		{5, []int{0}, []int{5}},
		{16, []int{0, 0, 0}, []int{4, 2, 2}},
		{72, []int{0, 0, 0}, []int{6, 4, 3}},
		{36, []int{0, 2, 0}, []int{6, 2, 3}},
		{1024, []int{0, 0, 0}, []int{16, 8, 8}},
		{5040, []int{0, 0, 0}, []int{21, 16, 15}},             // not 20, 18, 14
		{5616, []int{0, 0, 0, 0}, []int{13, 9, 8, 6}},         // not 13, 12, 6, 6
		{98784, []int{0, 0, 0, 0, 0}, []int{14, 14, 9, 8, 7}}, // not 14, 12, 12, 7, 7
		{1 << 30, []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, []int{8, 8, 8, 8, 8, 8, 8, 8, 8, 8}},
		{1<<31 - 1, []int{0, 0, 0}, []int{1<<31 - 1, 1, 1}},
		{46337 * 46327, []int{0, 0, 0}, []int{46337, 46327, 1}},
		{2095133040, []int{0, 0}, []int{46189, 45360}},
	} {
		got := slices.Clone(test.dims)
		require.Nil(t, topology.Dims("test", test.n, got))
		require.Equal(t, test.want, got, "%d in %v", test.n, test.dims)
	}
}

func TestDimsThatCannotBe(t *testing.T) {
	for _, test := range []struct {
		n     int
		dims  []int
		class rpi.Class
		text  string
	}{
		{0, []int{0}, rpi.ErrArg, "the number of ranks is 0"},
		{1 << 31, []int{0}, rpi.ErrArg, "the number of ranks is 2147483648"},
		{6, []int{0, -1}, rpi.ErrDims, "dimension 1 is -1"},
		{7, []int{0, 3, 0}, rpi.ErrDims, "7 ranks cannot be divided by the given dimensions [0 3 0]"},
		{6, []int{2, 2}, rpi.ErrDims, "6 ranks cannot be divided"},
		{8, []int{2, 2}, rpi.ErrDims, "the dimensions [2 2] are all given, and do not make 8 ranks"},
		{2, nil, rpi.ErrDims, "do not make 2 ranks"},
	} {
		err := topology.Dims("test", test.n, test.dims)
		require.ErrorIs(t, err, test.class)
		require.ErrorContains(t, err, test.text)
	}
}

// sequences calls f with all non-increasing sequences of k factors of n.
func sequences(n, k, most int, begun []int, f func([]int)) {
	if k == 0 {
		if n == 1 {
			f(begun)
		}
		return
	}
	for d := min(n, most); d >= 1; d-- {
		if n%d == 0 {
			sequences(n/d, k-1, d, append(begun, d), f)
		}
	}
}

// Against all sequences there are: the smallest difference between the largest and the smallest, and then the largest ones, the last first.
func TestDimsAgainstAllSequences(t *testing.T) {
	for n := 1; n <= 800; n++ {
		for k := 1; k <= 5; k++ {
			var best []int
			sequences(n, k, n, nil, func(s []int) {
				if best == nil || cmp.Or(cmp.Compare(s[0]-s[k-1], best[0]-best[k-1]), slices.Compare(reversed(best), reversed(s))) < 0 {
					best = slices.Clone(s)
				}
			})
			got := make([]int, k)
			require.Nil(t, topology.Dims("test", n, got))
			require.Equal(t, best, got, "%d in %d dimensions", n, k)
		}
	}
}

func reversed(s []int) []int {
	s = slices.Clone(s)
	slices.Reverse(s)
	return s
}

// The numbers with the most divisors, and powers, take no longer than a moment in any number of dimensions.
func BenchmarkDims(b *testing.B) {
	for _, n := range []int{2095133040, 1396755360, 1 << 30, 3 << 29, 1<<31 - 1} {
		for _, k := range []int{2, 3, 4, 6, 10, 20} {
			b.Run(fmt.Sprintf("%d/%d", n, k), func(b *testing.B) {
				for b.Loop() {
					topology.Dims("test", n, make([]int, k))
				}
			})
		}
	}
}
