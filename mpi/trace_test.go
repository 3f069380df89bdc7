package mpi_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/trace"
	"github.com/sctpmpi/sctpmpi/internal/trace/tracetest"
	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// tracedPrograms are programs of 3 ranks, with the messages that they exchange: from which rank to which.
var tracedPrograms = map[string]struct {
	run      func(t *testing.T, world *mpi.Comm)
	messages [][2]int
}{
	"a ring": {
		run: func(t *testing.T, world *mpi.Comm) {
			me := world.Rank()
			_, err := mpi.Sendrecv(world, []int{me}, (me+1)%3, 0, make([]int, 1), (me+2)%3, 0)
			require.NoError(t, err)
		},
		messages: [][2]int{{0, 1}, {1, 2}, {2, 0}},
	},
	"long messages": {
		run: func(t *testing.T, world *mpi.Comm) {
			switch buf := make([]int, 100_000); world.Rank() {
			case 0:
				require.NoError(t, mpi.Send(world, buf, 1, 0))
				require.NoError(t, mpi.Ssend(world, buf[:1], 1, 1))
			case 1:
				for tag := range 2 {
					_, err := mpi.Recv(world, buf, 0, tag)
					require.NoError(t, err)
				}
			}
		},
		messages: [][2]int{{0, 1}, {0, 1}},
	},
	"receives from any source": {
		run: func(t *testing.T, world *mpi.Comm) {
			if world.Rank() > 0 {
				for tag := range 3 {
					require.NoError(t, mpi.Send(world, []int{1}, 0, tag))
				}
				return
			}
			for range 6 {
				_, err := mpi.Recv(world, make([]int, 1), mpi.AnySource, mpi.AnyTag)
				require.NoError(t, err)
			}
		},
		messages: [][2]int{{1, 0}, {1, 0}, {1, 0}, {2, 0}, {2, 0}, {2, 0}},
	},
	"probes": {
		run: func(t *testing.T, world *mpi.Comm) {
			switch world.Rank() {
			case 0:
				for range 3 {
					require.NoError(t, mpi.Send(world, []int{1}, 1, 5))
				}
			case 1:
				m, _, err := world.Mprobe(0, 5)
				require.NoError(t, err)
				_, err = world.Probe(0, 5)
				require.NoError(t, err)
				_, err = mpi.Recv(world, make([]int, 1), 0, 5) // the second message, before the first
				require.NoError(t, err)
				_, err = mpi.Mrecv(m, make([]int, 1))
				require.NoError(t, err)
				_, err = mpi.Recv(world, make([]int, 1), 0, 5)
				require.NoError(t, err)
			}
		},
		messages: [][2]int{{0, 1}, {0, 1}, {0, 1}},
	},
	"buffered sends": {
		run: func(t *testing.T, world *mpi.Comm) {
			switch world.Rank() {
			case 0:
				require.NoError(t, mpi.Bsend(world, []int{1}, 1, 0))
				require.NoError(t, mpi.Send(world, []int{1}, 1, 1))
				long := must(t)(mpi.Ibsend(world, make([]int, 50_000), 1, 2))
				again := must(t)(mpi.BsendInit(world, []int{1}, 1, 3))
				for range 2 {
					require.NoError(t, again.Start())
					wait(t, again)
				}
				require.NoError(t, again.Free())
				wait(t, long)
				require.NoError(t, mpi.Bsend(world, []int{1}, 0, 4))
				_, err := mpi.Recv(world, make([]int, 1), 0, 4)
				require.NoError(t, err)
			case 1:
				for _, tag := range []int{3, 0, 2, 1, 3} {
					_, err := mpi.Recv(world, make([]int, 50_000), 0, tag)
					require.NoError(t, err)
				}
			}
		},
		messages: [][2]int{{0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 0}},
	},
	"requests that are waited for in another order": {
		run: func(t *testing.T, world *mpi.Comm) {
			if world.Rank() == 2 {
				return
			}
			var reqs []*mpi.Request
			for tag := range 4 {
				reqs = append(reqs, must(t)(mpi.Irecv(world, make([]int, 1000), 1-world.Rank(), mpi.AnyTag)), must(t)(mpi.Isend(world, make([]int, 1000), 1-world.Rank(), tag)))
			}
			for _, i := range []int{7, 0, 6, 2, 4, 1, 5, 3} {
				wait(t, reqs[i])
			}
		},
		messages: slices.Repeat([][2]int{{0, 1}, {1, 0}}, 4),
	},
	"partitions": {
		run: func(t *testing.T, world *mpi.Comm) {
			if world.Rank() == 2 {
				return
			}
			if world.Rank() == 1 {
				r := must(t)(mpi.PrecvInit(world, make([]byte, 40), 2, 0, 5))
				require.NoError(t, r.Start())
				wait(t, r)
				return
			}
			r := must(t)(mpi.PsendInit(world, make([]byte, 40), 2, 1, 5))
			require.NoError(t, r.Start())
			require.NoError(t, r.PreadyRange(0, 1))
			wait(t, r)
		},
		messages: [][2]int{{0, 1}, {0, 1}},
	},
}

// traceOf runs a program of 3 ranks and reads its trace.
func traceOf(t *testing.T, run func(t *testing.T, world *mpi.Comm), options ...mpi.Option) []tracetest.Event {
	name := filepath.Join(t.TempDir(), "trace.json")
	t.Setenv(rpi.EnvTrace, name)
	require.NoError(t, mpi.RunLocal(3, func(world *mpi.Comm) error {
		run(t, world)
		return nil
	}, options...))
	missing, err := trace.Join(name, 3, func(int) time.Duration { return 0 })
	require.NoError(t, err)
	require.Empty(t, missing)
	return tracetest.Read(t, name, 3)
}

// A trace has an arrow for each message, from its send to its receive.
func TestMessagesAreArrowsInATrace(t *testing.T) {
	for name, p := range tracedPrograms {
		t.Run(name, func(t *testing.T) {
			forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
				events := slices.DeleteFunc(traceOf(t, p.run, options...), func(e tracetest.Event) bool { return e.Track >= 1<<16 }) // of Finalize
				assert.ElementsMatch(t, p.messages, tracetest.RequireArrows(t, events))
			})
		})
	}
}

// A collective operation is a span, and its messages are spans within it with arrows between them. Counters are tracks.
func TestCollectiveOperationsInATrace(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		events := traceOf(t, func(t *testing.T, world *mpi.Comm) {
			sum := make([]int, 10_000)
			require.NoError(t, mpi.Allreduce(world, sum, make([]int, 10_000), mpi.Sum))
			r := must(t)(mpi.Iallreduce(world, sum, make([]int, 10_000), mpi.Sum))
			other := must(t)(world.Ibarrier())
			_, err := mpi.WaitAll(context.Background(), r, other)
			require.NoError(t, err)
			r = must(t)(mpi.BcastInit(world, sum, 0))
			for range 2 {
				require.NoError(t, r.Start())
				wait(t, r)
			}
			require.NoError(t, r.Free())
		}, options...)
		require.NotEmpty(t, tracetest.RequireArrows(t, events))
		spans, counters := make(map[string]int), make(map[string]bool)
		for _, e := range events {
			switch {
			case e.Kind == "X" && e.Args["call"] != nil:
				spans[e.Name]++
			case e.Kind == "X" && e.Args["of"] == "a collective operation":
				assert.True(t, slices.ContainsFunc(events, func(o tracetest.Event) bool {
					return o.Kind == "X" && o.Args["call"] != nil && o.Rank == e.Rank && o.Track == e.Track && *o.Time <= *e.Time+1 && *e.Time <= *o.Time+*o.Duration+1
				}) || e.Track == 0, "%+v", e)
			case e.Kind == "C":
				counters[e.Name] = true
			}
		}
		// A persistent operation is made by a call, and each of its runs is one.
		for name, calls := range map[string]int{"Allreduce": 3, "Iallreduce": 3, "Ibarrier": 3, "BcastInit": 3 + 6} {
			assert.Equal(t, calls, spans[name], name)
		}
		assert.Subset(t, counters, map[string]bool{"messages sent": true, "bytes sent": true, "unexpected messages": true})
	})
}
