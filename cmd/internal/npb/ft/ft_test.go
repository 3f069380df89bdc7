package ft

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// small is the size of a grid, different in each direction.
var small = [3]int{16, 8, 4}

// sum is one value of a transform, as it is specified.
func sum(line []complex128, k int, d direction) (value complex128) {
	for j, v := range line {
		value += v * cmplx.Exp(complex(0, float64(d)*2*math.Pi*float64(j*k)/float64(len(line))))
	}
	return value
}

func TestLinesAreTransformed(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 64; n *= 2 {
		for _, width := range []int{1, 3, together} {
			for _, d := range []direction{forward, backward} {
				lines := make([]complex128, n*width) // one after the other
				columns := make([]complex128, n*width)
				places := make([]int, n)
				for i := range lines {
					lines[i] = complex(random.NormFloat64(), random.NormFloat64())
					columns[i%n*width+i/n] = lines[i]
					places[i%n] = i % n * width
				}
				rows := append([]complex128(nil), lines...)
				newTransform(n).rows(rows, width, d)
				newTransform(n).columns(columns, places, width, d)
				for l := range width {
					for k := range n {
						want := sum(lines[l*n:][:n], k, d)
						require.InDelta(t, 0, cmplx.Abs(want-rows[l*n+k]), 1e-12, "%d values, value %d of line %d", n, k, l)
						require.Equal(t, rows[l*n+k], columns[k*width+l])
					}
				}
			}
		}
	}
}

func TestTransformOfAllRanksIsThatOfTheWholeGrid(t *testing.T) {
	for ranks := 1; ranks <= 4; ranks *= 2 {
		t.Run(fmt.Sprint(ranks, " ranks"), func(t *testing.T) {
			require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
				s := newSolver(world, small)
				// A single wave: its transform is one value, at the wave's place.
				wave := [3]int{5, 3, 2}
				for z := range s.nz {
					for y := range small[1] {
						for x := range small[0] {
							turns := float64(wave[0]*x)/16 + float64(wave[1]*y)/8 + float64(wave[2]*(z+s.first))/4
							s.values[s.at(x, y, z)] = cmplx.Exp(complex(0, 2*math.Pi*turns))
						}
					}
				}
				beginning := append([]complex128(nil), s.values...)
				s.forward()
				for i, value := range s.waves {
					x, y, z := i%16, i/16%s.ny+s.ny*world.Rank(), i/16/s.ny
					want := 0.
					if [3]int{x, y, z} == wave {
						want = 16 * 8 * 4
					}
					assert.InDelta(t, 0, cmplx.Abs(value-complex(want, 0)), 1e-10)
				}
				copy(s.space, s.waves)
				s.backward()
				for i, value := range s.values {
					assert.InDelta(t, 0, cmplx.Abs(value/(16*8*4)-beginning[i]), 1e-12)
				}
				return nil
			}, mpi.WithTransport("tcp-perpair")))
		})
	}
}

func TestChecksumsAreTheSameOnAnyRanks(t *testing.T) {
	var all [][]complex128
	for ranks := 1; ranks <= 4; ranks *= 2 {
		require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
			sums := newSolver(world, small).checksums(3)
			if world.Rank() == 0 {
				all = append(all, sums)
			}
			return nil
		}, mpi.WithTransport("tcp-perpair")))
	}
	for _, sums := range all {
		for i, got := range sums {
			assert.InDelta(t, 0, cmplx.Abs(got-all[0][i])/cmplx.Abs(got), 1e-12)
		}
	}
}

func TestEachIterationHasItsPublishedChecksum(t *testing.T) {
	for class, iterations := range map[nas.Class]int{'S': 6, 'W': 6, 'A': 6, 'B': 20, 'C': 20} {
		assert.Len(t, problems[class].checksums, iterations, "class %v", class)
	}
}

func TestRefusals(t *testing.T) {
	for _, refusal := range []struct {
		ranks int
		class nas.Class
		want  string
	}{
		{1, 'X', "ft has no class X"},
		{3, 'S', "ft runs on a power of two of ranks, not on 3"},
		{64, 'W', "ft runs in class W on at most 32 ranks, not on 64"},
	} {
		require.NoError(t, mpi.RunLocal(refusal.ranks, func(world *mpi.Comm) error {
			_, err := Kernel.Run(world, refusal.class)
			assert.EqualError(t, err, refusal.want)
			return nil
		}, mpi.WithTransport("tcp-perpair")))
	}
}
