package mpi_test

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// rankSum is the sum of what all ranks of a communicator pass.
func rankSum(t *testing.T, c *mpi.Comm, mine int) int {
	t.Helper()
	total, err := mpi.AllreduceValue(c, mine, mpi.Sum)
	require.NoError(t, err)
	return total
}

func TestCreate(t *testing.T) {
	ranks(t, 5, func(t *testing.T, world *mpi.Comm) {
		low, err := world.Group().Include(2, 0)
		require.NoError(t, err)
		high, err := world.Group().Include(4, 3)
		require.NoError(t, err)
		mine := low // of rank 1 too, which is in neither
		if world.Rank() > 2 {
			mine = high
		}
		c, err := world.Create(mine)
		require.NoError(t, err)
		if world.Rank() == 1 {
			require.Nil(t, c)
		} else {
			require.Equal(t, mine.Rank(), c.Rank())
			require.Equal(t, mpi.Identical, c.Group().Compare(mine))
			want := map[bool]int{true: 2, false: 7}[world.Rank() < 3]
			require.Equal(t, want, rankSum(t, c, world.Rank()))
			require.NoError(t, c.Free())
		}
		// Groups that differ are found out, and so are those with processes that are not there.
		if _, err = world.Create(nil); world.Rank() == 0 {
			require.NoError(t, err)
		}
		part, err := world.Split(world.Rank()%2, 0)
		require.NoError(t, err)
		_, err = part.Create(world.Group())
		require.ErrorIs(t, err, mpi.ErrArg)
	})
}

// TestCreateGroup has several communicators made at the same time, by overlapping groups, in different orders.
func TestCreateGroup(t *testing.T) {
	ranks(t, 4, func(t *testing.T, world *mpi.Comm) {
		all := world.Group()
		left, err := all.Include(0, 1, 2)
		require.NoError(t, err)
		right, err := all.Include(3, 2, 1)
		require.NoError(t, err)
		groups := []*mpi.Group{left, right}
		made := make([]*mpi.Comm, 2)
		failed := make([]error, 2)
		done := make(chan int, 2)
		for i, g := range groups {
			if g.Rank() == mpi.Undefined {
				done <- i
				continue
			}
			go func() {
				made[i], failed[i] = world.CreateGroup(g, i)
				done <- i
			}()
		}
		<-done
		<-done
		for i, g := range groups {
			require.NoError(t, failed[i])
			if made[i] != nil {
				require.Equal(t, g.Rank(), made[i].Rank())
				require.Equal(t, 3, rankSum(t, made[i], 1))
				require.NoError(t, made[i].Free())
			}
		}
		if world.Rank() == 3 {
			_, err = world.CreateGroup(left, 0)
			require.ErrorIs(t, err, mpi.ErrArg)
		}
	})
}

// TestCreateGroupOfOthers has ranks that pass different groups fail, all of them.
func TestCreateGroupOfOthers(t *testing.T) {
	ranks(t, 3, func(t *testing.T, world *mpi.Comm) {
		g, err := world.Group().Include(0, 1, 2)
		require.NoError(t, err)
		if world.Rank() == 2 { // it has the same place and the same first rank in both
			g, err = world.Group().Union(nil).Include(0, 2)
			require.NoError(t, err)
			g, err = g.Include(0, 1)
			require.NoError(t, err)
		}
		_, err = world.CreateGroup(g, 5)
		require.Error(t, err)
	})
}

// A rank that gives up fails CreateGroup on the others, and the next call is in order.
func TestCreateGroupIsGivenUp(t *testing.T) {
	ranks(t, 4, func(t *testing.T, world *mpi.Comm) {
		patient := world
		if world.Rank() == 2 { // which passes on what ranks 0 and 3 say
			patient = world.WithContext(ended(errPatience))
		}
		_, err := patient.CreateGroup(world.Group(), 5)
		require.ErrorIs(t, err, mpi.ErrCancelled)
		if world.Rank() == 2 {
			require.ErrorIs(t, err, errPatience)
		} else {
			require.ErrorContains(t, err, "it failed on rank")
		}
		c, err := world.CreateGroup(world.Group(), 5)
		require.NoError(t, err)
		require.Equal(t, 4, rankSum(t, c, 1))
		require.NoError(t, c.Free())
	})
}

func TestSplitType(t *testing.T) {
	hosts := []int32{3, 7, 3, 7, 7}
	ranks(t, len(hosts), func(t *testing.T, world *mpi.Comm) {
		c, err := world.SplitType(mpi.SplitShared, -world.Rank())
		require.NoError(t, err)
		want := map[int32]int{3: 2, 7: 3}[hosts[world.Rank()]]
		require.Equal(t, want, c.Size())
		require.Equal(t, want, rankSum(t, c, 1))
		require.NoError(t, c.Free())
		c, err = world.SplitType(mpi.SplitHWGuided, 0)
		require.NoError(t, err)
		require.Nil(t, c)
		c, err = world.SplitType(mpi.SplitKind(mpi.Undefined), 0)
		require.NoError(t, err)
		require.Nil(t, c)
	}, mpi.WithHosts(hosts...))
}

func TestSelf(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		self := world.Self()
		require.Equal(t, 1, self.Size())
		require.Equal(t, "self", self.Name())
		require.NoError(t, self.Barrier())
		r := must(t)(mpi.Irecv(self, make([]int, 1), 0, 3))
		require.NoError(t, mpi.Send(self, []int{world.Rank()}, 0, 3))
		wait(t, r)
		again, err := self.Compare(world.Self())
		require.NoError(t, err)
		require.Equal(t, mpi.Identical, again)
		require.ErrorIs(t, self.Free(), mpi.ErrComm)
		var none *mpi.Comm
		require.Nil(t, none.Self())
	})
}

func TestIdup(t *testing.T) {
	ranks(t, 3, func(t *testing.T, world *mpi.Comm) {
		var made []*mpi.Comm
		var requests []*mpi.Request
		for range 5 {
			c, r, err := world.Idup()
			require.NoError(t, err)
			made, requests = append(made, c), append(requests, r)
		}
		_, err := mpi.WaitAll(context.Background(), requests...)
		require.NoError(t, err)
		for i, c := range made {
			require.Equal(t, 3*i, rankSum(t, c, i))
			require.NoError(t, c.Free())
		}
	})
}

func TestCompare(t *testing.T) {
	require.NoError(t, mpi.RunLocal(3, func(world *mpi.Comm) error {
		dup, err := world.Dup()
		require.NoError(t, err)
		back, err := world.Split(0, -world.Rank())
		require.NoError(t, err)
		for _, c := range []struct {
			a, b *mpi.Comm
			want mpi.Comparison
		}{
			{world, world.WithContext(context.Background()), mpi.Identical},
			{world, dup, mpi.Congruent}, {dup, back, mpi.Similar}, {world, world.Self(), mpi.Unequal},
		} {
			got, err := c.a.Compare(c.b)
			require.NoError(t, err)
			assert.Equal(t, c.want, got, c.want)
		}
		require.NoError(t, dup.Free())
		_, err = dup.Compare(world)
		assert.ErrorIs(t, err, mpi.ErrComm)
		return nil
	}))
}

func TestNamesAreInErrors(t *testing.T) {
	require.NoError(t, mpi.RunLocal(1, func(world *mpi.Comm) error {
		c, err := world.Dup()
		require.NoError(t, err)
		require.NoError(t, c.SetName("halo"))
		require.Equal(t, "halo", c.Name())
		require.ErrorIs(t, c.SetName(string(make([]byte, 128))), mpi.ErrArg)
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		err = mpi.Send(c.WithContext(ended), []int{1}, 0, 1)
		assert.ErrorContains(t, err, "send to rank 0 with tag 1 on halo")
		require.NoError(t, c.Free())
		assert.ErrorContains(t, c.Barrier(), "the communicator halo has been freed")
		return nil
	}))
}

// TestFreeWaitsForNobody has a rank free a communicator on which another still sends to it.
func TestFreeWaitsForNobody(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		c, err := world.Dup()
		require.NoError(t, err)
		got := make([]int, 1)
		var r *mpi.Request
		if world.Rank() == 0 {
			r = must(t)(mpi.Irecv(c, got, 1, 0))
			require.NoError(t, c.Free())
			require.NoError(t, mpi.Send(world, []int{1}, 1, 0)) // only now the other may go on
			wait(t, r)
			require.Equal(t, 42, got[0])
		} else {
			_, err = mpi.Recv(world, got, 0, 0)
			require.NoError(t, err)
			require.NoError(t, mpi.Ssend(c, []int{42}, 0, 0))
			require.NoError(t, c.Free())
		}
		require.ErrorIs(t, c.Free(), mpi.ErrComm)
	})
}

// TestFreeNeverWaits has each rank free many communicators that the other keeps until this one has freed them.
func TestFreeNeverWaits(t *testing.T) {
	const count = 40
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		var all [2][]*mpi.Comm
		for range count {
			for i := range all {
				all[i] = append(all[i], must2(t)(world.Dup()))
			}
		}
		free := func(all []*mpi.Comm) {
			for _, c := range all {
				require.NoError(t, c.Free())
			}
		}
		free(all[world.Rank()])
		require.NoError(t, world.Barrier())
		free(all[1-world.Rank()])
	})
}

// TestCommunicatorsLeaveNothing makes and frees many communicators, while one rank lags behind, and counts what is left.
func TestCommunicatorsLeaveNothing(t *testing.T) {
	t.Setenv(rpi.EnvStreams, "64") // without it sctp-pertrc takes new streams first, and remembers each
	n := 300
	if long() {
		n = 100_000
	}
	for _, c := range carriers {
		if c.impaired {
			continue
		}
		n := n
		if c.slow || strings.HasPrefix(c.name, "tcp-pertrc") { // where each communicator makes connections
			n = min(n, 20_000)
		}
		c.ranks(t, 4, func(t *testing.T, world *mpi.Comm) {
			var before, after runtime.MemStats
			measure := func(m *runtime.MemStats) { // while the other ranks do nothing
				require.NoError(t, world.Barrier())
				if world.Rank() == 0 {
					runtime.GC()
					runtime.ReadMemStats(m)
				}
				require.NoError(t, world.Barrier())
			}
			for i := range n {
				if i == n/2 {
					measure(&before)
				}
				d, err := world.Dup()
				require.NoError(t, err)
				if i%50 == 7 { // otherwise rank 0 would be ahead
					require.NoError(t, d.Barrier())
				}
				require.NoError(t, d.Free())
			}
			// What the last few have left, such as connections to be closed, may still be under way. What stays does so however
			// often it is looked for.
			grown := []int64{0}
			for range 100 {
				measure(&after)
				grown[0] = int64(after.HeapObjects) - int64(before.HeapObjects)
				require.NoError(t, mpi.Bcast(world, grown, 0)) // rank 0 has measured
				if grown[0] < int64(20*n/2) {
					break
				}
			}
			require.Less(t, grown[0], int64(20*n/2), "objects stay for each communicator")
		})
	}
}
