package topology_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/topology"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func newRandom(t *testing.T) *rand.Rand {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

func cart(t *testing.T, dims []int, periods ...bool) *topology.Cart {
	t.Helper()
	c, err := topology.NewCart("test", dims, periods)
	require.Nil(t, err)
	return c
}

// MPI 4.1, section 8.6: for each dimension the neighbour before and the one after, in this order.
func TestCartNeighbors(t *testing.T) {
	const null = topology.ProcNull
	for _, test := range []struct {
		dims    []int
		periods []bool
		rank    int
		want    []int32
	}{
		{[]int{3, 4}, []bool{false, true}, 0, []int32{null, 4, 3, 1}},
		{[]int{3, 4}, []bool{false, true}, 7, []int32{3, 11, 6, 4}},
		{[]int{3, 4}, []bool{false, true}, 11, []int32{7, null, 10, 8}},
		{[]int{2, 2}, []bool{true, false}, 1, []int32{3, 3, 0, null}},
		{[]int{1, 2}, []bool{true, true}, 1, []int32{1, 1, 0, 0}},
		{[]int{1}, []bool{false}, 0, []int32{null, null}},
		{nil, nil, 0, []int32{}},
	} {
		sources, destinations := cart(t, test.dims, test.periods...).Neighbors(test.rank)
		require.Equal(t, test.want, sources)
		require.Equal(t, test.want, destinations)
	}
}

// plain is a slow grid: the ranks of all coordinates, listed.
type plain struct {
	dims    []int
	periods []bool
	all     [][]int // coordinates of each rank
}

func newPlain(dims []int, periods []bool) plain {
	all := [][]int{{}}
	for _, d := range dims {
		var more [][]int
		for _, before := range all {
			for at := range d {
				more = append(more, append(append([]int{}, before...), at))
			}
		}
		all = more
	}
	return plain{dims, periods, all}
}

// rank looks for coordinates, which may be beyond the ends of periodic dimensions.
func (p plain) rank(coords []int) int {
	for rank, c := range p.all {
		same := true
		for i, d := range p.dims {
			same = same && (c[i] == coords[i] || p.periods[i] && (c[i]-coords[i])%d == 0)
		}
		if same {
			return rank
		}
	}
	return topology.ProcNull
}

func TestCartAgainstAList(t *testing.T) {
	random := newRandom(t)
	for range 300 {
		dims, periods := make([]int, random.IntN(5)), []bool{}
		for i := range dims {
			dims[i] = 1 + random.IntN(4)
			periods = append(periods, random.IntN(2) == 0)
		}
		p, c := newPlain(dims, periods), cart(t, dims, periods...)
		require.Equal(t, len(p.all), c.Size())
		rank := random.IntN(c.Size())
		coords, err := c.Coords("test", rank)
		require.Nil(t, err)
		require.Equal(t, p.all[rank], coords)
		sources, _ := c.Neighbors(rank)
		for i := range dims {
			by := random.IntN(11) - 5
			source, dest, err := c.Shift("test", rank, i, by)
			require.Nil(t, err)
			moved := append([]int{}, coords...)
			moved[i] = coords[i] - by
			require.Equal(t, p.rank(moved), source, "%v %v: %v by %d in %d", dims, periods, coords, -by, i)
			moved[i] = coords[i] + by
			require.Equal(t, p.rank(moved), dest, "%v %v: %v by %d in %d", dims, periods, coords, by, i)
			if back, err := c.Rank("test", moved); err == nil {
				require.Equal(t, dest, back)
			} else {
				require.ErrorIs(t, err, rpi.ErrArg)
				require.Equal(t, topology.ProcNull, dest)
			}
			moved[i] = coords[i] - 1
			require.EqualValues(t, p.rank(moved), sources[2*i])
			moved[i] = coords[i] + 1
			require.EqualValues(t, p.rank(moved), sources[2*i+1])
		}
		remain := make([]bool, len(dims))
		for i := range remain {
			remain[i] = random.IntN(2) == 0
		}
		checkSub(t, c, p, rank, remain)
	}
}

// checkSub compares the grid that has rank with all others: those of one color differ in remaining coordinates alone.
func checkSub(t *testing.T, c *topology.Cart, p plain, rank int, remain []bool) {
	sub, color, place, err := c.Sub("test", rank, remain)
	require.Nil(t, err)
	members := 0
	for other, coords := range p.all {
		_, otherColor, otherPlace, err := c.Sub("test", other, remain)
		require.Nil(t, err)
		same := true
		var rest []int
		for i, at := range coords {
			if remain[i] {
				rest = append(rest, at)
			} else {
				same = same && at == p.all[rank][i]
			}
		}
		require.Equal(t, same, otherColor == color)
		if same {
			members++
			at, err := sub.Rank("test", rest)
			require.Nil(t, err)
			require.Equal(t, at, otherPlace)
			require.Equal(t, other == rank, otherPlace == place)
		}
	}
	require.Equal(t, members, sub.Size())
}

func TestShiftByExtremes(t *testing.T) {
	c := cart(t, []int{3, 4}, true, false)
	for _, by := range []int{math.MaxInt, math.MinInt, math.MaxInt - 1, math.MinInt + 1} {
		source, dest, err := c.Shift("test", 5, 1, by)
		require.Nil(t, err)
		require.Equal(t, []int{topology.ProcNull, topology.ProcNull}, []int{source, dest})
		source, dest, err = c.Shift("test", 5, 0, by)
		require.Nil(t, err)
		require.Equal(t, []int{((1-by%3+3)%3)*4 + 1, ((1+by%3+3)%3)*4 + 1}, []int{source, dest})
	}
}

func TestCartErrors(t *testing.T) {
	_, err := topology.NewCart("test", []int{2, 0}, []bool{true, true})
	require.ErrorIs(t, err, rpi.ErrDims)
	require.ErrorContains(t, err, "dimension 1 is 0")
	_, err = topology.NewCart("test", []int{2}, nil)
	require.ErrorContains(t, err, "there are 0 periods for 1 dimension")
	_, err = topology.NewCart("test", []int{1 << 20, 1 << 20}, []bool{true, true})
	require.ErrorIs(t, err, rpi.ErrDims)
	c := cart(t, []int{2, 3}, false, true)
	_, err = c.Coords("test", 6)
	require.ErrorIs(t, err, rpi.ErrRank)
	_, err = c.Rank("test", []int{2, 0})
	require.ErrorContains(t, err, "coordinate 0 is 2; the dimension is not periodic and has 2 places")
	_, err = c.Rank("test", []int{0})
	require.ErrorContains(t, err, "1 coordinate for 2 dimensions")
	_, _, err = c.Shift("test", 0, 2, 1)
	require.ErrorContains(t, err, "dimension 2 is not one of 2 dimensions")
	_, _, _, err = c.Sub("test", 0, []bool{true})
	require.ErrorContains(t, err, "there are 2")
}
