package schedule

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each row names an algorithm that its operation has, and there is one for every number of ranks and bytes.
func TestTable(t *testing.T) {
	v := Vector{Count: 10, Elem: 8}
	in, out := Part{In, 0, v.Length()}, Part{Out, 0, v.Length()}
	r := Ranks{Me: 2, Size: 5}
	build := map[Operation]func(b *Builder, op Op){
		OpBarrier:       func(b *Builder, _ Op) { Barrier(b, r, Start) },
		OpBcast:         func(b *Builder, _ Op) { Bcast(b, r, 1, out, Start) },
		OpReduce:        func(b *Builder, op Op) { Reduce(b, r, 1, in, out, v, op, Start) },
		OpAllreduce:     func(b *Builder, op Op) { Allreduce(b, r, in, out, v, op, Start) },
		OpReduceScatter: func(b *Builder, op Op) { ReduceScatterBlock(b, r, in, out, Vector{2, 8}, op, Start) },
		OpScan:          func(b *Builder, op Op) { Scan(b, r, in, out, v, op, Start) },
	}
	for o, f := range build {
		rows := table[o]
		require.NotEmpty(t, rows, o)
		assert.Equal(t, row{unlimited, unlimited, always, rows[len(rows)-1].choice}, rows[len(rows)-1], "the last row of %v", o)
		for _, row := range rows {
			var b Builder
			b.Reset()
			b.Force(o, row.choice)
			assert.NotPanics(t, func() { f(&b, Op{Commutes: true}) }, "%v: %v", o, row.choice)
			assert.NotEmpty(t, b.Schedule().Steps)
		}
	}
}

// Where the order matters no algorithm is chosen that does not keep it.
func TestTableKeepsTheOrder(t *testing.T) {
	var b Builder
	for _, o := range []Operation{OpReduce, OpAllreduce, OpReduceScatter, OpScan} {
		for ranks := 1; ranks < 2000; ranks = ranks*5/4 + 1 {
			for bytes := 1; bytes < 1<<30; bytes *= 2 {
				choice := b.choose(o, ranks, bytes, false)
				assert.NotContains(t, []Algorithm{Circulant, Ring, ""}, choice.Algorithm, "%v: %d ranks, %d bytes", o, ranks, bytes)
			}
		}
	}
}
