package mpitest

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// reducingKinds combine what ranks give.
func reducingKinds[T comparable]() []kind[T] {
	type ex = *example[T]
	type comm = *mpi.Comm
	return []kind[T]{
		{
			name:    "reduce",
			lengths: func(x ex, rank int) (send, recv int) { return x.length, x.atRoot(rank, x.length) },
			place:   func(x ex, rank int) int { return x.onlyRoot(rank, 0) },
			want: func(x ex, rank int, out []T) {
				if rank == x.root {
					copy(out, x.ordered(x.size))
				}
			},
			now: func(x ex, c comm, send, recv []T) error { return mpi.Reduce(c, send, recv, x.operation(), x.root) },
			later: func(x ex, c comm, send, recv []T) (*mpi.Request, error) {
				return mpi.Ireduce(c, send, recv, x.operation(), x.root)
			},
			keep: func(x ex, c comm, send, recv []T) (*mpi.Request, error) {
				return mpi.ReduceInit(c, send, recv, x.operation(), x.root)
			},
		},
		{
			name:    "allreduce",
			lengths: same[T],
			place:   begin[T],
			want:    func(x ex, _ int, out []T) { copy(out, x.ordered(x.size)) },
			now:     func(x ex, c comm, send, recv []T) error { return mpi.Allreduce(c, send, recv, x.operation()) },
			later: func(x ex, c comm, send, recv []T) (*mpi.Request, error) {
				return mpi.Iallreduce(c, send, recv, x.operation())
			},
			keep: func(x ex, c comm, send, recv []T) (*mpi.Request, error) {
				return mpi.AllreduceInit(c, send, recv, x.operation())
			},
		},
		{
			name:    "reduce-scatter of equal parts",
			lengths: func(x ex, _ int) (send, recv int) { return x.length * x.size, x.length },
			place:   func(x ex, rank int) int { return rank * x.length },
			want:    func(x ex, rank int, out []T) { copy(out, x.ordered(x.size)[rank*x.length:]) },
			now:     func(x ex, c comm, send, recv []T) error { return mpi.ReduceScatterBlock(c, send, recv, x.operation()) },
			later: func(x ex, c comm, send, recv []T) (*mpi.Request, error) {
				return mpi.IreduceScatterBlock(c, send, recv, x.operation())
			},
			keep: func(x ex, c comm, send, recv []T) (*mpi.Request, error) {
				return mpi.ReduceScatterBlockInit(c, send, recv, x.operation())
			},
		},
		{
			name:    "reduce-scatter",
			lengths: func(x ex, rank int) (send, recv int) { return sum(x.counts), x.counts[rank] },
			place:   func(x ex, rank int) int { return sum(x.counts[:rank]) },
			want:    func(x ex, rank int, out []T) { copy(out, x.ordered(x.size)[sum(x.counts[:rank]):]) },
			now: func(x ex, c comm, send, recv []T) error {
				return mpi.ReduceScatter(c, send, recv, x.counts, x.operation())
			},
			later: func(x ex, c comm, send, recv []T) (*mpi.Request, error) {
				return mpi.IreduceScatter(c, send, recv, x.counts, x.operation())
			},
			keep: func(x ex, c comm, send, recv []T) (*mpi.Request, error) {
				return mpi.ReduceScatterInit(c, send, recv, x.counts, x.operation())
			},
		},
		{
			name:    "scan",
			lengths: same[T],
			place:   begin[T],
			want:    func(x ex, rank int, out []T) { copy(out, x.ordered(rank+1)) },
			now:     func(x ex, c comm, send, recv []T) error { return mpi.Scan(c, send, recv, x.operation()) },
			later: func(x ex, c comm, send, recv []T) (*mpi.Request, error) {
				return mpi.Iscan(c, send, recv, x.operation())
			},
			keep: func(x ex, c comm, send, recv []T) (*mpi.Request, error) {
				return mpi.ScanInit(c, send, recv, x.operation())
			},
		},
		{
			name:    "exscan",
			lengths: same[T],
			place:   begin[T],
			want: func(x ex, rank int, out []T) {
				if rank > 0 {
					copy(out, x.ordered(rank))
				}
			},
			now: func(x ex, c comm, send, recv []T) error { return mpi.Exscan(c, send, recv, x.operation()) },
			later: func(x ex, c comm, send, recv []T) (*mpi.Request, error) {
				return mpi.Iexscan(c, send, recv, x.operation())
			},
			keep: func(x ex, c comm, send, recv []T) (*mpi.Request, error) {
				return mpi.ExscanInit(c, send, recv, x.operation())
			},
		},
	}
}

// ordered is the combination of what ranks send, in their order, up to the rank before end.
func (x *example[T]) ordered(end int) []T {
	sum := slices.Clone(x.send[0])
	for _, v := range x.send[1:end] {
		x.operation()(sum, v)
	}
	return sum
}

func (x *example[T]) operation() mpi.Op[T] { return x.ops[x.op%len(x.ops)] }
