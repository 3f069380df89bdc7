package datatype

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	seed  = flag.Uint64("seed", 0, "of random types; 0 takes one from the clock")
	types = flag.Int("types", 800, "how many random types each test makes")
)

// entry is one of a type map.
type entry struct {
	kind Kind
	disp int64
}

// oracle is a type as the standard writes it: all its entries, and the markers of its bounds.
type oracle struct {
	entries   []entry
	marked    bool
	low, high int64
}

func (o oracle) bounds() (low, high int64) {
	if o.marked {
		return o.low, o.high
	}
	low, high = o.trueBounds()
	align := int64(1)
	for _, e := range o.entries {
		align = max(align, kinds[e.kind].align)
	}
	for (high-low)%align != 0 {
		high++
	}
	return low, high
}

func (o oracle) trueBounds() (low, high int64) {
	for i, e := range o.entries {
		end := e.disp + kinds[e.kind].size
		if i == 0 {
			low, high = e.disp, end
		}
		low, high = min(low, e.disp), max(high, end)
	}
	return low, high
}

func (o oracle) extent() int64 {
	low, high := o.bounds()
	return high - low
}

func (o oracle) size() (n int64) {
	for _, e := range o.entries {
		n += kinds[e.kind].size
	}
	return n
}

// add appends n copies of p at disp.
func (o *oracle) add(p oracle, disp, n int64) {
	for i := range n {
		at := disp + i*p.extent()
		for _, e := range p.entries {
			o.entries = append(o.entries, entry{e.kind, e.disp + at})
		}
		if p.marked {
			o.mark(p.low+at, p.high+at)
		}
	}
}

func (o *oracle) mark(low, high int64) {
	if o.marked {
		low, high = min(low, o.low), max(high, o.high)
	}
	o.low, o.high, o.marked = low, high, true
}

// kindsOf is the sequence of kinds of count elements.
func (o oracle) kindsOf(count int64) (all []Kind) {
	for range count {
		for _, e := range o.entries {
			all = append(all, e.kind)
		}
	}
	return all
}

// bytes are the displacements of the bytes of a message of count elements.
func (o oracle) bytes(count int64) (all []int64) {
	for i := range count {
		for _, e := range o.entries {
			for b := range kinds[e.kind].size {
				all = append(all, i*o.extent()+e.disp+b)
			}
		}
	}
	return all
}

// random makes types and their oracles.
type random struct {
	*rand.Rand
	t *testing.T
	// forUnpacking asks for types without overlap.
	kinds []Kind
}

func newRandom(t *testing.T) *random {
	s := *seed
	if s == 0 {
		s = uint64(time.Now().UnixNano())
	}
	t.Logf("repeat with -seed=%d", s)
	return &random{Rand: rand.New(rand.NewPCG(s, 1)), t: t, kinds: []Kind{Byte, Int16, Int32, Float64, LongDouble, DoubleInt, LongInt, Complex64}}
}

func (r *random) basic() (*Type, oracle) {
	k := r.kinds[r.IntN(len(r.kinds))]
	if value, index, ok := k.Pair(); ok {
		return Basic(k), oracle{entries: []entry{{value, 0}, {index, max(4, kinds[value].size)}}}
	}
	return Basic(k), oracle{entries: []entry{{k, 0}}}
}

func (r *random) small(n int64) int64 { return r.Int64N(n) }

func (r *random) list(n int, max int64) []int64 {
	all := make([]int64, n)
	for i := range all {
		all[i] = r.small(max)
	}
	return all
}

// displacements are far enough apart or not, regular or not.
func (r *random) displacements(n int, unit int64) []int64 {
	all := r.list(n, 40)
	step := r.small(9) - 3
	for i := range all {
		if r.IntN(8) > 0 {
			all[i] = int64(i) * step
		}
		all[i] = (all[i] - 5) * unit
	}
	return all
}

// tree is a random type of at most depth constructors.
func (r *random) tree(depth int) (*Type, oracle) {
	if depth == 0 || r.IntN(12) == 0 {
		return r.basic()
	}
	old, o := r.tree(depth - 1)
	if len(o.entries) > 300 {
		return old, o
	}
	var made oracle
	var t *Type
	var err error
	switch r.IntN(13) {
	case 0:
		n := r.small(4)
		t, err = Contiguous(n, old)
		made.add(o, 0, n)
	case 1, 2:
		n, length, stride := r.small(5), r.small(4), r.small(9)-3
		t, err = Vector(n, length, stride, old)
		for i := range n {
			made.add(o, i*stride*o.extent(), length)
		}
	case 3:
		n, length, stride := r.small(5), r.small(4), r.small(60)-20
		t, err = Hvector(n, length, stride, old)
		for i := range n {
			made.add(o, i*stride, length)
		}
	case 4, 5:
		n := r.IntN(6)
		lengths := r.list(n, 3)
		if r.IntN(2) == 0 {
			displacements := r.displacements(n, 1)
			t, err = Indexed(lengths, displacements, old)
			for i, d := range displacements {
				made.add(o, d*o.extent(), lengths[i])
			}
		} else {
			displacements := r.displacements(n, 4)
			t, err = Hindexed(lengths, displacements, old)
			for i, d := range displacements {
				made.add(o, d, lengths[i])
			}
		}
	case 6, 7:
		n, length := r.IntN(6), r.small(3)
		if r.IntN(2) == 0 {
			displacements := r.displacements(n, 1)
			t, err = IndexedBlock(length, displacements, old)
			for _, d := range displacements {
				made.add(o, d*o.extent(), length)
			}
		} else {
			displacements := r.displacements(n, 2)
			t, err = HindexedBlock(length, displacements, old)
			for _, d := range displacements {
				made.add(o, d, length)
			}
		}
	case 8, 9:
		n := 1 + r.IntN(4)
		lengths, displacements, members := r.list(n, 3), r.displacements(n, 8), []*Type{old}
		made.add(o, displacements[0], lengths[0])
		for i := 1; i < n; i++ {
			member, p := r.tree(depth - 1)
			if r.IntN(3) == 0 {
				member, p = old, o
			}
			members = append(members, member)
			made.add(p, displacements[i], lengths[i])
		}
		t, err = Struct(lengths, displacements, members)
	case 10:
		low, extent := r.small(20)-10, r.small(100)-20
		t, err = Resized(old, low, extent)
		made.entries = o.entries
		made.mark(low, low+extent)
	case 11:
		t, err = Dup(old)
		made = o
	case 12:
		t, made = r.subarray(old, o)
	}
	require.NoError(r.t, err)
	return t, made
}

func (r *random) subarray(old *Type, o oracle) (*Type, oracle) {
	n := 1 + r.IntN(3)
	sizes, subsizes, starts := make([]int64, n), make([]int64, n), make([]int64, n)
	for i := range sizes {
		sizes[i] = 1 + r.small(4)
		subsizes[i] = 1 + r.small(sizes[i])
		starts[i] = r.small(sizes[i] - subsizes[i] + 1)
	}
	order := Order(r.IntN(2))
	t, err := Subarray(sizes, subsizes, starts, order, old)
	require.NoError(r.t, err)
	var made oracle
	each(subsizes, order, func(index []int64) {
		at := make([]int64, n)
		for i := range at {
			at[i] = starts[i] + index[i]
		}
		made.add(oracle{entries: o.entries}, offset(at, sizes, order)*o.extent(), 1)
	})
	made.mark(0, product(sizes)*o.extent())
	return t, made
}

// each calls f with all indices of an array, in its order.
func each(sizes []int64, order Order, f func(index []int64)) {
	index := make([]int64, len(sizes))
	for range product(sizes) {
		f(index)
		for i := range index {
			dimension := i
			if order == OrderC {
				dimension = len(index) - 1 - i
			}
			if index[dimension]++; index[dimension] < sizes[dimension] {
				break
			}
			index[dimension] = 0
		}
	}
}

func offset(index, sizes []int64, order Order) (at int64) {
	for i := range index {
		dimension := i
		if order == OrderFortran {
			dimension = len(index) - 1 - i
		}
		at = at*sizes[dimension] + index[dimension]
	}
	return at
}

func product(sizes []int64) int64 {
	n := int64(1)
	for _, s := range sizes {
		n *= s
	}
	return n
}

// each calls f with random types.
func (r *random) each(f func(t *Type, o oracle)) {
	for range *types {
		t, o := r.tree(1 + r.IntN(4))
		f(t, o)
	}
}

func (l *list) String() (s string) {
	for _, p := range l.loops {
		s += fmt.Sprintf("[%d: %d×%d size %d kind %v", p.disp, p.count, p.stride, p.size, p.kind)
		if p.body != nil {
			s += p.body.String()
		}
		s += "]"
	}
	return s
}
