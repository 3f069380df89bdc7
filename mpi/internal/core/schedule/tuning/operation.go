// Package tuning measures collective operations in virtual time, and finds the table by which package schedule chooses
// their algorithms. Command tune writes that table; the tests of package schedule compare with it.
package tuning

import (
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule/simulate"
)

// Idle and Busy are the networks for which the table is made: 10 µs and 10 Gbit/s, without and with a rank's own time, which
// is 1 µs for each message and 0.25 ns for each byte that it copies or combines.
var (
	Idle = simulate.Network{Latency: 10 * time.Microsecond, Bandwidth: 10e9 / 8}
	Busy = simulate.Network{Latency: 10 * time.Microsecond, Bandwidth: 10e9 / 8, Overhead: time.Microsecond, Compute: 0.25e-9}
)

// Operation is a collective operation with what the table can choose for it, and where it is measured.
type Operation struct {
	schedule.Operation
	// Choices keep the order of ranks. Commuting are only for operations that commute; if there are any, both cases are
	// measured.
	Choices, Commuting []schedule.Choice
	// Ranks and Bytes are the grid, ascending. Bytes are counted as the operation's function counts them for the table.
	Ranks, Bytes []int
	// fewMessages says what is better where ranks share processors, which virtual time does not know: up to so many bytes.
	// If it combines, all that is chosen for as many bytes must group like it. So nothing of Commuting is.
	fewMessages schedule.Choice
	fewBytes    int
	build       func(b *schedule.Builder, r schedule.Ranks, bytes int, op schedule.Op)
}

// Case is a point of the grid, for reductions that commute or not.
type Case struct {
	Ranks, Bytes int
	Commutes     bool
}

// uneven reports whether the number of ranks is no power of two.
func (c Case) uneven() bool { return c.Ranks&(c.Ranks-1) != 0 }

// Candidates are what the table can choose in a case. Messages are cut into at most manySegments segments if these can be so
// long: a message costs more than on Busy where ranks share processors. Of a bcast they are at most fewSegments: 8 ranks on 2
// processors took twice as long for 1 MiB in segments of 8 KiB as in those of 32 KiB. Gathered, which keeps all vectors, is for few bytes, and
// where it saves steps; and an allgather by Bruck, which copies all that it gathers, is for what memory holds twice.
func (o *Operation) Candidates(c Case) (all []schedule.Choice) {
	segments := manySegments
	if o.Operation == schedule.OpBcast {
		segments = fewSegments
	}
	for _, choice := range o.Choices {
		switch {
		case choice.Segment > 0 && choice.Segment < min(longestSegment, c.Bytes/segments):
		case choice.Algorithm == schedule.Bruck && o.Operation == schedule.OpAllgather && c.Bytes > mostCopied:
		case choice.Algorithm == schedule.Gathered && (!c.uneven() || c.Bytes > mostGathered/c.Ranks):
		default:
			all = append(all, choice)
		}
	}
	if c.Commutes && (o.fewMessages.Algorithm == "" || c.Bytes > o.fewBytes) {
		all = append(all, o.Commuting...)
	}
	return all
}

// Time is how long the operation takes on a network. With the empty choice the table chooses.
func (o *Operation) Time(network simulate.Network, c Case, choice schedule.Choice) (time.Duration, error) {
	return simulate.Time(c.Ranks, network, func(b *schedule.Builder, rank int) {
		b.Force(o.Operation, choice)
		o.build(b, schedule.Ranks{Me: rank, Size: c.Ranks}, c.Bytes, schedule.Op{Commutes: c.Commutes})
	})
}

// Cost is the sum of the times on Idle and Busy, in seconds.
func (o *Operation) Cost(c Case, choice schedule.Choice) (float64, error) {
	idle, err := o.Time(Idle, c, choice)
	if err != nil {
		return 0, err
	}
	busy, err := o.Time(Busy, c, choice)
	return (idle + busy).Seconds(), err
}

// choices are algorithms without segments.
func choices(names ...schedule.Algorithm) (c []schedule.Choice) {
	for _, name := range names {
		c = append(c, schedule.Choice{Algorithm: name})
	}
	return c
}

const (
	shortestSegment = 8 << 10
	longestSegment  = 128 << 10
	manySegments    = 128
	fewSegments     = 32
	mostGathered    = 16 << 10
	mostCopied      = 16 << 20
)

// segmented are c, and algorithms with segments of several lengths.
func segmented(c []schedule.Choice, names ...schedule.Algorithm) []schedule.Choice {
	for _, name := range names {
		for segment := shortestSegment; segment <= longestSegment; segment *= 2 {
			c = append(c, schedule.Choice{Algorithm: name, Segment: segment})
		}
	}
	return c
}

var (
	// Algorithms of vectors have few messages, so there can be many ranks. Blocks are as many as ranks squared.
	vectorRanks = []int{2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 24, 32, 48, 64, 100, 128, 256}
	// A chain that is as long as there are ranks is good for some number of them only.
	chainRanks = append(vectorRanks[:len(vectorRanks):len(vectorRanks)], 384, 1024)
	blockRanks = []int{2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 100, 128}
	lengths    = []int{
		8, 128, 1 << 10, 4 << 10, 8 << 10, 16 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10, 1 << 20, 4 << 20, 16 << 20,
	}
	// Blocks are not as long: those of all ranks are one message.
	blockLengths = lengths[:len(lengths)-1]
	// What all ranks have together.
	totals = []int{1 << 10, 16 << 10, 64 << 10, 256 << 10, 512 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20}
)

// parts are where a vector of so many bytes comes from and goes to.
func parts(bytes int) (in, out schedule.Part, v schedule.Vector) {
	return schedule.Part{Buffer: schedule.In, Length: bytes}, schedule.Part{Buffer: schedule.Out, Length: bytes},
		schedule.Vector{Count: bytes, Elem: 1}
}

// Operations are those of the table, in its order.
var Operations = []*Operation{
	{
		Operation: schedule.OpBarrier, Choices: choices(schedule.Dissemination), Ranks: vectorRanks, Bytes: []int{0},
		fewMessages: schedule.Choice{Algorithm: schedule.Tree},
		build: func(b *schedule.Builder, r schedule.Ranks, _ int, _ schedule.Op) {
			schedule.Barrier(b, r, schedule.Start)
		},
	},
	{
		Operation: schedule.OpBcast, Ranks: vectorRanks, Bytes: lengths,
		Choices: segmented(choices(schedule.Binomial, schedule.ScatterRing, schedule.ScatterAllgather), schedule.Chain, schedule.BinaryTree),
		build: func(b *schedule.Builder, r schedule.Ranks, bytes int, _ schedule.Op) {
			schedule.Bcast(b, r, 0, schedule.Part{Buffer: schedule.Out, Length: bytes}, schedule.Start)
		},
	},
	{
		// A chain is no choice: in all others the root has no say in how vectors are combined.
		Operation: schedule.OpReduce, Ranks: vectorRanks, Bytes: lengths,
		Choices: choices(schedule.Binomial, schedule.Halving), Commuting: choices(schedule.Circulant),
		build: func(b *schedule.Builder, r schedule.Ranks, bytes int, op schedule.Op) {
			in, out, v := parts(bytes)
			schedule.Reduce(b, r, 0, in, out, v, op, schedule.Start)
		},
	},
	{
		Operation: schedule.OpAllreduce, Ranks: vectorRanks, Bytes: lengths,
		Choices:     choices(schedule.Doubling, schedule.Tree, schedule.Halving, schedule.Gathered),
		Commuting:   choices(schedule.Circulant, schedule.Ring),
		fewMessages: schedule.Choice{Algorithm: schedule.Tree}, fewBytes: 16 << 10,
		build: func(b *schedule.Builder, r schedule.Ranks, bytes int, op schedule.Op) {
			in, out, v := parts(bytes)
			schedule.Allreduce(b, r, in, out, v, op, schedule.Start)
		},
	},
	{
		Operation: schedule.OpReduceScatter, Ranks: vectorRanks, Bytes: lengths,
		Choices: choices(schedule.Pairwise, schedule.ReduceThenScatter), Commuting: choices(schedule.Circulant, schedule.Ring),
		build: func(b *schedule.Builder, r schedule.Ranks, bytes int, op schedule.Op) {
			v := schedule.Vector{Count: max(1, bytes/r.Size), Elem: 1}
			schedule.ReduceScatterBlock(b, r, schedule.Part{Buffer: schedule.In, Length: r.Size * v.Count},
				schedule.Part{Buffer: schedule.Out, Length: v.Count}, v, op, schedule.Start)
		},
	},
	{
		Operation: schedule.OpScan, Choices: segmented(choices(schedule.Doubling), schedule.Chain), Ranks: chainRanks, Bytes: lengths,
		build: func(b *schedule.Builder, r schedule.Ranks, bytes int, op schedule.Op) {
			in, out, v := parts(bytes)
			schedule.Scan(b, r, in, out, v, op, schedule.Start)
		},
	},
	{
		Operation: schedule.OpGather, Choices: choices(schedule.Binomial, schedule.Linear), Ranks: vectorRanks, Bytes: blockLengths,
		build: func(b *schedule.Builder, r schedule.Ranks, bytes int, _ schedule.Op) {
			schedule.Gather(b, r, 0, bytes, schedule.Start)
		},
	},
	{
		Operation: schedule.OpScatter, Choices: choices(schedule.Binomial, schedule.Linear), Ranks: vectorRanks, Bytes: blockLengths,
		build: func(b *schedule.Builder, r schedule.Ranks, bytes int, _ schedule.Op) {
			_, out, _ := parts(bytes)
			schedule.Scatter(b, r, 0, out, schedule.Start)
		},
	},
	{
		Operation: schedule.OpAllgather, Choices: choices(schedule.Bruck, schedule.Ring), Ranks: blockRanks, Bytes: totals,
		build: func(b *schedule.Builder, r schedule.Ranks, bytes int, _ schedule.Op) {
			schedule.Allgather(b, r, bytes/r.Size, schedule.Start)
		},
	},
	{
		Operation: schedule.OpAlltoall, Choices: choices(schedule.Bruck, schedule.Pairwise), Ranks: blockRanks, Bytes: blockLengths,
		build: func(b *schedule.Builder, r schedule.Ranks, bytes int, _ schedule.Op) {
			schedule.Alltoall(b, r, bytes, schedule.Start)
		},
	},
}
