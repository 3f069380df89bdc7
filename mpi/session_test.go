package mpi_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/pmi"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// MPI 4.1, section 11.3: sets of processes, groups of them, communicators of these.
func TestSession(t *testing.T) {
	ranks(t, 3, func(t *testing.T, world *mpi.Comm) {
		session, err := world.OpenSession()
		require.NoError(t, err)
		sets, err := session.ProcessSets()
		require.NoError(t, err)
		require.Equal(t, []string{"mpi://WORLD", "mpi://SELF", "mpix://SHARED"}, sets)
		for i, size := range []int{3, 1, 3} {
			known, err := session.ProcessSetInfo(sets[i])
			require.NoError(t, err)
			text, _ := known.Get("mpi_size")
			require.Equal(t, fmt.Sprint(size), text, sets[i])
			group, err := session.Group(sets[i])
			require.NoError(t, err)
			require.Equal(t, size, group.Size(), sets[i])
			c, err := session.CreateFromGroup(group, "a tag", nil)
			require.NoError(t, err)
			require.Equal(t, size, rankSum(t, c, 1))
			require.Equal(t, group.Rank(), c.Rank())
			require.NoError(t, c.Free())
		}
		_, err = session.Group("mpi://NONE")
		require.ErrorIs(t, err, mpi.ErrArg)
		_, err = session.ProcessSetInfo("")
		require.ErrorIs(t, err, mpi.ErrArg)

		// Several goroutines at a time, which tags keep apart; and a second session.
		second, err := world.OpenSession()
		require.NoError(t, err)
		all, err := second.Group("mpi://WORLD")
		require.NoError(t, err)
		made := make([]*mpi.Comm, 4)
		errs := make([]error, len(made))
		var calls sync.WaitGroup
		for i := range made {
			from := []*mpi.Session{session, second}[i%2]
			calls.Go(func() { made[i], errs[i] = from.CreateFromGroup(all, fmt.Sprint("library ", i), nil) })
		}
		calls.Wait()
		require.NoError(t, errors.Join(errs...))
		for i, c := range made {
			require.Equal(t, 3*i, rankSum(t, c, i))
			require.NoError(t, c.Free())
		}

		// Of some ranks only.
		ends, err := all.Include(2, 0)
		require.NoError(t, err)
		c, err := second.CreateFromGroup(ends, "ends", nil)
		if world.Rank() == 1 {
			require.ErrorIs(t, err, mpi.ErrArg)
		} else {
			require.NoError(t, err)
			require.Equal(t, 1-world.Rank()/2, c.Rank())
			require.NoError(t, c.Free())
		}
		c, err = second.CreateFromGroup(nil, "none", nil)
		require.NoError(t, err)
		require.Nil(t, c)
		_, err = second.CreateFromGroup(all, strings.Repeat("x", 256), nil)
		require.ErrorIs(t, err, mpi.ErrTag)

		require.NoError(t, session.Finalize())
		require.ErrorIs(t, session.Finalize(), mpi.ErrSession)
		_, err = session.ProcessSets()
		require.ErrorIs(t, err, mpi.ErrSession)
		_, err = session.CreateFromGroup(all, "", nil)
		require.ErrorIs(t, err, mpi.ErrSession)
		require.ErrorIs(t, world.Finalize(), mpi.ErrSession, "the second one is open")
		require.NoError(t, second.Finalize())
		require.ErrorIs(t, (*mpi.Session)(nil).Finalize(), mpi.ErrSession)
	})
}

func TestIntercommunicatorOfASession(t *testing.T) {
	ranks(t, 4, func(t *testing.T, world *mpi.Comm) {
		session, err := world.OpenSession()
		require.NoError(t, err)
		all, err := session.Group("mpi://WORLD")
		require.NoError(t, err)
		first, err := all.Include(3)
		require.NoError(t, err)
		second := all.Difference(first)
		near, far, leaders := first, second, []int{0, 1}
		if world.Rank() != 3 {
			near, far, leaders = second, first, []int{1, 0}
		}
		for _, tag := range []string{"", "another"} {
			inter, err := session.CreateIntercommFromGroups(near, leaders[0], far, leaders[1], tag, nil)
			require.NoError(t, err)
			require.Equal(t, mpi.Identical, inter.Group().Compare(near))
			require.Equal(t, mpi.Identical, inter.RemoteGroup().Compare(far))
			require.Equal(t, far.Size(), rankSum(t, inter, 1))
			require.NoError(t, inter.Free())
		}
		inter, err := session.CreateIntercommFromGroups(near, 0, nil, 0, "", nil)
		require.NoError(t, err)
		require.Nil(t, inter)
		_, err = session.CreateIntercommFromGroups(near, 0, far, far.Size(), "", nil)
		require.ErrorIs(t, err, mpi.ErrRank)
		_, err = session.CreateIntercommFromGroups(near, 0, all, 0, "", nil)
		require.ErrorIs(t, err, mpi.ErrArg)
		_, err = session.CreateIntercommFromGroups(far, 0, near, 0, "", nil)
		require.ErrorIs(t, err, mpi.ErrArg)
		require.NoError(t, session.Finalize())
	})
}

// A group that cannot agree with itself tells the other one, and the next call is in order.
func TestBothGroupsHearOfOneThatDoesNotAgree(t *testing.T) {
	ranks(t, 4, func(t *testing.T, world *mpi.Comm) {
		session, err := world.OpenSession()
		require.NoError(t, err)
		all, err := session.Group("mpi://WORLD")
		require.NoError(t, err)
		var halves [2]*mpi.Group
		for i := range halves {
			halves[i], err = all.Include(2*i, 2*i+1)
			require.NoError(t, err)
		}
		near, far := halves[world.Rank()/2], halves[1-world.Rank()/2]
		create := func(odd int) (*mpi.Comm, error) {
			hints := new(mpi.Info)
			if world.Rank() == odd {
				require.NoError(t, hints.Set("mpi_assert_no_any_tag", "perhaps"))
			}
			return session.CreateIntercommFromGroups(near, 1, far, 1, "tag", hints)
		}
		for odd := range 4 {
			inter, err := create(odd)
			require.ErrorIs(t, err, mpi.ErrArg)
			require.Nil(t, inter)
		}
		inter, err := create(mpi.ProcNull)
		require.NoError(t, err)
		require.NoError(t, inter.Barrier())
		require.NoError(t, inter.Free())
		require.NoError(t, session.Finalize())
	})
}

// The process is in its job from the first session to the last; it may do so again.
func TestSessionsWithoutWorld(t *testing.T) {
	for range 2 {
		first, err := mpi.OpenSession()
		require.NoError(t, err)
		second, err := mpi.OpenSession()
		require.NoError(t, err)
		require.NoError(t, first.Finalize())
		self, err := second.Group("mpi://SELF")
		require.NoError(t, err)
		c, err := second.CreateFromGroup(self, "", nil)
		require.NoError(t, err)
		require.NoError(t, c.Barrier())
		require.NoError(t, second.Finalize())
		require.ErrorIs(t, c.Barrier(), mpi.ErrClosed)
	}
}

// Sessions and the world of Init are of one process, whichever comes first.
func TestSessionsBesideAWorld(t *testing.T) {
	session, err := mpi.OpenSession()
	require.NoError(t, err)
	world, err := mpi.Init()
	require.NoError(t, err)
	_, err = mpi.Init()
	require.ErrorIs(t, err, mpi.ErrOther)
	second, err := mpi.OpenSession()
	require.NoError(t, err)
	require.ErrorIs(t, world.Finalize(), mpi.ErrSession)
	require.NoError(t, session.Finalize())
	require.NoError(t, second.Finalize())
	require.NoError(t, world.Barrier())
	require.NoError(t, world.Finalize())
}

// sessionsAlone is a program that has no world.
func sessionsAlone() error {
	session, err := mpi.OpenSession()
	if err != nil {
		return err
	}
	all, err := session.Group("mpi://WORLD")
	if err != nil {
		return err
	}
	c, err := session.CreateFromGroup(all, "sum", nil)
	if err != nil {
		return err
	}
	sum, err := mpi.AllreduceValue(c, c.Rank()+1, mpi.Sum)
	if err != nil {
		return err
	}
	fmt.Printf("rank %d of %d: %d\n", c.Rank(), c.Size(), sum)
	return session.Finalize()
}

func TestJobWithoutWorld(t *testing.T) {
	ranks, aborts := launch(t, "sessions", 3)
	for rank, r := range ranks {
		require.False(t, r.failed, r.stderr)
		require.Equal(t, fmt.Sprintf("rank %d of 3: 6\n", rank), r.stdout)
		require.Equal(t, pmi.Finalised, r.phase)
	}
	require.Empty(t, aborts)
}

// Two libraries have sessions of their own, and communicators that neither had to be given.
func ExampleComm_OpenSession() {
	library := func(world *mpi.Comm, name string) (int, error) { // OpenSession, in a program that is not for RunLocal
		session, err := world.OpenSession()
		if err != nil {
			return 0, err
		}
		group, err := session.Group("mpi://WORLD")
		if err != nil {
			return 0, err
		}
		c, err := session.CreateFromGroup(group, name, nil)
		if err != nil {
			return 0, err
		}
		sum, err := mpi.AllreduceValue(c, c.Rank(), mpi.Sum)
		return sum, errors.Join(err, c.Free(), session.Finalize())
	}
	err := mpi.RunLocal(4, func(world *mpi.Comm) error {
		for _, name := range []string{"example.org/one", "example.org/two"} {
			sum, err := library(world, name)
			if err != nil {
				return err
			}
			if world.Rank() == 0 {
				fmt.Println(name, sum)
			}
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// example.org/one 6
	// example.org/two 6
}
