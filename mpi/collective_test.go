package mpi_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Numbers of ranks that reach every branch of the algorithms: one, powers of
// two, and all kinds of others.
var sizes = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 16}

// vectors are lengths, in elements of eight bytes, on both sides of what
// changes the algorithms.
var vectors = []int{0, 1, 3, 40, 2100}

// slowSizes are those for carriers that are slow or lose packets: enough for messages of many pairs of
// ranks to meet losses, in all patterns of the algorithms. All carriers have commonSize.
var slowSizes = []int{1, 2, 3, 5, 8}

// labSizes are those for the lab in short tests: all its ranks have one processor.
var labSizes = []int{2, commonSize}

const commonSize = 5

// everySize runs fn with every number of ranks. It changes which messages an algorithm has, of which no transport knows, and
// package schedule tests each algorithm with each number: so one carrier has each, in turn, and all have the common one.
// In long tests all carriers that are not slow have all numbers.
func everySize(t *testing.T, fn func(t *testing.T, world *mpi.Comm)) {
	everySizeOf(t, func(t *testing.T, c carrier, size int) { c.ranks(t, size, fn) })
}

// everySizeOf is everySize for tests that start their ranks.
func everySizeOf(t *testing.T, test func(t *testing.T, c carrier, size int)) {
	for s, size := range sizes {
		able := slices.DeleteFunc(slices.Clone(carriers), func(c carrier) bool {
			slow := c.slow || c.impaired && !long()
			return !c.has(t) || slow && !slices.Contains(slowSizes, size) || c.slow && !long() && !slices.Contains(labSizes, size)
		})
		t.Run(fmt.Sprintf("%d ranks", size), func(t *testing.T) {
			for i, c := range able {
				if i == s%len(able) || size == commonSize || long() && !c.slow {
					test(t, c, size)
				}
			}
		})
	}
}

// oversubscribing runs a test with fewer processors than ranks, and again with more: some
// operations have another algorithm for each.
func oversubscribing(t *testing.T, test func(t *testing.T)) {
	for name, processors := range map[string]int{"oversubscribed": 1, "one processor per rank": 64} {
		t.Run(name, func(t *testing.T) {
			before := runtime.GOMAXPROCS(processors)
			defer runtime.GOMAXPROCS(before)
			test(t)
		})
	}
}

// roots are the roots worth trying.
func roots(size int) []int {
	return slices.Compact([]int{0, size / 2, size - 1})
}

// affine is the function x ↦ A·x + B modulo 2³². Composition is associative
// and not commutative, and a wrong order or number of operands shows.
type affine struct{ A, B uint32 }

func compose(left, right []affine) {
	for i, r := range right {
		l := left[i]
		left[i] = affine{A: l.A * r.A, B: l.B*r.A + r.B}
	}
}

// affines is the vector of a rank, the same wherever it is asked for.
func affines(rank, length int) []affine {
	v := make([]affine, length)
	x := uint32(rank*7919+length)*2654435761 + 1
	for i := range v {
		a := x*1664525 + 1013904223
		x = a*1664525 + 1013904223
		v[i] = affine{a | 1, x}
	}
	return v
}

// equal is require.Equal for vectors, without its cost for long ones.
func equal[T comparable](t *testing.T, want, got []T) {
	t.Helper()
	if !slices.Equal(want, got) {
		require.Equal(t, want, got)
	}
}

// composed is the serial evaluation for the ranks [from, to).
func composed(from, to, length int) []affine {
	v := affines(from, length)
	for rank := from + 1; rank < to; rank++ {
		compose(v, affines(rank, length))
	}
	return v
}

// MPI 4.1, section 6.3: no rank leaves a barrier before all have entered.
func TestBarrier(t *testing.T) {
	barrier := func(t *testing.T, size int, options ...mpi.Option) {
		entered := make(chan int, size)
		require.NoError(t, mpi.RunLocal(size, func(world *mpi.Comm) error {
			entered <- world.Rank()
			err := world.Barrier()
			assert.Len(t, entered, size)
			return err
		}, options...))
	}
	oversubscribing(t, func(t *testing.T) {
		everySizeOf(t, func(t *testing.T, c carrier, size int) {
			c.run(t, func(t *testing.T, transport string) { barrier(t, size, mpi.WithTransport(transport)) })
		})
		t.Run("of two levels", func(t *testing.T) {
			forOneTransport(t, func(t *testing.T, options ...mpi.Option) { barrier(t, 40, options...) })
		})
	})
}

// Section 6.8, with more partners than a rank exchanges with at a time, and with blocks
// of which fewer are under way.
func TestAlltoallOfManyRanks(t *testing.T) {
	const size = 36
	forOneTransport(t, func(t *testing.T, options ...mpi.Option) {
		require.NoError(t, mpi.RunLocal(size, func(world *mpi.Comm) error {
			for _, length := range []int{40, 2100} {
				send, recv, want := make([]int, size*length), make([]int, size*length), make([]int, size*length)
				for i := range send {
					send[i] = world.Rank()*len(send) + i
					want[i] = i/length*len(send) + world.Rank()*length + i%length
				}
				if err := mpi.Alltoall(world, send, recv); err != nil {
					return err
				}
				equal(t, want, recv)
			}
			return nil
		}, options...))
	})
}

// Section 6.4.
func TestBcast(t *testing.T) {
	everySize(t, func(t *testing.T, world *mpi.Comm) {
		for _, length := range append(vectors, 17_000) {
			for _, root := range roots(world.Size()) {
				buf := make([]affine, length)
				if world.Rank() == root {
					copy(buf, affines(root, length))
				}
				require.NoError(t, mpi.Bcast(world, buf, root))
				equal(t, affines(root, length), buf)
			}
		}
	})
}

// Section 6.9.1: the result is that of the serial evaluation in the order of
// ranks, whatever the root, the length and the number of ranks.
func TestReduceInRankOrder(t *testing.T) {
	everySize(t, func(t *testing.T, world *mpi.Comm) {
		for _, length := range vectors {
			want := composed(0, world.Size(), length)
			for _, root := range roots(world.Size()) {
				send := affines(world.Rank(), length)
				var recv []affine
				if world.Rank() == root {
					recv = make([]affine, length)
				}
				require.NoError(t, mpi.Reduce(world, send, recv, compose, root))
				equal(t, affines(world.Rank(), length), send)
				if world.Rank() == root {
					equal(t, want, recv)
				}
			}
		}
	})
}

// Section 6.9.6.
func TestAllreduceInRankOrder(t *testing.T) {
	oversubscribing(t, func(t *testing.T) {
		everySize(t, func(t *testing.T, world *mpi.Comm) {
			for _, length := range vectors {
				send, recv := affines(world.Rank(), length), make([]affine, length)
				require.NoError(t, mpi.Allreduce(world, send, recv, compose))
				equal(t, affines(world.Rank(), length), send)
				equal(t, composed(0, world.Size(), length), recv)
			}
		})
	})
}

// Section 6.12.
func TestScanAndExscanInRankOrder(t *testing.T) {
	everySize(t, func(t *testing.T, world *mpi.Comm) {
		for _, length := range vectors {
			send, recv := affines(world.Rank(), length), make([]affine, length)
			require.NoError(t, mpi.Scan(world, send, recv, compose))
			equal(t, composed(0, world.Rank()+1, length), recv)
			untouched := slices.Clone(recv)
			require.NoError(t, mpi.Exscan(world, send, recv, compose))
			if world.Rank() == 0 {
				equal(t, untouched, recv)
			} else {
				equal(t, composed(0, world.Rank(), length), recv)
			}
		}
	})
}

// Section 6.9.1 (MPI_IN_PLACE): send and recv may be the same.
func TestReductionsInPlace(t *testing.T) {
	everySize(t, func(t *testing.T, world *mpi.Comm) {
		for _, length := range []int{3, 2500} {
			v := affines(world.Rank(), length)
			require.NoError(t, mpi.Allreduce(world, v, v, compose))
			equal(t, composed(0, world.Size(), length), v)

			v = affines(world.Rank(), length)
			require.NoError(t, mpi.Reduce(world, v, v, compose, 0))
			if world.Rank() == 0 {
				equal(t, composed(0, world.Size(), length), v)
			}

			v = affines(world.Rank(), length)
			require.NoError(t, mpi.Scan(world, v, v, compose))
			equal(t, composed(0, world.Rank()+1, length), v)

			v = affines(world.Rank(), length)
			require.NoError(t, mpi.Exscan(world, v, v, compose))
			if world.Rank() > 0 {
				equal(t, composed(0, world.Rank(), length), v)
			}
		}
	})
}

// The grouping of a reduction depends on nothing but operation, type, length and
// number of ranks: not on how many processors the host has.
func TestReductionsDoNotDependOnTheHost(t *testing.T) {
	for size, each := range map[int]func(*testing.T, func(*testing.T, ...mpi.Option)){
		5: forOneTransport, 7: forEachFastTransport, 9: forOneTransport,
	} {
		first := map[string][]float64{}
		oversubscribing(t, func(t *testing.T) {
			each(t, func(t *testing.T, options ...mpi.Option) {
				require.NoError(t, mpi.RunLocal(size, func(world *mpi.Comm) error {
					for _, length := range []int{1, 5, 3000} {
						random := rand.New(rand.NewPCG(1, uint64(world.Rank())))
						send, sum, prefix := make([]float64, length), make([]float64, length), make([]float64, length)
						for i := range send {
							send[i] = random.NormFloat64() * float64(uint64(1)<<random.IntN(60))
						}
						results := map[string][]float64{"Allreduce": sum, "Reduce": slices.Clone(sum), "Scan": prefix}
						require.NoError(t, mpi.Allreduce(world, send, sum, mpi.Sum))
						require.NoError(t, mpi.Reduce(world, send, results["Reduce"], mpi.Sum, 1))
						require.NoError(t, mpi.Scan(world, send, prefix, mpi.Sum))
						for name, got := range results {
							sameAsBefore(t, first, fmt.Sprintf("%s of %d on rank %d", name, length, world.Rank()), got)
						}
						sameAsBefore(t, first, fmt.Sprintf("Allreduce of %d", length), sum)
					}
					return nil
				}, options...))
			})
		})
	}
}

var results sync.Mutex

// sameAsBefore requires the result that the first call with the name had.
func sameAsBefore(t *testing.T, first map[string][]float64, name string, got []float64) {
	results.Lock()
	defer results.Unlock()
	if want, ok := first[name]; ok {
		require.True(t, slices.Equal(want, got), name)
	} else {
		first[name] = slices.Clone(got)
	}
}

// The grouping of a reduction does not depend on timing: floating-point sums
// repeat to the bit, and are the same on all ranks.
func TestReductionsAreDeterministic(t *testing.T) {
	for _, length := range []int{5, 5000} {
		for _, size := range []int{3, 8} {
			var first []float64
			again := func(t *testing.T, options ...mpi.Option) {
				sums := make([][]float64, size)
				require.NoError(t, mpi.RunLocal(size, func(world *mpi.Comm) error {
					random := rand.New(rand.NewPCG(1, uint64(world.Rank())))
					v := make([]float64, length)
					for i := range v {
						v[i] = random.NormFloat64() * float64(uint64(1)<<random.IntN(60))
					}
					sums[world.Rank()] = v
					return mpi.Allreduce(world, v, v, mpi.Sum)
				}, options...))
				if first == nil {
					first = sums[0]
				}
				for _, sum := range sums {
					equal(t, first, sum)
				}
			}
			forEachTransport(t, again)
			forOneTransport(t, again)
		}
	}
}

// Algorithms cut long vectors where they like: their messages need not be whole elements.
func TestCollectivesOfLargeElements(t *testing.T) {
	type element [3]int64
	ranks(t, 5, func(t *testing.T, world *mpi.Comm) {
		for _, length := range []int{1000, 4000} {
			vector, want := make([]element, length), make([]element, length)
			for i := range want {
				want[i] = element{int64(i), int64(length), -int64(i)}
			}
			if world.Rank() == 2 {
				copy(vector, want)
			}
			require.NoError(t, mpi.Bcast(world, vector, 2))
			require.Equal(t, want, vector)
		}
	})
}
