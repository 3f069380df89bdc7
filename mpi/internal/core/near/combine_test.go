package near_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/near"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule/simulate"
)

// grouped is an operation whose result shows in which order and in which groups it was used.
func grouped(left, right []byte) {
	for i := range left {
		left[i] = left[i]*31 + right[i]*17 + 5 + left[i]>>3
	}
}

// The bits of a sum must not depend on whether its ranks share memory. So vectors are combined in the groups of the schedules, whichever
// algorithm the table has for their length, with and without more ranks than processors.
func TestGroupsAreThoseOfMessages(t *testing.T) {
	for _, ranks := range []int{1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 16, 17, 31, near.MaxRanks} {
		for _, length := range []int{1, 48, 128, 136, 2 << 10, near.Limit} {
			for _, few := range []bool{false, true} {
				op := schedule.Op{Commutes: length%16 == 0, Exact: length == 48}
				t.Run(fmt.Sprint(ranks, length, few), func(t *testing.T) { compare(t, ranks, length, few, op) })
			}
		}
	}
}

func compare(t *testing.T, ranks, length int, few bool, op schedule.Op) {
	const number = 3
	all, random := boards(ranks), rand.New(rand.NewPCG(uint64(ranks), uint64(length)))
	for rank, b := range all {
		b.Post(number, 0, content(rank, number, length))
	}
	in, out := schedule.Part{Buffer: schedule.In, Length: length}, schedule.Part{Buffer: schedule.Out, Length: length}
	vector := schedule.Vector{Count: length, Elem: 1}
	run := func(build func(b *schedule.Builder, r schedule.Ranks)) []simulate.Memory {
		memory := make([]simulate.Memory, ranks)
		for rank := range memory {
			memory[rank] = simulate.Memory{In: content(rank, number, length), Out: make([]byte, length)}
		}
		schedules := simulate.Schedules(ranks, func(b *schedule.Builder, rank int) {
			b.FewMessages(few)
			build(b, schedule.Ranks{Me: rank, Size: ranks})
		})
		require.NoError(t, simulate.Run(random, schedules, memory, grouped))
		return memory
	}
	for _, copies := range []bool{false, true} {
		c := near.Combination{
			Board: all[ranks-1], Number: number, Function: grouped, Copies: copies, Scratch: make([]byte, near.ScratchSize(length, ranks)),
		}
		got := make([]byte, length)
		want := run(func(b *schedule.Builder, r schedule.Ranks) {
			schedule.Allreduce(b, r, in, out, vector, op, schedule.Start)
		})
		c.Allreduce(got)
		require.Equal(t, want[0].Out, got, "allreduce")

		root := random.IntN(ranks)
		want = run(func(b *schedule.Builder, r schedule.Ranks) {
			schedule.Reduce(b, r, root, in, out, vector, op, schedule.Start)
		})
		c.Reduce(got)
		require.Equal(t, want[root].Out, got, "reduce")
		for rank := range all {
			posted := make([]byte, length)
			all[0].Read(posted, rank, number)
			require.Equal(t, content(rank, number, length), posted, "what rank %d has given is as it was", rank)
		}
	}
}
