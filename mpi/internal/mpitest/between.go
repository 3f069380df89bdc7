package mpitest

import (
	"fmt"
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// A crossing is a collective operation of an intercommunicator, as the ranks of one of its two groups see it: what each group gives
// goes to the other. All of it follows from its numbers.
type crossing struct {
	side    int // of this group, 0 or 1
	sizes   [2]int
	routine int
	form    form
	length  int // of a part, at most
	at      int // the side of the root
	root    int // its rank there
	seed    uint64
}

// crossings are the same operations as both sides see them.
func (g *generator) crossings(sizes [2]int, number int) (both [2][]task) {
	for range number {
		k := crossing{
			sizes: sizes, routine: g.IntN(len(routines)), form: form(g.IntN(int(forms))), length: g.IntN(1 << g.IntN(13)), at: g.IntN(2), seed: g.Uint64(),
		}
		k.root = g.IntN(sizes[k.at])
		for side := range both {
			of := k
			of.side = side
			both[side] = append(both[side], &of)
		}
	}
	return both
}

func (k *crossing) stages() int { return k.form.stages() }

func (k *crossing) begin(c *mpi.Comm) []func() error {
	return k.form.run(k.seed, func() (call, error) { return k.call(c) })
}

// transfer is what a rank exchanges in a crossing: what it gives, what it gets, and the forms of the call.
type transfer struct {
	send, want       []int64
	now, later, keep func(send, recv []int64) (*mpi.Request, error)
}

func (k *crossing) call(c *mpi.Comm) (x call, err error) {
	t := routines[k.routine](k, c)
	send, recv := slices.Clone(t.send), make([]int64, len(t.want))
	x.what = k
	x.reset = func() { clear(recv) }
	x.check = func() error {
		if !slices.Equal(recv, t.want) || !slices.Equal(send, t.send) {
			return fmt.Errorf("%+v: wrong result at rank %d of its group", *k, c.Rank())
		}
		return nil
	}
	switch k.form {
	case blocking:
		_, err = t.now(send, recv)
	case nonblocking:
		x.request, err = t.later(send, recv)
	default:
		if x.request, err = t.keep(send, recv); err == nil {
			err = x.request.Start()
		}
	}
	if err != nil {
		err = fmt.Errorf("%+v: %w", *k, err)
	}
	return x, err
}

// near and far are the sizes of this group and of the other.
func (k *crossing) near() int { return k.sizes[k.side] }
func (k *crossing) far() int  { return k.sizes[1-k.side] }

// given are numbers that a rank of a side gives to one of the other side, or to all.
func (k *crossing) given(side, from, to, n int) []int64 {
	return numbers(int(k.seed%1000)+1_000_000*side+10_000*from+100*to, n)
}

// some is how many elements go from a rank of a side to one of the other, where these numbers differ. Some ranks give none.
func (k *crossing) some(side, from, to int) int {
	n := int(k.seed%1000) + 5*side + 3*from + to
	if (int(k.seed%3)+from)%3 == 0 {
		return 0
	}
	return n % (k.length + 1)
}

// counts are those of a rank's parts: what it gives, if out, or what it gets.
func (k *crossing) counts(rank int, out bool) []int {
	counts := make([]int, k.far())
	for i := range counts {
		if out {
			counts[i] = k.some(k.side, rank, i)
		} else {
			counts[i] = k.some(1-k.side, i, rank)
		}
	}
	return counts
}

// argument is what a rank passes as the root.
func (k *crossing) argument(rank int) int {
	switch {
	case k.side != k.at:
		return k.root
	case rank == k.root:
		return mpi.Root
	}
	return mpi.ProcNull
}

// laid puts parts where a layout has them.
func laid(l mpi.Layout, span int, part func(i, n int) []int64) []int64 {
	all := make([]int64, span)
	for i, n := range l.Counts {
		copy(all[l.Displs[i]:], part(i, n))
	}
	return all
}

// total is what the ranks of a side have, added up.
func (k *crossing) total(side, n int) []int64 {
	all := make([]int64, n)
	for rank := range k.sizes[side] {
		mpi.Sum(all, k.given(side, rank, 0, n))
	}
	return all
}

// done is a blocking call.
func done(err error) (*mpi.Request, error) { return nil, err }

// data is the parts of a vector. Those without elements are the zero Data, or some.
func data[T any](all []T, l mpi.Layout, none mpi.Data) []mpi.Data {
	parts := make([]mpi.Data, len(l.Counts))
	for i, n := range l.Counts {
		if parts[i] = none; n > 0 {
			parts[i] = mpi.Elements(all[l.Displs[i]:][:n])
		}
	}
	return parts
}

// routines are the operations that intercommunicators have.
var routines = [...]func(k *crossing, c *mpi.Comm) transfer{
	func(_ *crossing, c *mpi.Comm) transfer {
		return transfer{
			now:   func(_, _ []int64) (*mpi.Request, error) { return done(c.Barrier()) },
			later: func(_, _ []int64) (*mpi.Request, error) { return c.Ibarrier() },
			keep:  func(_, _ []int64) (*mpi.Request, error) { return c.BarrierInit() },
		}
	},
	func(k *crossing, c *mpi.Comm) (t transfer) { // Bcast
		root := k.argument(c.Rank())
		switch value := k.given(k.at, k.root, 0, k.length); root {
		case mpi.Root:
			t.send = value
		case k.root:
			t.want = value
		}
		buffer := func(send, recv []int64) []int64 {
			if root == mpi.Root {
				return send
			}
			return recv
		}
		t.now = func(send, recv []int64) (*mpi.Request, error) { return done(mpi.Bcast(c, buffer(send, recv), root)) }
		t.later = func(send, recv []int64) (*mpi.Request, error) { return mpi.Ibcast(c, buffer(send, recv), root) }
		t.keep = func(send, recv []int64) (*mpi.Request, error) { return mpi.BcastInit(c, buffer(send, recv), root) }
		return t
	},
	func(k *crossing, c *mpi.Comm) (t transfer) { // Gather
		root := k.argument(c.Rank())
		switch root {
		case mpi.Root:
			for i := range k.far() {
				t.want = append(t.want, k.given(1-k.side, i, 0, k.length)...)
			}
		case k.root:
			t.send = k.given(k.side, c.Rank(), 0, k.length)
		}
		t.now = func(send, recv []int64) (*mpi.Request, error) { return done(mpi.Gather(c, send, recv, root)) }
		t.later = func(send, recv []int64) (*mpi.Request, error) { return mpi.Igather(c, send, recv, root) }
		t.keep = func(send, recv []int64) (*mpi.Request, error) { return mpi.GatherInit(c, send, recv, root) }
		return t
	},
	func(k *crossing, c *mpi.Comm) (t transfer) { // Gatherv
		root := k.argument(c.Rank())
		var l mpi.Layout
		switch root {
		case mpi.Root:
			var span int
			l, span = layout(k.counts(c.Rank(), false))
			t.want = laid(l, span, func(i, n int) []int64 { return k.given(1-k.side, i, 0, n) })
		case k.root:
			t.send = k.given(k.side, c.Rank(), 0, k.some(k.side, c.Rank(), k.root))
		}
		t.now = func(send, recv []int64) (*mpi.Request, error) { return done(mpi.Gatherv(c, send, recv, l, root)) }
		t.later = func(send, recv []int64) (*mpi.Request, error) { return mpi.Igatherv(c, send, recv, l, root) }
		t.keep = func(send, recv []int64) (*mpi.Request, error) { return mpi.GathervInit(c, send, recv, l, root) }
		return t
	},
	func(k *crossing, c *mpi.Comm) (t transfer) { // Scatter
		root := k.argument(c.Rank())
		switch root {
		case mpi.Root:
			for i := range k.far() {
				t.send = append(t.send, k.given(k.side, c.Rank(), i, k.length)...)
			}
		case k.root:
			t.want = k.given(k.at, k.root, c.Rank(), k.length)
		}
		t.now = func(send, recv []int64) (*mpi.Request, error) { return done(mpi.Scatter(c, send, recv, root)) }
		t.later = func(send, recv []int64) (*mpi.Request, error) { return mpi.Iscatter(c, send, recv, root) }
		t.keep = func(send, recv []int64) (*mpi.Request, error) { return mpi.ScatterInit(c, send, recv, root) }
		return t
	},
	func(k *crossing, c *mpi.Comm) (t transfer) { // Scatterv
		root := k.argument(c.Rank())
		var l mpi.Layout
		switch root {
		case mpi.Root:
			var span int
			l, span = layout(k.counts(c.Rank(), true))
			t.send = laid(l, span, func(i, n int) []int64 { return k.given(k.side, c.Rank(), i, n) })
		case k.root:
			t.want = k.given(k.at, k.root, c.Rank(), k.some(k.at, k.root, c.Rank()))
		}
		t.now = func(send, recv []int64) (*mpi.Request, error) { return done(mpi.Scatterv(c, send, l, recv, root)) }
		t.later = func(send, recv []int64) (*mpi.Request, error) { return mpi.Iscatterv(c, send, l, recv, root) }
		t.keep = func(send, recv []int64) (*mpi.Request, error) { return mpi.ScattervInit(c, send, l, recv, root) }
		return t
	},
	func(k *crossing, c *mpi.Comm) (t transfer) { // Allgather
		t.send = k.given(k.side, c.Rank(), 0, k.length)
		for i := range k.far() {
			t.want = append(t.want, k.given(1-k.side, i, 0, k.length)...)
		}
		t.now = func(send, recv []int64) (*mpi.Request, error) { return done(mpi.Allgather(c, send, recv)) }
		t.later = func(send, recv []int64) (*mpi.Request, error) { return mpi.Iallgather(c, send, recv) }
		t.keep = func(send, recv []int64) (*mpi.Request, error) { return mpi.AllgatherInit(c, send, recv) }
		return t
	},
	func(k *crossing, c *mpi.Comm) (t transfer) { // Allgatherv
		counts := make([]int, k.far())
		for i := range counts {
			counts[i] = k.some(1-k.side, i, 0)
		}
		l, span := layout(counts)
		t.send = k.given(k.side, c.Rank(), 0, k.some(k.side, c.Rank(), 0))
		t.want = laid(l, span, func(i, n int) []int64 { return k.given(1-k.side, i, 0, n) })
		t.now = func(send, recv []int64) (*mpi.Request, error) { return done(mpi.Allgatherv(c, send, recv, l)) }
		t.later = func(send, recv []int64) (*mpi.Request, error) { return mpi.Iallgatherv(c, send, recv, l) }
		t.keep = func(send, recv []int64) (*mpi.Request, error) { return mpi.AllgathervInit(c, send, recv, l) }
		return t
	},
	func(k *crossing, c *mpi.Comm) (t transfer) { // Alltoall
		for i := range k.far() {
			t.send = append(t.send, k.given(k.side, c.Rank(), i, k.length)...)
			t.want = append(t.want, k.given(1-k.side, i, c.Rank(), k.length)...)
		}
		t.now = func(send, recv []int64) (*mpi.Request, error) { return done(mpi.Alltoall(c, send, recv)) }
		t.later = func(send, recv []int64) (*mpi.Request, error) { return mpi.Ialltoall(c, send, recv) }
		t.keep = func(send, recv []int64) (*mpi.Request, error) { return mpi.AlltoallInit(c, send, recv) }
		return t
	},
	func(k *crossing, c *mpi.Comm) transfer { // Alltoallv
		t, out, in := k.parts(c.Rank())
		t.now = func(send, recv []int64) (*mpi.Request, error) { return done(mpi.Alltoallv(c, send, out, recv, in)) }
		t.later = func(send, recv []int64) (*mpi.Request, error) { return mpi.Ialltoallv(c, send, out, recv, in) }
		t.keep = func(send, recv []int64) (*mpi.Request, error) { return mpi.AlltoallvInit(c, send, out, recv, in) }
		return t
	},
	func(k *crossing, c *mpi.Comm) transfer { // Alltoallw
		t, out, in := k.parts(c.Rank())
		t.now = func(send, recv []int64) (*mpi.Request, error) {
			return done(mpi.Alltoallw(c, data(send, out, mpi.Data{}), data(recv, in, mpi.Elements(recv[:0]))))
		}
		t.later = func(send, recv []int64) (*mpi.Request, error) {
			return mpi.Ialltoallw(c, data(send, out, mpi.Data{}), data(recv, in, mpi.Elements(recv[:0])))
		}
		t.keep = func(send, recv []int64) (*mpi.Request, error) {
			return mpi.AlltoallwInit(c, data(send, out, mpi.Data{}), data(recv, in, mpi.Elements(recv[:0])))
		}
		return t
	},
	func(k *crossing, c *mpi.Comm) (t transfer) { // Reduce
		root := k.argument(c.Rank())
		switch root {
		case mpi.Root:
			t.want = k.total(1-k.side, k.length)
		case k.root:
			t.send = k.given(k.side, c.Rank(), 0, k.length)
		}
		t.now = func(send, recv []int64) (*mpi.Request, error) { return done(mpi.Reduce(c, send, recv, mpi.Sum, root)) }
		t.later = func(send, recv []int64) (*mpi.Request, error) { return mpi.Ireduce(c, send, recv, mpi.Sum, root) }
		t.keep = func(send, recv []int64) (*mpi.Request, error) { return mpi.ReduceInit(c, send, recv, mpi.Sum, root) }
		return t
	},
	func(k *crossing, c *mpi.Comm) (t transfer) { // Allreduce
		t.send, t.want = k.given(k.side, c.Rank(), 0, k.length), k.total(1-k.side, k.length)
		t.now = func(send, recv []int64) (*mpi.Request, error) { return done(mpi.Allreduce(c, send, recv, mpi.Sum)) }
		t.later = func(send, recv []int64) (*mpi.Request, error) { return mpi.Iallreduce(c, send, recv, mpi.Sum) }
		t.keep = func(send, recv []int64) (*mpi.Request, error) { return mpi.AllreduceInit(c, send, recv, mpi.Sum) }
		return t
	},
	func(k *crossing, c *mpi.Comm) (t transfer) { // ReduceScatterBlock: the vectors of both groups are equally long
		n := k.length * k.far()
		all := n * k.near()
		t.send, t.want = k.given(k.side, c.Rank(), 0, all), k.total(1-k.side, all)[c.Rank()*n:][:n]
		t.now = func(send, recv []int64) (*mpi.Request, error) {
			return done(mpi.ReduceScatterBlock(c, send, recv, mpi.Sum))
		}
		t.later = func(send, recv []int64) (*mpi.Request, error) { return mpi.IreduceScatterBlock(c, send, recv, mpi.Sum) }
		t.keep = func(send, recv []int64) (*mpi.Request, error) {
			return mpi.ReduceScatterBlockInit(c, send, recv, mpi.Sum)
		}
		return t
	},
	func(k *crossing, c *mpi.Comm) (t transfer) { // ReduceScatter: the first ranks have nothing, the last all
		counts := make([]int, k.near())
		counts[len(counts)-1] = k.length
		t.send = k.given(k.side, c.Rank(), 0, k.length)
		if c.Rank() == len(counts)-1 {
			t.want = k.total(1-k.side, k.length)
		}
		t.now = func(send, recv []int64) (*mpi.Request, error) {
			return done(mpi.ReduceScatter(c, send, recv, counts, mpi.Sum))
		}
		t.later = func(send, recv []int64) (*mpi.Request, error) {
			return mpi.IreduceScatter(c, send, recv, counts, mpi.Sum)
		}
		t.keep = func(send, recv []int64) (*mpi.Request, error) {
			return mpi.ReduceScatterInit(c, send, recv, counts, mpi.Sum)
		}
		return t
	},
}

// parts are what a rank exchanges with each of the other group.
func (k *crossing) parts(rank int) (t transfer, out, in mpi.Layout) {
	out, sent := layout(k.counts(rank, true))
	in, got := layout(k.counts(rank, false))
	t.send = laid(out, sent, func(i, n int) []int64 { return k.given(k.side, rank, i, n) })
	t.want = laid(in, got, func(i, n int) []int64 { return k.given(1-k.side, i, rank, n) })
	return t, out, in
}
