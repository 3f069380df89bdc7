package schedule_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
)

// choices are algorithms without segments.
func choices(names ...schedule.Algorithm) (c []schedule.Choice) {
	for _, name := range names {
		c = append(c, schedule.Choice{Algorithm: name})
	}
	return c
}

func vectors(c input, _ int) (in, out int) { return c.Length(), c.Length() }

func anywhere(input, int) (int, bool) { return 0, true }

var barrier = collective{
	operation: schedule.OpBarrier,
	choices:   choices(schedule.Dissemination, schedule.Tree),
	build: func(b *schedule.Builder, r schedule.Ranks, _, _ schedule.Part, _ input) {
		schedule.Barrier(b, r, schedule.Start)
	},
	lengths: func(input, int) (in, out int) { return 0, 0 },
	place:   func(input, int) (int, bool) { return 0, false },
}

var bcast = collective{
	operation: schedule.OpBcast,
	choices: append(choices(schedule.Binomial, schedule.ScatterRing, schedule.ScatterAllgather, schedule.Chain),
		schedule.Choice{Algorithm: schedule.Chain, Segment: 100}, schedule.Choice{Algorithm: schedule.BinaryTree, Segment: 64}),
	build: func(b *schedule.Builder, r schedule.Ranks, _, out schedule.Part, c input) {
		schedule.Bcast(b, r, c.root, out, schedule.Start)
	},
	lengths:   vectors,
	place:     anywhere,
	oneBuffer: true,
	want:      func(c input, _ int, all [][]byte, _ []byte) []byte { return all[c.root] },
}

var reduce = collective{
	operation: schedule.OpReduce,
	choices:   choices(schedule.Binomial, schedule.Halving),
	commuting: append(choices(schedule.Circulant), schedule.Choice{Algorithm: schedule.Chain, Segment: 100}),
	build: func(b *schedule.Builder, r schedule.Ranks, in, out schedule.Part, c input) {
		schedule.Reduce(b, r, c.root, in, out, c.Vector, c.op, schedule.Start)
	},
	lengths: vectors,
	place:   func(c input, rank int) (int, bool) { return 0, rank == c.root },
	want: func(c input, rank int, all [][]byte, before []byte) []byte {
		if rank != c.root {
			return before
		}
		return c.fold(all)
	},
}

var allreduce = collective{
	operation: schedule.OpAllreduce,
	choices:   choices(schedule.Doubling, schedule.Tree, schedule.Halving, schedule.Gathered),
	commuting: choices(schedule.Circulant, schedule.Ring),
	build: func(b *schedule.Builder, r schedule.Ranks, in, out schedule.Part, c input) {
		schedule.Allreduce(b, r, in, out, c.Vector, c.op, schedule.Start)
	},
	lengths: vectors,
	place:   anywhere,
	want:    func(c input, _ int, all [][]byte, _ []byte) []byte { return c.fold(all) },
}

var reduceScatterBlock = collective{
	operation: schedule.OpReduceScatter,
	choices:   choices(schedule.Pairwise, schedule.ReduceThenScatter),
	commuting: choices(schedule.Circulant, schedule.Ring),
	build: func(b *schedule.Builder, r schedule.Ranks, in, out schedule.Part, c input) {
		schedule.ReduceScatterBlock(b, r, in, out, c.Vector, c.op, schedule.Start)
	},
	lengths: func(c input, _ int) (in, out int) { return c.n * c.Length(), c.Length() },
	place:   anywhere,
	want: func(c input, rank int, all [][]byte, _ []byte) []byte {
		return c.fold(all)[rank*c.Length() : (rank+1)*c.Length()]
	},
}

var reduceScatter = collective{
	operation: schedule.OpReduceScatter,
	choices:   reduceScatterBlock.choices,
	commuting: reduceScatterBlock.commuting,
	build: func(b *schedule.Builder, r schedule.Ranks, in, out schedule.Part, c input) {
		schedule.ReduceScatter(b, r, in, out, c.counts, c.Elem, c.op, schedule.Start)
	},
	lengths: func(c input, rank int) (in, out int) {
		for i, count := range c.counts {
			in += count * c.Elem
			if i == rank {
				out = count * c.Elem
			}
		}
		return in, out
	},
	place: anywhere,
	want: func(c input, rank int, all [][]byte, _ []byte) []byte {
		start := 0
		for _, count := range c.counts[:rank] {
			start += count * c.Elem
		}
		return c.fold(all)[start : start+c.counts[rank]*c.Elem]
	},
}

var scanChoices = append(choices(schedule.Doubling, schedule.Chain), schedule.Choice{Algorithm: schedule.Chain, Segment: 100})

var scan = collective{
	operation: schedule.OpScan,
	choices:   scanChoices,
	build: func(b *schedule.Builder, r schedule.Ranks, in, out schedule.Part, c input) {
		schedule.Scan(b, r, in, out, c.Vector, c.op, schedule.Start)
	},
	lengths: vectors,
	place:   anywhere,
	want:    func(c input, rank int, all [][]byte, _ []byte) []byte { return c.fold(all[:rank+1]) },
}

var exscan = collective{
	operation: schedule.OpScan,
	choices:   scanChoices,
	build: func(b *schedule.Builder, r schedule.Ranks, in, out schedule.Part, c input) {
		schedule.Exscan(b, r, in, out, c.Vector, c.op, schedule.Start)
	},
	lengths: vectors,
	place:   anywhere,
	want: func(c input, rank int, all [][]byte, before []byte) []byte {
		if rank == 0 {
			return before
		}
		return c.fold(all[:rank])
	},
}

// cases calls f with inputs of all numbers of ranks and counts, and all roots where there are few.
func cases(random *rand.Rand, f func(c input)) {
	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 32, 33, 64} {
		for _, count := range []int{0, 1, 2, 5, n - 1, n, n + 1, 1000} {
			if n > 8 && random.IntN(n) > 3 || n > 9 && testing.Short() || n > 17 && n != 33 && !long {
				continue
			}
			if n > 6 && !long {
				count = min(count, 100)
			}
			c := input{n: n, Vector: schedule.Vector{Count: count, Elem: []int{1, 2, 4, 8, 24}[random.IntN(5)]}}
			c.inPlace = random.IntN(2) == 0
			for range n {
				c.counts = append(c.counts, random.IntN(3)*random.IntN(3))
			}
			if random.IntN(4) == 0 {
				for range n {
					c.hosts = append(c.hosts, int32(random.IntN(4)))
				}
			}
			roots := random.Perm(n)
			if n > 5 {
				roots = roots[:1]
			}
			for _, c.root = range roots {
				f(c)
			}
		}
	}
}

func TestOperations(t *testing.T) {
	for name, o := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			random := newRandom(t)
			cases(random, func(c input) {
				if name == "reducescatterblock" {
					c.Count %= 50 // times the number of ranks
				}
				for _, c.choice = range slices.Concat(o.choices, []schedule.Choice{{}}) {
					o.run(t, random, c, c.operator(t))
				}
				c.op = schedule.Op{Commutes: true, Exact: true}
				for _, c.choice = range slices.Concat(o.commuting, []schedule.Choice{{}}) {
					o.run(t, random, c, c.operator(t))
				}
			})
		})
	}
}

// unlike is o without a result to compare with: for operations that are not associative.
func (o collective) unlike() collective {
	o.want = nil
	return o
}

// What is no part of a message has no say in how vectors are combined: the root, and whether few messages or few steps are
// better. And all ranks have equal bits.
func TestGroupingIsTheSame(t *testing.T) {
	random := newRandom(t)
	for n := 1; n <= 17 && (n < 9 || !testing.Short()); n++ {
		for _, count := range []int{1, 100, 1000, 3000} {
			if !long && (n > 9 && n != 12 || n > 6 && count > 100) {
				continue
			}
			c := input{n: n, Vector: schedule.Vector{Count: count, Elem: 8}}
			s := random.Uint64()
			// same compares results of equal vectors.
			same := func(o collective, f func(left, right []byte), inputs ...input) {
				var first []byte
				for _, c := range inputs {
					for rank, out := range o.unlike().run(t, rand.New(rand.NewPCG(s, 0)), c, f) {
						if o.operation == schedule.OpReduce && rank != c.root {
							continue
						}
						if first == nil {
							first = out
						}
						require.Equal(t, first, out, "%v, rank %d", c, rank)
					}
				}
			}
			var alike []input
			for _, c.choice = range allreduce.choices {
				alike = append(alike, c)
			}
			same(allreduce, lopsided, alike...)
			for _, commutes := range []bool{false, true} {
				c := c
				c.op.Commutes = commutes
				few := c
				few.few = true
				same(allreduce, mean, c, few)
			}
			c.op.Commutes = true
			for _, c.choice = range allreduce.commuting {
				same(allreduce, mean, c)
			}
			for _, c.choice = range append(choices(schedule.Circulant, ""), reduce.choices...) {
				alike = nil
				for c.root = range n {
					alike = append(alike, c)
				}
				same(reduce, mean, alike...)
			}
		}
	}
}
