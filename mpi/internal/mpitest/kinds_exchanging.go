package mpitest

import "github.com/sctpmpi/sctpmpi/mpi"

// exchangingKinds give each rank something of all.
func exchangingKinds[T comparable]() []kind[T] {
	type ex = *example[T]
	type comm = *mpi.Comm
	return []kind[T]{
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
	}
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
