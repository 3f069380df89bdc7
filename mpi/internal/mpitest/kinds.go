package mpitest

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// kind is a collective operation as the standard defines it.
type kind[T comparable] struct {
	name string
	// lengths are those of the vectors of a rank.
	lengths func(x *example[T], rank int) (send, recv int)
	// place is where the shorter one may be in the longer one, negative for nowhere; nil: nowhere at all.
	place func(x *example[T], rank int) int
	// want makes out, what a rank has in recv before, what it has there afterwards.
	want func(x *example[T], rank int, out []T)
	// now, later and keep are its forms: blocking, nonblocking and persistent.
	now   func(x *example[T], c *mpi.Comm, send, recv []T) error
	later func(x *example[T], c *mpi.Comm, send, recv []T) (*mpi.Request, error)
	keep  func(x *example[T], c *mpi.Comm, send, recv []T) (*mpi.Request, error)
}

const kinds = 17

// layout has parts of lengths that differ, with an element between them that belongs to no rank.
func layout(counts []int) (l mpi.Layout, span int) {
	l.Counts = counts
	for _, n := range counts {
		l.Displs = append(l.Displs, span)
		span += n + 1
	}
	return l, span
}

// between is how many elements a rank sends another in Alltoallv: as many as that sends back if all do it in place. A rank may have
// nothing to exchange.
func (x *example[T]) between(from, to int) int {
	idle := int(x.seed % uint64(2*x.size))
	if from == idle || to == idle {
		return 0
	}
	if x.inPlace {
		from, to = min(from, to), max(from, to)
	}
	return x.counts[(3*from+to)%x.size] / x.size
}

// pairs are the layouts of a rank in Alltoallv.
func (x *example[T]) pairs(rank int) (send mpi.Layout, sendSpan int, recv mpi.Layout, recvSpan int) {
	out, in := make([]int, x.size), make([]int, x.size)
	for i := range x.size {
		out[i], in[i] = x.between(rank, i), x.between(i, rank)
	}
	send, sendSpan = layout(out)
	recv, recvSpan = layout(in)
	if sum(out)+sum(in) == 0 { // the buffers are empty
		return mpi.Layout{Counts: out}, 0, mpi.Layout{Counts: in}, 0
	}
	return send, sendSpan, recv, recvSpan
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

// atRoot is n at the root, nothing elsewhere.
func (x *example[T]) atRoot(rank, n int) int {
	if rank == x.root {
		return n
	}
	return 0
}

// onlyRoot is a place at the root, nowhere elsewhere.
func (x *example[T]) onlyRoot(rank, at int) int {
	if rank == x.root {
		return at
	}
	return -1
}

func same[T comparable](x *example[T], _ int) (send, recv int) { return x.length, x.length }

func begin[T comparable](*example[T], int) int { return 0 }

// blocks puts what all ranks send one after the other.
func (x *example[T]) blocks(out []T) { copy(out, slices.Concat(x.send...)) }

// parts puts what all ranks send where the layout says.
func (x *example[T]) parts(out []T) {
	l, _ := layout(x.counts)
	for i, at := range l.Displs {
		copy(out[at:], x.send[i])
	}
}

func kindsOf[T comparable]() *[kinds]kind[T] {
	type ex = *example[T]
	type comm = *mpi.Comm
	return &[kinds]kind[T]{
		{
			name:    "barrier",
			lengths: func(ex, int) (send, recv int) { return 0, 0 },
			want:    func(ex, int, []T) {},
			now:     func(_ ex, c comm, _, _ []T) error { return c.Barrier() },
			later:   func(_ ex, c comm, _, _ []T) (*mpi.Request, error) { return c.Ibarrier() },
			keep:    func(_ ex, c comm, _, _ []T) (*mpi.Request, error) { return c.BarrierInit() },
		},
		{
			name:    "bcast",
			lengths: func(x ex, _ int) (send, recv int) { return 0, x.length },
			want:    func(x ex, _ int, out []T) { copy(out, x.recv[x.root]) },
			now:     func(x ex, c comm, _, recv []T) error { return mpi.Bcast(c, recv, x.root) },
			later:   func(x ex, c comm, _, recv []T) (*mpi.Request, error) { return mpi.Ibcast(c, recv, x.root) },
			keep:    func(x ex, c comm, _, recv []T) (*mpi.Request, error) { return mpi.BcastInit(c, recv, x.root) },
		},
		{
			name:    "gather",
			lengths: func(x ex, rank int) (send, recv int) { return x.length, x.atRoot(rank, x.length*x.size) },
			place:   func(x ex, rank int) int { return x.onlyRoot(rank, rank*x.length) },
			want: func(x ex, rank int, out []T) {
				if rank == x.root {
					x.blocks(out)
				}
			},
			now:   func(x ex, c comm, send, recv []T) error { return mpi.Gather(c, send, recv, x.root) },
			later: func(x ex, c comm, send, recv []T) (*mpi.Request, error) { return mpi.Igather(c, send, recv, x.root) },
			keep:  func(x ex, c comm, send, recv []T) (*mpi.Request, error) { return mpi.GatherInit(c, send, recv, x.root) },
		},
		{
			name: "gatherv",
			lengths: func(x ex, rank int) (send, recv int) {
				_, span := layout(x.counts)
				return x.counts[rank], x.atRoot(rank, span)
			},
			place: func(x ex, rank int) int {
				l, _ := layout(x.counts)
				return x.onlyRoot(rank, l.Displs[rank])
			},
			want: func(x ex, rank int, out []T) {
				if rank == x.root {
					x.parts(out)
				}
			},
			now: func(x ex, c comm, send, recv []T) error {
				l, _ := layout(x.counts)
				return mpi.Gatherv(c, send, recv, l, x.root)
			},
			later: func(x ex, c comm, send, recv []T) (*mpi.Request, error) {
				l, _ := layout(x.counts)
				return mpi.Igatherv(c, send, recv, l, x.root)
			},
			keep: func(x ex, c comm, send, recv []T) (*mpi.Request, error) {
				l, _ := layout(x.counts)
				return mpi.GathervInit(c, send, recv, l, x.root)
			},
		},
		{
			name:    "scatter",
			lengths: func(x ex, rank int) (send, recv int) { return x.atRoot(rank, x.length*x.size), x.length },
			place:   func(x ex, rank int) int { return x.onlyRoot(rank, rank*x.length) },
			want:    func(x ex, rank int, out []T) { copy(out, x.send[x.root][rank*x.length:]) },
			now:     func(x ex, c comm, send, recv []T) error { return mpi.Scatter(c, send, recv, x.root) },
			later:   func(x ex, c comm, send, recv []T) (*mpi.Request, error) { return mpi.Iscatter(c, send, recv, x.root) },
			keep: func(x ex, c comm, send, recv []T) (*mpi.Request, error) {
				return mpi.ScatterInit(c, send, recv, x.root)
			},
		},
		{
			name: "scatterv",
			lengths: func(x ex, rank int) (send, recv int) {
				_, span := layout(x.counts)
				return x.atRoot(rank, span), x.counts[rank]
			},
			place: func(x ex, rank int) int {
				l, _ := layout(x.counts)
				return x.onlyRoot(rank, l.Displs[rank])
			},
			want: func(x ex, rank int, out []T) {
				l, _ := layout(x.counts)
				copy(out, x.send[x.root][l.Displs[rank]:])
			},
			now: func(x ex, c comm, send, recv []T) error {
				l, _ := layout(x.counts)
				return mpi.Scatterv(c, send, l, recv, x.root)
			},
			later: func(x ex, c comm, send, recv []T) (*mpi.Request, error) {
				l, _ := layout(x.counts)
				return mpi.Iscatterv(c, send, l, recv, x.root)
			},
			keep: func(x ex, c comm, send, recv []T) (*mpi.Request, error) {
				l, _ := layout(x.counts)
				return mpi.ScattervInit(c, send, l, recv, x.root)
			},
		},
		{
			name:    "allgather",
			lengths: func(x ex, _ int) (send, recv int) { return x.length, x.length * x.size },
			place:   func(x ex, rank int) int { return rank * x.length },
			want:    func(x ex, _ int, out []T) { x.blocks(out) },
			now:     func(_ ex, c comm, send, recv []T) error { return mpi.Allgather(c, send, recv) },
			later:   func(_ ex, c comm, send, recv []T) (*mpi.Request, error) { return mpi.Iallgather(c, send, recv) },
			keep:    func(_ ex, c comm, send, recv []T) (*mpi.Request, error) { return mpi.AllgatherInit(c, send, recv) },
		},
		{
			name: "allgatherv",
			lengths: func(x ex, rank int) (send, recv int) {
				_, span := layout(x.counts)
				return x.counts[rank], span
			},
			place: func(x ex, rank int) int {
				l, _ := layout(x.counts)
				return l.Displs[rank]
			},
			want: func(x ex, _ int, out []T) { x.parts(out) },
			now: func(x ex, c comm, send, recv []T) error {
				l, _ := layout(x.counts)
				return mpi.Allgatherv(c, send, recv, l)
			},
			later: func(x ex, c comm, send, recv []T) (*mpi.Request, error) {
				l, _ := layout(x.counts)
				return mpi.Iallgatherv(c, send, recv, l)
			},
			keep: func(x ex, c comm, send, recv []T) (*mpi.Request, error) {
				l, _ := layout(x.counts)
				return mpi.AllgathervInit(c, send, recv, l)
			},
		},
		{
			name:    "alltoall",
			lengths: func(x ex, _ int) (send, recv int) { return x.length * x.size, x.length * x.size },
			place:   begin[T],
			want: func(x ex, rank int, out []T) {
				for i, send := range x.send {
					copy(out[i*x.length:], send[rank*x.length:(rank+1)*x.length])
				}
			},
			now:   func(_ ex, c comm, send, recv []T) error { return mpi.Alltoall(c, send, recv) },
			later: func(_ ex, c comm, send, recv []T) (*mpi.Request, error) { return mpi.Ialltoall(c, send, recv) },
			keep:  func(_ ex, c comm, send, recv []T) (*mpi.Request, error) { return mpi.AlltoallInit(c, send, recv) },
		},
		{
			name:    "alltoallv",
			lengths: unequal[T],
			place:   begin[T],
			want:    (ex).exchanged,
			now: func(x ex, c comm, send, recv []T) error {
				from, _, to, _ := x.pairs(c.Rank())
				return mpi.Alltoallv(c, send, from, recv, to)
			},
			later: func(x ex, c comm, send, recv []T) (*mpi.Request, error) {
				from, _, to, _ := x.pairs(c.Rank())
				return mpi.Ialltoallv(c, send, from, recv, to)
			},
			keep: func(x ex, c comm, send, recv []T) (*mpi.Request, error) {
				from, _, to, _ := x.pairs(c.Rank())
				return mpi.AlltoallvInit(c, send, from, recv, to)
			},
		},
		{
			name:    "alltoallw",
			lengths: unequal[T],
			want:    (ex).exchanged,
			now: func(x ex, c comm, send, recv []T) error {
				from, _, to, _ := x.pairs(c.Rank())
				return mpi.Alltoallw(c, data(send, from, mpi.Data{}), data(recv, to, mpi.Elements(recv[:0])))
			},
			later: func(x ex, c comm, send, recv []T) (*mpi.Request, error) {
				from, _, to, _ := x.pairs(c.Rank())
				return mpi.Ialltoallw(c, data(send, from, mpi.Data{}), data(recv, to, mpi.Elements(recv[:0])))
			},
			keep: func(x ex, c comm, send, recv []T) (*mpi.Request, error) {
				from, _, to, _ := x.pairs(c.Rank())
				return mpi.AlltoallwInit(c, data(send, from, mpi.Data{}), data(recv, to, mpi.Elements(recv[:0])))
			},
		},
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

// unequal are the lengths of the vectors of a rank in Alltoallv.
func unequal[T comparable](x *example[T], rank int) (send, recv int) {
	_, send, _, recv = x.pairs(rank)
	return send, recv
}

// exchanged puts what a rank gets in Alltoallv where its layout says.
func (x *example[T]) exchanged(rank int, out []T) {
	_, _, in, _ := x.pairs(rank)
	for i, send := range x.send {
		if n := in.Counts[i]; n > 0 {
			from, _, _, _ := x.pairs(i)
			copy(out[in.Displs[i]:], send[from.Displs[rank]:][:n])
		}
	}
}

func sum(counts []int) (n int) {
	for _, count := range counts {
		n += count
	}
	return n
}
