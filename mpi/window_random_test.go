package mpi_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// A random program of one-sided operations consists of epochs. In each, the windows of all ranks are cut into segments, and
// a segment is used in one way, by one origin or by several, so that it is known what its elements are at the end, and what
// operations that read them get.
type segment struct {
	target, first, length int
	use                   use
	origin                int // of uses by one origin
	seed                  int64
}

type use int

const (
	usePut      use = iota // by one origin
	useGet                 // by all
	useSum                 // by all
	useChain               // several accumulates by one origin, which come in order
	useRequests            // as a chain, by the operations with requests
	uses
)

// epoch is how the ranks of a random program synchronize.
type epoch int

const (
	fences epoch = iota
	lockAll
	locks
	groups
	epochs
)

// randomWindow returns a seed's epochs, for n windows of length elements.
func randomWindow(seed uint64, n, length int) (kinds []epoch, segments [][]segment) {
	r := rand.New(rand.NewPCG(seed, 18))
	for range 3 {
		kind := epoch(r.IntN(int(epochs)))
		var all []segment
		for target := range n {
			for first := 0; first < length; {
				s := segment{target: target, first: first, use: use(r.IntN(int(uses))), origin: r.IntN(n), seed: r.Int64N(1000)}
				if s.use == useRequests && kind != lockAll && kind != locks {
					s.use = useChain // requests need locks
				}
				s.length = min(1+r.IntN(1<<r.IntN(13)), length-first)
				first += s.length
				all = append(all, s)
			}
		}
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		kinds, segments = append(kinds, kind), append(segments, all)
	}
	return kinds, segments
}

// data is what an origin brings for a segment.
func (s *segment) data(origin int) []int64 { return sequence64(int(s.seed)+7*origin, s.length) }

// apply changes the elements of the segment as all ranks do.
func (s *segment) apply(model []int64, n int) {
	part := model[s.first : s.first+s.length]
	switch s.use {
	case usePut:
		copy(part, s.data(s.origin))
	case useSum:
		for origin := range n {
			mpi.Sum(part, s.data(origin))
		}
	case useChain, useRequests:
		mpi.Sum(part, s.data(s.origin))
		mpi.Max(part, s.data(s.origin+1))
		mpi.BitXor(part, s.data(s.origin+2))
	}
}

// check is what a rank compares at the end of an epoch.
type check struct {
	got, want []int64
	what      string
}

// begin begins this rank's operations on a segment, whose elements are model.
func (s *segment) begin(t *testing.T, w *mpi.Win[int64], me int, model []int64) (checks []check) {
	reads := func(want []int64) []int64 {
		got := make([]int64, s.length)
		checks = append(checks, check{got, append([]int64(nil), want...), fmt.Sprintf("%+v", *s)})
		return got
	}
	part := append([]int64(nil), model[s.first:s.first+s.length]...)
	switch {
	case s.use == useGet:
		require.NoError(t, w.Get(reads(part), s.target, s.first))
		require.NoError(t, w.GetAccumulate(nil, reads(part), mpi.NoOp, s.target, s.first))
	case s.use == useSum:
		require.NoError(t, w.Accumulate(s.data(me), mpi.Sum, s.target, s.first))
	case me != s.origin:
	case s.use == usePut:
		require.NoError(t, w.Put(s.data(me), s.target, s.first))
	case s.use == useChain:
		require.NoError(t, w.Accumulate(s.data(me), mpi.Sum, s.target, s.first))
		mpi.Sum(part, s.data(me))
		require.NoError(t, w.GetAccumulate(s.data(me+1), reads(part), mpi.Max, s.target, s.first))
		require.NoError(t, w.Accumulate(s.data(me+2), mpi.BitXor, s.target, s.first))
	case s.use == useRequests:
		first := must(t)(w.Raccumulate(s.data(me), mpi.Sum, s.target, s.first))
		mpi.Sum(part, s.data(me))
		second := must(t)(w.RgetAccumulate(s.data(me+1), reads(part), mpi.Max, s.target, s.first))
		third := must(t)(w.Raccumulate(s.data(me+2), mpi.BitXor, s.target, s.first))
		_, err := mpi.WaitAll(t.Context(), first, second, third)
		require.NoError(t, err)
	}
	return checks
}

// runRandomWindow is one rank of a random program.
func runRandomWindow(t *testing.T, world *mpi.Comm, seed uint64) {
	n, length := world.Size(), 6000
	kinds, segments := randomWindow(seed, n, length)
	w, err := mpi.WinAllocate[int64](world, length)
	require.NoError(t, err)
	models := make([][]int64, n)
	for target := range models {
		models[target] = sequence64(100*target, length)
	}
	copy(w.Memory(), models[world.Rank()])
	require.NoError(t, w.Sync())
	require.NoError(t, world.Barrier())
	for i, kind := range kinds {
		require.NoError(t, open(w, world, kind))
		var checks []check
		for _, s := range segments[i] {
			if kind != locks {
				checks = append(checks, s.begin(t, w, world.Rank(), models[s.target])...)
				continue
			}
			require.NoError(t, w.Lock([]mpi.LockType{mpi.LockShared, mpi.LockExclusive}[s.seed%2], s.target))
			checks = append(checks, s.begin(t, w, world.Rank(), models[s.target])...)
			require.NoError(t, w.Unlock(s.target))
		}
		require.NoError(t, shut(w, kind))
		require.NoError(t, world.Barrier()) // all ranks have ended the epoch
		require.NoError(t, w.Sync())
		for _, c := range checks {
			require.Equal(t, c.want, c.got, "seed %d, epoch %d (%d), %s", seed, i, kind, c.what)
		}
		for _, s := range segments[i] {
			s.apply(models[s.target], n)
		}
		require.Equal(t, models[world.Rank()], w.Memory(), "seed %d, epoch %d (%d)", seed, i, kind)
		require.NoError(t, world.Barrier()) // and none reads its memory any more
	}
	require.NoError(t, w.Free())
}

// open begins an epoch with all ranks.
func open(w *mpi.Win[int64], world *mpi.Comm, kind epoch) error {
	switch kind {
	case fences:
		return w.Fence(mpi.NoPrecede)
	case lockAll:
		return w.LockAll()
	case groups:
		if err := w.Post(world.Group()); err != nil {
			return err
		}
		return w.Start(world.Group())
	}
	return nil
}

// shut ends it.
func shut(w *mpi.Win[int64], kind epoch) error {
	switch kind {
	case fences:
		return w.Fence(mpi.NoSucceed)
	case lockAll:
		return w.UnlockAll()
	case groups:
		if err := w.Complete(); err != nil {
			return err
		}
		return w.Wait()
	}
	return nil
}

func TestRandomProgramsOfOneSidedOperations(t *testing.T) {
	programs := uint64(1)
	if long() {
		programs = 20
	}
	first := rand.Uint64N(1 << 32)
	for _, c := range carriers {
		if c.slow || c.impaired && !long() {
			continue
		}
		c.run(t, func(t *testing.T, transport string) {
			for seed := first; seed < first+programs; seed++ {
				n := 1 + int(1+seed-first)%5
				t.Logf("seed %d, %d ranks", seed, n)
				require.NoError(t, mpi.RunLocal(n, func(world *mpi.Comm) error {
					runRandomWindow(t, world, seed)
					return nil
				}, mpi.WithTransport(transport)))
			}
		})
	}
}
