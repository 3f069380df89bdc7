package mpitest

import (
	"fmt"
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// A collective is a collective operation, on vectors of so many elements for each rank.
type collective struct{ what, length, root int }

const collectiveKinds = 9

func (g *generator) collectives(size int) (all []collective) {
	for range 1 + g.IntN(15) {
		all = append(all, collective{
			what: g.IntN(collectiveKinds), root: g.IntN(size),
			length: []int{0, 1, 3, 100, 1 + g.IntN(3000), 1 + g.IntN(30_000)}[g.IntN(6)],
		})
	}
	return all
}

// value is element i of a rank's vector for another, or for all.
func value(rank, other, i int) int64 {
	return int64(rank+1)*1_000_003 + int64(other)*7919 + int64(i)*31
}

func values(n int, f func(i int) int64) []int64 {
	v := make([]int64, n)
	for i := range v {
		v[i] = f(i)
	}
	return v
}

func runCollectives(c *mpi.Comm, all []collective) error {
	for i, k := range all {
		got, want, err := k.run(c)
		if err != nil || !slices.Equal(got, want) {
			return fmt.Errorf("collective %d, %+v: wrong result, or error %w", i, k, err)
		}
	}
	return nil
}

// run returns what a rank has got of a collective, and what it should have.
func (k collective) run(c *mpi.Comm) (got, want []int64, err error) {
	n, size, me := k.length, c.Size(), c.Rank()
	of := func(rank int) []int64 { return values(n, func(i int) int64 { return value(rank, 0, i) }) }
	sum := func(ranks int) []int64 {
		return values(n, func(i int) (s int64) {
			for rank := range ranks {
				s += value(rank, 0, i)
			}
			return s
		})
	}
	blocks := values(n*size, func(i int) int64 { return value(i/max(n, 1), 0, i%max(n, 1)) })
	mine, one, many := of(me), make([]int64, n), make([]int64, n*size)
	root := func(got, want []int64) ([]int64, []int64) {
		if me != k.root {
			return nil, nil
		}
		return got, want
	}
	switch k.what {
	case 0:
		return nil, nil, c.Barrier()
	case 1:
		err = mpi.Bcast(c, mine, k.root)
		return mine, of(k.root), err
	case 2:
		err = mpi.Reduce(c, mine, one, mpi.Sum, k.root)
		got, want = root(one, sum(size))
	case 3:
		return one, sum(size), mpi.Allreduce(c, mine, one, mpi.Sum)
	case 4:
		return one, sum(me + 1), mpi.Scan(c, mine, one, mpi.Sum)
	case 5:
		err = mpi.Gather(c, mine, many, k.root)
		got, want = root(many, blocks)
	case 6:
		return one, mine, mpi.Scatter(c, blocks, one, k.root)
	case 7:
		return many, blocks, mpi.Allgather(c, mine, many)
	default:
		out := values(n*size, func(i int) int64 { return value(me, i/max(n, 1), i%max(n, 1)) })
		in := values(n*size, func(i int) int64 { return value(i/max(n, 1), me, i%max(n, 1)) })
		return many, in, mpi.Alltoall(c, out, many)
	}
	return got, want, err
}
