package mpi_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/internal/mpitest"
)

// parcel is block i that a rank sends, of a length that its receiver knows too.
func parcel(round, rank, i, length int) []int {
	return sequence(round*1_000_000+rank*10_000+i*100_003, length)
}

// unequal is the length of block i of a rank.
func unequal(round, rank, i int) int {
	lengths := []int{0, 1, 3, 40, 700, 9000}
	return lengths[(round*7+rank*5+i*3)%len(lengths)]
}

// neighborExchange starts a random neighbourhood collective on c, and returns what to check when it is complete.
func neighborExchange(t *testing.T, a *mpitest.Arrangement, random *rand.Rand, c *mpi.Comm, round int) (*mpi.Request, func()) {
	me := c.Rank()
	sources, destinations := a.From[me], a.To[me]
	what, length := random.IntN(4), []int{0, 1, 50, 3000}[random.IntN(4)]
	size := func(rank, i int) int { return length }
	if what%2 == 1 {
		size = func(rank, i int) int { return unequal(round, rank, i) }
	}
	all := what < 2 // each rank has one block for all
	number := func(i int) int {
		if all {
			return 0
		}
		return i
	}
	var send, recv, want []int
	var sendLayout, recvLayout mpi.Layout
	for i := range destinations {
		sendLayout.Counts = append(sendLayout.Counts, size(me, number(i)))
		send = append(send, parcel(round, me, number(i), size(me, number(i)))...)
	}
	if all {
		send = parcel(round, me, 0, size(me, 0))
	}
	for k, source := range sources {
		n := length
		if source >= 0 {
			sender, block := a.Outgoing(me, k)
			n = size(sender, number(block))
			want = append(want, parcel(round, sender, number(block), n)...)
		} else {
			want = append(want, make([]int, n)...) // as it is
		}
		recvLayout.Counts = append(recvLayout.Counts, n)
	}
	recv = make([]int, len(want))
	switch random.IntN(3) {
	case 0:
		require.NoError(t, []func() error{
			func() error { return mpi.NeighborAllgather(c, send, recv) },
			func() error { return mpi.NeighborAllgatherv(c, send, recv, recvLayout) },
			func() error { return mpi.NeighborAlltoall(c, send, recv) },
			func() error { return mpi.NeighborAlltoallv(c, send, sendLayout, recv, recvLayout) },
		}[what]())
		return nil, func() { equal(t, want, recv) }
	case 1:
		r := must(t)([]func() (*mpi.Request, error){
			func() (*mpi.Request, error) { return mpi.IneighborAllgather(c, send, recv) },
			func() (*mpi.Request, error) { return mpi.IneighborAllgatherv(c, send, recv, recvLayout) },
			func() (*mpi.Request, error) { return mpi.IneighborAlltoall(c, send, recv) },
			func() (*mpi.Request, error) { return mpi.IneighborAlltoallv(c, send, sendLayout, recv, recvLayout) },
		}[what]())
		return r, func() { equal(t, want, recv) }
	}
	r := must(t)([]func() (*mpi.Request, error){
		func() (*mpi.Request, error) { return mpi.NeighborAllgatherInit(c, send, recv) },
		func() (*mpi.Request, error) { return mpi.NeighborAllgathervInit(c, send, recv, recvLayout) },
		func() (*mpi.Request, error) { return mpi.NeighborAlltoallInit(c, send, recv) },
		func() (*mpi.Request, error) { return mpi.NeighborAlltoallvInit(c, send, sendLayout, recv, recvLayout) },
	}[what]())
	require.NoError(t, r.Start())
	return r, func() {
		equal(t, want, recv)
		clear(recv)
		require.NoError(t, r.Start())
		wait(t, r)
		equal(t, want, recv)
		require.NoError(t, r.Free())
	}
}

// Random topologies, and random collectives on them, several under way. Each rank knows what it must get.
func TestRandomNeighborhoods(t *testing.T) {
	seed, topologies := uint64(time.Now().UnixNano()), 5
	if long() {
		topologies = 200
	}
	t.Logf("seed %d", seed)
	for _, size := range []int{1, 2, 7} {
		ranks(t, size, func(t *testing.T, world *mpi.Comm) {
			random := rand.New(rand.NewPCG(seed, uint64(size))) // the same on all ranks
			for range topologies {
				a := mpitest.RandomArrangement(random, size)
				c, err := a.Create(world)
				require.NoError(t, err)
				choices := rand.New(rand.NewPCG(random.Uint64(), 0))
				if c == nil {
					require.GreaterOrEqual(t, world.Rank(), len(a.From))
					continue
				}
				require.Equal(t, len(a.From), c.Size())
				if choices.IntN(4) == 0 {
					c, err = c.Dup()
					require.NoError(t, err)
				}
				var open []*mpi.Request
				var checks []func()
				for round := range 4 {
					r, check := neighborExchange(t, &a, choices, c, round)
					open, checks = append(open, r), append(checks, check)
				}
				for i := range open {
					wait(t, open[i])
					checks[i]()
				}
				require.NoError(t, c.Free())
			}
		})
	}
}

// ring returns world as a ring.
func ring(t *testing.T, world *mpi.Comm) *mpi.Comm {
	c, err := world.CartCreate([]int{world.Size()}, []bool{true}, false)
	require.NoError(t, err)
	return c
}

// Section 8.6: with one or two ranks in a ring, what is sent to the rank behind arrives as from the one before.
func TestNeighborsOnBothSides(t *testing.T) {
	for size := 1; size <= 3; size++ {
		ranks(t, size, func(t *testing.T, world *mpi.Comm) {
			c, me := ring(t, world), world.Rank()
			before, behind := (me+size-1)%size, (me+1)%size
			got := make([]int, 2)
			require.NoError(t, mpi.NeighborAlltoall(c, []int{10*me + 1, 10*me + 2}, got))
			require.Equal(t, []int{10*before + 2, 10*behind + 1}, got)
		})
	}
}

// Parts of one slice may be sent and received, if they are apart.
func TestNeighborsInOneSlice(t *testing.T) {
	ranks(t, 3, func(t *testing.T, world *mpi.Comm) {
		c, me := ring(t, world), world.Rank()
		row := []int{0, 10*me + 1, 10*me + 2, 0} // with a halo
		inner, halo := mpi.Layout{Counts: []int{1, 1}, Displs: []int{1, 2}}, mpi.Layout{Counts: []int{1, 1}, Displs: []int{0, 3}}
		require.NoError(t, mpi.NeighborAlltoallv(c, row, inner, row, halo))
		require.Equal(t, []int{10*((me+2)%3) + 2, 10*me + 1, 10*me + 2, 10*((me+1)%3) + 1}, row)

		halo.Displs[1] = 2
		err := mpi.NeighborAlltoallv(c, row, inner, row, halo)
		require.ErrorIs(t, err, mpi.ErrBuffer)
		require.ErrorContains(t, err, "the receive block 1 and the send block 1 overlap")
	})
}

func TestNeighborArguments(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		err := mpi.NeighborAllgather(world, []int{1}, make([]int, 2))
		require.ErrorIs(t, err, mpi.ErrTopology)
		require.ErrorContains(t, err, "make one with CartCreate")
		oneWay, err := world.GraphCreate([]int{1, 1}, []int{1}, false)
		require.NoError(t, err)
		require.ErrorContains(t, mpi.NeighborAlltoall(oneWay, []int{1}, []int{1}), "more edges in one direction than back")
		c := ring(t, world)
		for text, call := range map[string]func() error{
			"the send buffer has 3 elements, which cannot be divided evenly among 2 neighbours":   func() error { return mpi.NeighborAlltoall(c, make([]int, 3), make([]int, 2)) },
			"the receive buffer has 1 element, which cannot be divided evenly among 2 neighbours": func() error { return mpi.NeighborAllgather(c, make([]int, 3), make([]int, 1)) },
			"the receive layout has 3 counts for 2 neighbours": func() error {
				return mpi.NeighborAllgatherv(c, []int{1}, make([]int, 3), mpi.Layout{Counts: []int{1, 1, 1}})
			},
			"the send part of neighbour 1, 2 elements from 1 on, is not within the buffer of 2": func() error {
				return mpi.NeighborAlltoallv(c, make([]int, 2), mpi.Layout{Counts: []int{1, 2}}, nil, mpi.Layout{Counts: []int{0, 0}})
			},
			"type string cannot be sent": func() error { return mpi.NeighborAllgather(c, []string{"a"}, make([]string, 2)) },
		} {
			require.ErrorContains(t, call(), text)
			require.NoError(t, c.Barrier())
		}
	})
}

// Neighbours that do not agree get errors that say in what, and the next call is in order.
func TestNeighborsThatDiffer(t *testing.T) {
	for name, test := range map[string]struct {
		call  func(c *mpi.Comm, odd bool) error
		class mpi.Class
		text  string
	}{
		"length": {func(c *mpi.Comm, odd bool) error {
			n := map[bool]int{true: 2, false: 1}[odd]
			return mpi.NeighborAllgather(c, make([]int, 1), make([]int, 2*n))
		}, mpi.ErrCount, "sent 1 element of int64 where this rank expects 2"},
		"type": {func(c *mpi.Comm, odd bool) error {
			if odd {
				return mpi.NeighborAllgather(c, make([]float64, 1), make([]float64, 2))
			}
			return mpi.NeighborAllgather(c, make([]int, 1), make([]int, 2))
		}, mpi.ErrType, "sent elements of int64 where this rank expects elements of float64"},
	} {
		t.Run(name, func(t *testing.T) {
			disagreeing(t, 4, func(t *testing.T, world *mpi.Comm) {
				c := ring(t, world)
				odd := world.Rank() == 1
				err := test.call(c, odd)
				if odd {
					require.ErrorIs(t, err, test.class)
					require.Regexp(t, test.text+"|it failed on rank [02]", err.Error()) // which of them has noticed first
				}
				require.NoError(t, c.Barrier())
			})
		})
	}
}

// The death of a rank fails the collectives of its neighbours, and of those for which these had something then. None hangs.
func TestNeighborhoodOfARankThatDies(t *testing.T) {
	for _, carrier := range carriers {
		if carrier.impaired {
			continue
		}
		carrier.run(t, func(t *testing.T, transport string) {
			err := mpi.RunLocal(6, func(world *mpi.Comm) error {
				me := world.Rank()
				c, err := world.CartCreate([]int{6}, nil, false)
				require.NoError(t, err)
				require.NoError(t, world.Barrier())
				if me == 5 {
					return errDisk
				}
				r, err := mpi.IneighborAlltoall(c, make([]int, 20_000), make([]int, 20_000))
				require.NoError(t, err)
				_, err = r.Wait(t.Context())
				if me == 4 || err != nil {
					require.ErrorIs(t, err, mpi.ErrProcFailed)
				}
				return nil
			}, mpi.WithTransport(transport))
			require.ErrorIs(t, err, errDisk)
		})
	}
}
