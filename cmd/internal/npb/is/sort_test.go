package is

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// A small problem, of 2^12 keys below 2^9 in 2^5 buckets.
const keys, greatest, buckets = 12, 9, 5

var indices = [tests]int{0, 1000, 2000, 3000, 4095}

// reference makes the keys as specified, with floating-point numbers, and returns how many are less
// than each test key in an iteration, when those before have gone.
func reference(iteration int) (ranks [tests]int64) {
	random := nas.Random(314159265)
	all := make([]int32, 1<<keys)
	for i := range all {
		all[i] = int32(float64(1<<greatest/4) * (random.Next() + random.Next() + random.Next() + random.Next()))
	}
	for i := 1; i <= iteration; i++ {
		all[i], all[i+iterations] = int32(i), int32(1<<greatest-i)
	}
	sorted := slices.Sorted(slices.Values(all))
	for i, index := range indices {
		at, _ := slices.BinarySearch(sorted, all[index])
		ranks[i] = int64(at)
	}
	return ranks
}

func TestRanksAreThoseOfASort(t *testing.T) {
	for _, ranks := range []int{1, 2, 3, 8, 40} { // 40: more than buckets
		t.Run(fmt.Sprint(ranks, " ranks"), func(t *testing.T) {
			require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
				s := newSorter(world, keys, greatest, buckets)
				for iteration := 1; iteration <= 3; iteration++ {
					got := s.rank(iteration, indices)
					found := make([]int64, tests)
					if err := mpi.Allreduce(world, got[:], found, mpi.Max); err != nil {
						return err
					}
					want := reference(iteration)
					assert.Equal(t, want[:], found)
				}
				assert.Zero(t, s.unordered())
				sorted, err := mpi.AllreduceValue(world, s.mine, mpi.Sum)
				assert.Equal(t, 1<<keys, sorted)
				return err
			}, mpi.WithTransport("tcp-perpair")))
		})
	}
}

func TestPublishedRankOfAnIteration(t *testing.T) {
	assert.Equal(t, 1, problems['S'].wanted(0, 1))
	assert.Equal(t, 64907, problems['S'].wanted(3, 10))
	assert.Equal(t, 1248, problems['W'].wanted(0, 1))
}

func TestUnknownClass(t *testing.T) {
	require.NoError(t, mpi.RunLocal(1, func(world *mpi.Comm) error {
		_, err := Kernel.Run(world, 'X')
		assert.EqualError(t, err, "is has no class X")
		return nil
	}))
}
