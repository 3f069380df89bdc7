package mpitest

import "github.com/sctpmpi/sctpmpi/mpi"

// rootedKinds are the barrier, and what goes out from a root or comes together there.
func rootedKinds[T comparable]() []kind[T] {
	type ex = *example[T]
	type comm = *mpi.Comm
	return []kind[T]{
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
	}
}
