package mpi_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// TestAttributes shows what becomes of attributes when communicators are duplicated and freed.
func TestAttributes(t *testing.T) {
	require.NoError(t, mpi.RunLocal(2, func(world *mpi.Comm) error {
		var log []string
		counted := mpi.NewKey(func(_ *mpi.Comm, n int) (int, bool, error) { return n + 1, true, nil },
			func(_ *mpi.Comm, n int) error {
				log = append(log, fmt.Sprint("deleted ", n))
				return nil
			})
		same, own := mpi.NewKey(mpi.Copied[string], nil), mpi.NewKey[bool](nil, nil)
		require.NoError(t, counted.Set(world, 1))
		require.NoError(t, same.Set(world, "x"))
		require.NoError(t, own.Set(world, true))
		dup, err := world.Dup()
		require.NoError(t, err)
		n, ok, err := counted.Get(dup)
		assert.Equal(t, []any{2, true, nil}, []any{n, ok, err})
		s, _, _ := same.Get(dup)
		assert.Equal(t, "x", s)
		_, ok, err = own.Get(dup)
		assert.False(t, ok)
		require.NoError(t, err)
		require.ErrorIs(t, own.Delete(dup), mpi.ErrArg)

		require.NoError(t, counted.Set(dup, 10))
		require.NoError(t, dup.Free())
		assert.Equal(t, []string{"deleted 2", "deleted 10"}, log)
		require.NoError(t, counted.Free())
		require.ErrorIs(t, counted.Free(), mpi.ErrArg)
		require.ErrorIs(t, counted.Set(world, 3), mpi.ErrArg)
		require.NoError(t, counted.Delete(world))
		assert.Equal(t, "deleted 1", log[2])
		_, _, err = counted.Get(dup)
		require.ErrorIs(t, err, mpi.ErrComm)
		return nil
	}))
}

// TestFailedCopyFailsDup has the function of one rank refuse: then no rank has a duplicate.
func TestFailedCopyFailsDup(t *testing.T) {
	ranks(t, 3, func(t *testing.T, world *mpi.Comm) {
		refusal := errors.New("no")
		deleted := 0
		fine := mpi.NewKey(mpi.Copied[int], func(*mpi.Comm, int) error { deleted++; return nil })
		key := mpi.NewKey(func(c *mpi.Comm, n int) (int, bool, error) {
			if c.Rank() == 1 {
				return 0, false, refusal
			}
			return n, true, nil
		}, nil)
		require.NoError(t, fine.Set(world, 1))
		require.NoError(t, key.Set(world, 1))
		dup, err := world.Dup()
		require.Nil(t, dup)
		require.ErrorIs(t, err, mpi.ErrOther)
		require.Equal(t, world.Rank() == 1, errors.Is(err, refusal))
		require.Equal(t, 1, deleted, "the copy that there was is deleted")
		require.NoError(t, key.Delete(world))
		dup, err = world.Dup()
		require.NoError(t, err)
		require.NoError(t, dup.Free())
	})
}

// TestFailedDeleteFailsFree has the function of one rank refuse: then its communicator stays.
func TestFailedDeleteFailsFree(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		refusal := errors.New("no")
		dup, err := world.Dup()
		require.NoError(t, err)
		key := mpi.NewKey(nil, func(*mpi.Comm, error) error { return refusal })
		if world.Rank() == 0 {
			require.NoError(t, key.Set(dup, refusal))
			require.ErrorIs(t, dup.Free(), refusal)
			require.Equal(t, 2, dup.Size())
		}
		require.NoError(t, dup.Barrier(), "it can still be used")
		refusal = nil
		require.NoError(t, dup.Free())
	})
}

// TestFinalizeDeletesAttributesOfSelfFirst is what libraries use to end with the program.
func TestFinalizeDeletesAttributesOfSelfFirst(t *testing.T) {
	orders := make([][]string, 2)
	require.NoError(t, mpi.RunLocal(2, func(world *mpi.Comm) error {
		log := &orders[world.Rank()]
		key := func() *mpi.Key[string] {
			return mpi.NewKey(nil, func(c *mpi.Comm, s string) error {
				*log = append(*log, s)
				return c.Barrier() // the communicator can still be used
			})
		}
		require.NoError(t, key().Set(world, "world"))
		require.NoError(t, key().Set(world.Self(), "first"))
		require.NoError(t, key().Set(world.Self(), "second"))
		return nil
	}))
	for _, order := range orders {
		assert.Equal(t, []string{"second", "first", "world"}, order)
	}
}

func TestPredefinedAttributes(t *testing.T) {
	require.NoError(t, mpi.RunLocal(2, func(world *mpi.Comm) error {
		for a, want := range map[mpi.Predefined]int{
			mpi.TagUB: mpi.MaxTag, mpi.Host: mpi.ProcNull, mpi.IO: mpi.AnySource, mpi.WtimeIsGlobal: 0, mpi.UniverseSize: 2,
		} {
			value, ok, err := world.Predefined(a)
			require.NoError(t, err)
			assert.True(t, ok)
			assert.Equal(t, want, value)
		}
		last, _, err := world.Predefined(mpi.LastUsedCode)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, last, int(mpi.ErrIntern))
		_, ok, err := world.Predefined(mpi.AppNum)
		require.NoError(t, err)
		assert.False(t, ok)
		return nil
	}))
}

func TestHintsOfCommunicators(t *testing.T) {
	require.NoError(t, mpi.RunLocal(2, func(world *mpi.Comm) error {
		var hints mpi.Info
		require.NoError(t, hints.Set("mpi_assert_no_any_tag", "true"))
		require.NoError(t, hints.Set("something_else", "1"))
		c, err := world.DupWithInfo(&hints)
		require.NoError(t, err)
		used, err := c.Info()
		require.NoError(t, err)
		assert.Equal(t, []string{"mpi_assert_no_any_tag"}, used.Keys())

		_, err = mpi.Recv(c, make([]int, 1), 0, mpi.AnyTag)
		assert.EqualError(t, err, "mpi.Recv: invalid tag: tag is AnyTag, but mpi_assert_no_any_tag has been set")
		d, err := c.Dup()
		require.NoError(t, err)
		_, _, err = d.Iprobe(0, mpi.AnyTag)
		assert.ErrorIs(t, err, mpi.ErrTag, "a duplicate has the same hints")

		require.NoError(t, hints.Set("mpi_assert_no_any_source", "true"))
		require.NoError(t, hints.Set("mpi_assert_no_any_tag", "false"))
		require.NoError(t, c.SetInfo(&hints))
		_, err = mpi.Irecv(c, make([]int, 1), mpi.AnySource, 1)
		assert.ErrorIs(t, err, mpi.ErrRank)
		_, _, err = c.Iprobe(0, mpi.AnyTag)
		assert.NoError(t, err)

		require.NoError(t, hints.Set("mpi_assert_no_any_tag", "perhaps"))
		assert.ErrorContains(t, c.SetInfo(&hints), `mpi_assert_no_any_tag is "perhaps"; it must be true or false`)
		require.NoError(t, d.Free())
		return c.Free()
	}))
}

// The order of messages with different tags is the program's to give up, and to ask for again: then all ranks wait for each
// other.
func TestOrderMayBeGivenUp(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		hints := func(value string) *mpi.Info {
			var i mpi.Info
			require.NoError(t, i.Set("mpi_assert_allow_overtaking", value))
			return &i
		}
		c, err := world.DupWithInfo(hints("true"))
		require.NoError(t, err)
		const count, tags = 40, 7
		for round, value := range []string{"", "false", "true"} {
			if value != "" {
				require.NoError(t, c.SetInfo(hints(value)))
			}
			last := [tags]int{}
			for i := range count {
				if world.Rank() == 0 {
					require.NoError(t, mpi.Send(c, []int{round, i}, 1, i%tags))
					continue
				}
				got := []int{0, 0}
				status, err := mpi.Recv(c, got, 0, mpi.AnyTag)
				require.NoError(t, err)
				require.Equal(t, round, got[0], "nothing overtakes a message of another round, as all have been received")
				require.Equal(t, got[1]%tags, status.Tag)
				require.GreaterOrEqual(t, got[1], last[status.Tag], "messages of one tag keep their order")
				last[status.Tag] = got[1]
				if value == "false" {
					require.Equal(t, i, got[1])
				}
			}
			require.NoError(t, world.Barrier())
		}
		require.NoError(t, c.Free())
	})
}

// A rank whose hints are wrong leaves no other waiting, and the next call is in order.
func TestWrongHintsOfOneRankFailOnAll(t *testing.T) {
	require.NoError(t, mpi.RunLocal(3, func(world *mpi.Comm) error {
		const key = "mpi_assert_allow_overtaking"
		c, err := world.Dup()
		require.NoError(t, err)
		for _, test := range []struct{ value, wrong, want string }{
			{"true", "perhaps", ""}, {"true", "true", "true"}, {"false", "perhaps", "true"}, {"false", "false", "false"},
		} {
			value := test.value
			if world.Rank() == 1 {
				value = test.wrong
			}
			err := c.SetInfo(hintsOf(t, key, value))
			if test.wrong == "perhaps" {
				require.ErrorIs(t, err, mpi.ErrArg)
			} else {
				require.NoError(t, err)
			}
			used, err := c.Info()
			require.NoError(t, err)
			got, _ := used.Get(key)
			require.Equal(t, test.want, got)
		}
		return c.Free()
	}))
}
