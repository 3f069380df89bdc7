package ep_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/ep"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// serial is EP as it is specified, one number after the other.
func serial(log2 int) (sums ep.Sums) {
	random := nas.Random(271828183)
	for range 1 << log2 {
		x, y := 2*random.Next()-1, 2*random.Next()-1
		t := float64(x*x) + float64(y*y)
		if t > 1 {
			continue
		}
		factor := math.Sqrt(-2 * math.Log(t) / t)
		x, y = x*factor, y*factor
		sums.X, sums.Y = sums.X+x, sums.Y+y
		sums.Counts[int(max(math.Abs(x), math.Abs(y)))]++
	}
	return sums
}

func TestSumsAreThoseOfOneRankPairByPair(t *testing.T) {
	const log2 = 18 // four batches: some ranks have none
	want := serial(log2)
	for _, ranks := range []int{1, 2, 3, 5} {
		t.Run(fmt.Sprint(ranks, " ranks"), func(t *testing.T) {
			require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
				got, err := ep.All(world, log2)
				assert.Equal(t, want.Counts, got.Counts)
				assert.InEpsilon(t, want.X, got.X, 1e-10)
				assert.InEpsilon(t, want.Y, got.Y, 1e-10)
				return err
			}))
		})
	}
}

func TestUnknownClass(t *testing.T) {
	require.NoError(t, mpi.RunLocal(1, func(world *mpi.Comm) error {
		_, err := ep.Kernel.Run(world, 'X')
		assert.EqualError(t, err, "ep has no class X")
		return nil
	}))
}
