package mpi_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// A loop takes all messages, in the order of each sender, whatever they are, and
// a break leaves the next ones where they are.
func TestMessagesOneAfterTheOther(t *testing.T) {
	const each, size = 40, 3
	ranks(t, size, func(t *testing.T, world *mpi.Comm) {
		if world.Rank() > 0 {
			for i := range each {
				switch i % 3 {
				case 0:
					require.NoError(t, mpi.SendValue(world, i, 0, i))
				case 1:
					require.NoError(t, mpi.Send(world, sequence(i, 50*i), 0, i))
				default:
					require.NoError(t, mpi.SendObject(world, fmt.Sprint(i), 0, i))
				}
			}
			return
		}
		next, total := make([]int, size), 0 // what is to come from each rank, and what has come
		for total < each*(size-1) {
			for m, err := range world.Messages(t.Context(), mpi.AnySource, mpi.AnyTag) {
				require.NoError(t, err)
				s := m.Status()
				require.Equal(t, next[s.Source], s.Tag)
				next[s.Source]++
				switch s.Tag % 3 {
				case 0:
					got, err := mpi.MrecvValue[int](m)
					require.NoError(t, err)
					require.Equal(t, s.Tag, got)
				case 1:
					require.Equal(t, 50*s.Tag, s.Count)
					got, err := mpi.MrecvSlice[int](m)
					require.NoError(t, err)
					equal(t, sequence(s.Tag, s.Count), got)
				default:
					got, err := mpi.MrecvObject[string](m)
					require.NoError(t, err)
					require.Equal(t, fmt.Sprint(s.Tag), got)
				}
				if total++; total%(each/2) == 0 {
					break
				}
			}
		}
	}, mpi.WithEagerLimit(eagerLimit))
}

// A message of another type, of the same size or not, is an error and used up.
func TestMessagesOfAnotherType(t *testing.T) {
	ranks(t, 1, func(t *testing.T, world *mpi.Comm) {
		send := []*mpi.Request{
			must(t)(mpi.Isend(world, []float64{1}, 0, 0)),
			must(t)(mpi.Isend(world, []float64{1}, 0, 0)),
			must(t)(mpi.Isend(world, []float64{}, 0, 0)),
			must(t)(mpi.Isend(world, []float64{1}, 0, 1)),
		}
		for m, err := range world.Messages(t.Context(), 0, mpi.AnyTag) {
			require.NoError(t, err)
			switch {
			case m.Status().Count == 0:
				_, err = mpi.MrecvValue[float64](m)
				require.ErrorIs(t, err, mpi.ErrCount)
			case m.Status().Tag == 1:
				_, err = mpi.MrecvSlice[int](m)
				require.ErrorIs(t, err, mpi.ErrType)
			default:
				_, err = mpi.MrecvObject[int](m)
				require.ErrorIs(t, err, mpi.ErrType)
			}
			_, err = mpi.MrecvSlice[float64](m)
			require.ErrorIs(t, err, mpi.ErrRequest)
			if m.Status().Tag == 1 {
				break
			}
		}
		for _, r := range send {
			wait(t, r)
		}
	})
}

// The loop ends with its context, silently, and takes no message with it.
func TestMessagesEndWithTheirContext(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		const messages = 200
		if world.Rank() == 1 {
			for i := range messages {
				require.NoError(t, mpi.SendValue(world, i, 0, 0))
			}
			return
		}
		for range world.Messages(ended(errPatience), 1, 0) {
			t.Error("a round with a context that has ended")
		}
		for i := 0; i < messages; {
			ctx, cancel := context.WithCancel(t.Context())
			go cancel()
			for m, err := range world.Messages(ctx, 1, 0) {
				require.NoError(t, err)
				got, err := mpi.MrecvValue[int](m)
				require.NoError(t, err)
				require.Equal(t, i, got)
				i++
			}
			cancel()
		}
	})
}

// Any other error is what the loop gets last.
func TestErrorsEndMessages(t *testing.T) {
	ranks(t, 1, func(t *testing.T, world *mpi.Comm) {
		for source, want := range map[int]mpi.Class{7: mpi.ErrRank, 0: mpi.ErrTag} {
			rounds := 0
			for m, err := range world.Messages(t.Context(), source, -7) {
				require.Nil(t, m)
				require.ErrorIs(t, err, want)
				require.ErrorContains(t, err, "mpi.Messages: ")
				rounds++
			}
			require.Equal(t, 1, rounds)
		}
		for range world.Messages(t.Context(), mpi.ProcNull, 0) {
			t.Error("a message from ProcNull")
		}
		var none *mpi.Message
		require.Equal(t, mpi.Status{Source: mpi.AnySource, Tag: mpi.AnyTag}, none.Status())
		_, err := mpi.MrecvSlice[int](none)
		require.ErrorIs(t, err, mpi.ErrRequest)
		m, _, err := world.Mprobe(mpi.ProcNull, 0)
		require.NoError(t, err)
		got, err := mpi.MrecvObject[string](m)
		require.NoError(t, err)
		require.Zero(t, got)
		m, _, found, err := world.Improbe(mpi.ProcNull, 0)
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, mpi.ProcNull, m.Status().Source)
	})
}

// Goroutines share the messages: each is taken once.
func TestGoroutinesShareMessages(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		const messages, loops = 100, 4
		if world.Rank() == 1 {
			for i := range messages {
				require.NoError(t, mpi.SendValue(world, i, 0, 0))
			}
			return
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var mu sync.Mutex
		seen := make(map[int]bool)
		var running sync.WaitGroup
		for range loops {
			running.Go(func() {
				for m, err := range world.Messages(ctx, mpi.AnySource, 0) {
					if err != nil {
						t.Error(err)
						return
					}
					got, err := mpi.MrecvValue[int](m)
					if err != nil {
						t.Error(err)
					}
					mu.Lock()
					seen[got] = true
					if len(seen) == messages {
						cancel()
					}
					mu.Unlock()
				}
			})
		}
		running.Wait()
		require.Len(t, seen, messages)
	})
}
