package nas_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

func TestRandomNumbersAreThoseOfTheFormula(t *testing.T) {
	random, x := nas.Random(314159265), big.NewInt(314159265)
	filled := make([]float64, 1000)
	again := random
	again.Fill(filled)
	for i := range filled {
		x.Mod(x.Mul(x, big.NewInt(nas.Multiplier)), big.NewInt(nas.Modulus))
		got := random.Next()
		require.EqualValues(t, x.Uint64(), random, "number %d", i)
		require.Equal(t, float64(x.Int64())/nas.Modulus, got)
		require.Equal(t, got, filled[i])
	}
	assert.Equal(t, random, again)
}

func TestSkipIsManySteps(t *testing.T) {
	step := nas.Random(271828183)
	for n := range uint64(300) {
		skip := nas.Random(271828183)
		skip.Skip(n)
		require.Equal(t, step, skip, "%d numbers", n)
		step.Next()
	}
}

func TestPower(t *testing.T) {
	want := new(big.Int).Exp(big.NewInt(nas.Multiplier), big.NewInt(1<<40+12345), big.NewInt(nas.Modulus))
	assert.Equal(t, want.Uint64(), nas.Power(nas.Multiplier, 1<<40+12345))
	assert.EqualValues(t, 1, nas.Power(nas.Multiplier, 0))
}

func TestResultIsVerifiedByItsValues(t *testing.T) {
	good := nas.Check{Name: "sum", Got: 1 + 1e-9, Want: 1, Tolerance: nas.Epsilon}
	bad := nas.Check{Name: "sum", Got: 1 + 2e-8, Want: 1, Tolerance: nas.Epsilon}
	assert.True(t, nas.Result{Checks: []nas.Check{good}}.Verified())
	assert.False(t, nas.Result{Checks: []nas.Check{good, bad}}.Verified())
	assert.False(t, nas.Result{}.Verified(), "without values")
	assert.False(t, nas.Check{Got: math.NaN(), Want: 1, Tolerance: nas.Epsilon}.OK())
	assert.True(t, nas.Check{Name: "wrong ranks"}.OK())
	assert.False(t, nas.Check{Name: "wrong ranks", Got: 1}.OK())
}

func TestSharesAreAllThereIs(t *testing.T) {
	for ranks := 1; ranks < 9; ranks++ {
		next := 0
		for rank := range ranks {
			first, end := nas.Share(20, ranks, rank)
			assert.Equal(t, next, first)
			assert.InDelta(t, 20./float64(ranks), end-first, 1)
			next = end
		}
		assert.Equal(t, 20, next)
	}
}

func TestPowerOfTwo(t *testing.T) {
	for n := 1; n <= 16; n *= 2 {
		assert.NoError(t, nas.PowerOfTwo(n))
	}
	assert.EqualError(t, nas.PowerOfTwo(6), "on a power of two of ranks, not on 6")
}

func TestTimeIsTheSameOnAllRanks(t *testing.T) {
	times := make([]float64, 3)
	require.NoError(t, mpi.RunLocal(3, func(world *mpi.Comm) error {
		times[world.Rank()] = nas.Timed(world, func() { nas.Must(world.Barrier()) })
		return nil
	}))
	assert.Equal(t, []float64{times[0], times[0], times[0]}, times)
	assert.Positive(t, times[0])
}

func TestAnErrorEndsTheRunOfAKernel(t *testing.T) {
	k := nas.New(nas.Kernel{Ranks: nas.AnyRanks}, map[nas.Class]int{'S': 0}, nil, func(c *mpi.Comm, _ int) nas.Result {
		nas.Must(mpi.Send(c, []byte{1}, c.Size(), 0))
		t.Error("it goes on after an error")
		return nas.Result{}
	})
	require.NoError(t, mpi.RunLocal(1, func(world *mpi.Comm) error {
		_, err := k.Run(world, 'S')
		assert.ErrorIs(t, err, mpi.ErrRank)
		return nil
	}))
}
