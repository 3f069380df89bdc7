package schedule_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
)

// The operations that move blocks. In the tests a block of rank i has c.counts[i] elements where lengths may differ.

func (c input) count(i int) int { return c.counts[i] * c.Elem }

// start is where the block of rank i begins, with a gap of 3 bytes before each.
func (c input) start(i int) (at int) {
	for j := range i {
		at += 3 + c.count(j)
	}
	return at + 3
}

// between is where the bytes that rank i exchanges with rank j begin.
func (c input) between(i, j int) (at int) {
	for k := range j {
		at += c.counts[i] * c.counts[k]
	}
	return at
}

func (c input) part(as schedule.Buffer) func(i int) schedule.Part {
	return func(i int) schedule.Part { return schedule.Part{Buffer: as, Offset: c.start(i), Length: c.count(i)} }
}

// blocks are the blocks as they stand in memory, in which gaps are as they were.
func (c input) blocks(before []byte, block func(i int) []byte) []byte {
	after := bytes.Clone(before)
	for i := range c.n {
		copy(after[c.start(i):], block(i))
	}
	return after
}

func never(input, int) (int, bool) { return 0, false }

var blockOperations = map[string]collective{
	"gather": {
		operation: schedule.OpGather,
		choices:   choices(schedule.Binomial, schedule.Linear),
		build: func(b *schedule.Builder, r schedule.Ranks, in, _ schedule.Part, c input) {
			schedule.Gather(b, r, c.root, in.Length, schedule.Start)
		},
		lengths: func(c input, rank int) (in, out int) {
			if rank == c.root {
				return c.Length(), c.n * c.Length()
			}
			return c.Length(), 0
		},
		place: func(c input, rank int) (int, bool) { return rank * c.Length(), rank == c.root },
		want: func(c input, rank int, all [][]byte, _ []byte) []byte {
			if rank == c.root {
				return bytes.Join(all, nil)
			}
			return nil
		},
	},
	"gatherv": {
		operation: schedule.OpGather,
		choices:   choices(schedule.Linear),
		build: func(b *schedule.Builder, r schedule.Ranks, in, _ schedule.Part, c input) {
			schedule.Gatherv(b, r, c.root, in, c.part(schedule.Out), schedule.Start)
		},
		lengths: func(c input, rank int) (in, out int) {
			if rank == c.root {
				return c.count(rank), c.start(c.n)
			}
			return c.count(rank), 0
		},
		place: func(c input, rank int) (int, bool) { return c.start(rank), rank == c.root },
		want: func(c input, rank int, all [][]byte, before []byte) []byte {
			if rank == c.root {
				return c.blocks(before, func(i int) []byte { return all[i] })
			}
			return nil
		},
	},
	"scatter": {
		operation: schedule.OpScatter,
		choices:   choices(schedule.Binomial, schedule.Linear),
		build: func(b *schedule.Builder, r schedule.Ranks, _, out schedule.Part, c input) {
			schedule.Scatter(b, r, c.root, out, schedule.Start)
		},
		lengths: func(c input, rank int) (in, out int) {
			if rank == c.root {
				return c.n * c.Length(), c.Length()
			}
			return 0, c.Length()
		},
		place: never,
		want: func(c input, rank int, all [][]byte, _ []byte) []byte {
			return all[c.root][rank*c.Length() : (rank+1)*c.Length()]
		},
	},
	"scatterv": {
		operation: schedule.OpScatter,
		choices:   choices(schedule.Linear),
		build: func(b *schedule.Builder, r schedule.Ranks, _, out schedule.Part, c input) {
			schedule.Scatterv(b, r, c.root, out, c.part(schedule.In), schedule.Start)
		},
		lengths: func(c input, rank int) (in, out int) {
			if rank == c.root {
				return c.start(c.n), c.count(rank)
			}
			return 0, c.count(rank)
		},
		place: never,
		want: func(c input, rank int, all [][]byte, _ []byte) []byte {
			return all[c.root][c.start(rank):][:c.count(rank)]
		},
	},
	"allgather": {
		operation: schedule.OpAllgather,
		choices:   choices(schedule.Bruck, schedule.Ring),
		build: func(b *schedule.Builder, r schedule.Ranks, in, _ schedule.Part, _ input) {
			schedule.Allgather(b, r, in.Length, schedule.Start)
		},
		lengths: func(c input, _ int) (in, out int) { return c.Length(), c.n * c.Length() },
		place:   func(c input, rank int) (int, bool) { return rank * c.Length(), true },
		want:    func(_ input, _ int, all [][]byte, _ []byte) []byte { return bytes.Join(all, nil) },
	},
	"allgatherv": {
		operation: schedule.OpAllgather,
		choices:   choices(schedule.Bruck, schedule.Ring),
		build: func(b *schedule.Builder, r schedule.Ranks, in, _ schedule.Part, c input) {
			schedule.Allgatherv(b, r, in, c.part(schedule.Out), c.start(c.n), schedule.Start)
		},
		lengths: func(c input, rank int) (in, out int) { return c.count(rank), c.start(c.n) },
		place:   func(c input, rank int) (int, bool) { return c.start(rank), true },
		want: func(c input, _ int, all [][]byte, before []byte) []byte {
			return c.blocks(before, func(i int) []byte { return all[i] })
		},
	},
	"alltoall": {
		operation: schedule.OpAlltoall,
		choices:   choices(schedule.Bruck, schedule.Pairwise),
		build: func(b *schedule.Builder, r schedule.Ranks, in, _ schedule.Part, c input) {
			schedule.Alltoall(b, r, in.Length/c.n, schedule.Start)
		},
		lengths: func(c input, _ int) (in, out int) { return c.n * c.Length(), c.n * c.Length() },
		place:   func(input, int) (int, bool) { return 0, true },
		want: func(c input, rank int, all [][]byte, _ []byte) (want []byte) {
			for i := range c.n {
				want = append(want, all[i][rank*c.Length():(rank+1)*c.Length()]...)
			}
			return want
		},
	},
	// Ranks i and j exchange counts[i]·counts[j] bytes. All is in Out.
	"alltoallv in place": {
		operation: schedule.OpAlltoall,
		choices:   choices(schedule.Pairwise),
		build: func(b *schedule.Builder, r schedule.Ranks, _, _ schedule.Part, c input) {
			at := func(i int) schedule.Part {
				return schedule.Part{Buffer: schedule.Out, Offset: c.between(r.Me, i), Length: c.counts[r.Me] * c.counts[i]}
			}
			schedule.Alltoallv(b, r, at, at, schedule.Start)
		},
		lengths:   func(c input, rank int) (in, out int) { return c.between(rank, c.n), c.between(rank, c.n) },
		place:     func(input, int) (int, bool) { return 0, true },
		oneBuffer: true,
		want: func(c input, rank int, all [][]byte, _ []byte) (want []byte) {
			for i := range c.n {
				want = append(want, all[i][c.between(i, rank):c.between(i, rank+1)]...)
			}
			return want
		},
	},
	// Rank i sends counts[j] elements to rank j.
	"alltoallv": {
		operation: schedule.OpAlltoall,
		choices:   choices(schedule.Pairwise),
		build: func(b *schedule.Builder, r schedule.Ranks, _, _ schedule.Part, c input) {
			mine := c.count(r.Me)
			schedule.Alltoallv(b, r, c.part(schedule.In), func(i int) schedule.Part {
				return schedule.Part{Buffer: schedule.Out, Offset: i * mine, Length: mine}
			}, schedule.Start)
		},
		lengths: func(c input, rank int) (in, out int) { return c.start(c.n), c.n * c.count(rank) },
		place:   never,
		want: func(c input, rank int, all [][]byte, _ []byte) (want []byte) {
			for i := range c.n {
				want = append(want, all[i][c.start(rank):][:c.count(rank)]...)
			}
			return want
		},
	},
}

func TestBlocks(t *testing.T) {
	for name, o := range blockOperations {
		t.Run(name, func(t *testing.T) {
			random := newRandom(t)
			for _, choice := range append(o.choices, schedule.Choice{}) {
				cases(random, func(c input) {
					c.choice = choice
					o.run(t, random, c, nil)
				})
			}
		})
	}
}

// Beyond what a window holds, exchanges wait for each other.
func TestAlltoallOfManyRanks(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	c := input{n: 20, Vector: schedule.Vector{Count: 10 << 10, Elem: 4}, choice: schedule.Choice{Algorithm: schedule.Pairwise}}
	blockOperations["alltoall"].run(t, random, c, nil)
	c.counts = make([]int, c.n)
	for i := range c.counts {
		c.counts[i] = i * 7 % 300
	}
	blockOperations["alltoallv in place"].run(t, random, c, nil)
}
