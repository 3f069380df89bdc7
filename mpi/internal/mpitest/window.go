package mpitest

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// window is a random program of one-sided operations, in epochs. In an epoch the windows of all ranks are cut into segments, and each
// segment is used in one way only, by one origin or by several. So the test knows what a segment holds at the end, and what
// operations read from it.
type window struct {
	length int // of the memory of each rank
	epochs []epoch
}

type epoch struct {
	kind     epochKind
	segments []segment
}

// epochKind is how the ranks synchronize.
type epochKind int

const (
	fences epochKind = iota
	lockAll
	locks
	groups
	epochKinds
)

type segment struct {
	target, first, length int
	use                   use
	origin                int // of uses by one origin
	seed                  int64
}

type use int

const (
	usePut      use = iota // by one origin
	useGet                 // by all
	useSum                 // by all
	useChain               // several accumulates by one origin, which come in order
	useRequests            // as a chain, by the operations with requests
	useColumn              // as a chain, of every second element
	useFetch               // by all, of the first element: each adds another bit
	useSwap                // by one origin, of the first element
	uses
)

// window returns a random one for so many ranks.
func (g *generator) window(ranks int) *window {
	w := &window{length: 1 + g.IntN(6000)}
	for range 1 + g.IntN(3) {
		e := epoch{kind: epochKind(g.IntN(int(epochKinds)))}
		for target := range ranks {
			for first := 0; first < w.length; {
				s := segment{target: target, first: first, use: use(g.IntN(int(uses))), origin: g.IntN(ranks), seed: g.Int64N(1000)}
				if s.use == useRequests && e.kind != lockAll && e.kind != locks {
					s.use = useChain // requests need locks
				}
				s.length = min(1+g.IntN(1<<g.IntN(13)), w.length-first)
				first += s.length
				e.segments = append(e.segments, s)
			}
		}
		g.Shuffle(len(e.segments), func(i, j int) { e.segments[i], e.segments[j] = e.segments[j], e.segments[i] })
		w.epochs = append(w.epochs, e)
	}
	return w
}

// Windows is the program of a seed in which 1 to so many ranks use one window.
func Windows(seed uint64, ranks int) Program {
	g := generator{Rand: rand.New(rand.NewPCG(seed, 18))}
	p := &g.program
	p.Size = 1 + g.IntN(ranks)
	p.EagerLimit = []int{1, 8 << 10, 64 << 10}[g.IntN(3)]
	p.UnexpectedLimit = []int{1 << 20, 64 << 20}[g.IntN(2)]
	all := part{window: g.window(p.Size)}
	p.rounds = []round{{free: true, lanes: []lane{{colors: make([]int, p.Size), keys: make([]int, p.Size), parts: []part{all}}}}}
	return *p
}

// numbers are those from first on.
func numbers(first, n int) []int64 {
	s := make([]int64, n)
	for i := range s {
		s[i] = int64(first + i)
	}
	return s
}

// elements is how many an operation on the segment has.
func (s *segment) elements() int {
	if s.use == useColumn {
		return (s.length + 1) / 2
	}
	return s.length
}

// data is what an origin brings for a segment.
func (s *segment) data(origin int) []int64 { return numbers(int(s.seed)+7*origin, s.elements()) }

// chain is what a segment's elements become by three accumulates, and what they are after the first.
func (s *segment) chain(elements []int64) (first, all []int64) {
	first = slices.Clone(elements)
	mpi.Sum(first, s.data(s.origin))
	all = slices.Clone(first)
	mpi.Max(all, s.data(s.origin+1))
	mpi.BitXor(all, s.data(s.origin+2))
	return first, all
}

// apply changes the elements of the segment as all ranks do.
func (s *segment) apply(model []int64, ranks int) {
	part := model[s.first : s.first+s.length]
	switch s.use {
	case usePut:
		copy(part, s.data(s.origin))
	case useSum:
		for origin := range ranks {
			mpi.Sum(part, s.data(origin))
		}
	case useChain, useRequests:
		_, all := s.chain(part)
		copy(part, all)
	case useColumn:
		_, all := s.chain(column(part))
		for i, v := range all {
			part[2*i] = v
		}
	case useFetch:
		part[0] += 1<<ranks - 1
	case useSwap:
		part[0] = s.data(s.origin)[0]
	}
}

// column is every second element.
func column(part []int64) (elements []int64) {
	for i := 0; i < len(part); i += 2 {
		elements = append(elements, part[i])
	}
	return elements
}

// reading is what an operation reads, and should, but for the bits of the mask, which it may have beside.
type reading struct {
	got, want []int64
	mask      int64
	segment   segment
}

// right reports whether it has read what it should.
func (r *reading) right() bool {
	return slices.EqualFunc(r.got, r.want, func(got, want int64) bool { return (got-want)&^r.mask == 0 })
}

// begin begins this rank's operations on a segment, whose elements are part.
func (s *segment) begin(w *mpi.Win[int64], c *mpi.Comm, part []int64) (readings []reading, err error) {
	me := c.Rank()
	reads := func(want []int64) []int64 {
		got := make([]int64, len(want))
		readings = append(readings, reading{got: got, want: slices.Clone(want), segment: *s})
		return got
	}
	switch {
	case s.use == useGet:
		err = w.Get(reads(part), s.target, s.first)
		return readings, errors.Join(err, w.GetAccumulate(nil, reads(part), mpi.NoOp, s.target, s.first))
	case s.use == useSum:
		return nil, w.Accumulate(s.data(me), mpi.Sum, s.target, s.first)
	case s.use == useFetch:
		got := reads(part[:1])
		readings[0].mask = 1<<c.Size() - 1 - 1<<me // some of the others may have been before
		return readings, w.FetchAndOp(1<<me, &got[0], mpi.Sum, s.target, s.first)
	case me != s.origin:
		return nil, nil
	case s.use == useSwap:
		next := s.data(me)[:1]
		was, failed := reads(part[:1]), reads(next)
		return readings, errors.Join(
			w.CompareAndSwap(part[0], next[0], &was[0], s.target, s.first),
			w.CompareAndSwap(next[0]+1, -1, &failed[0], s.target, s.first))
	case s.use == usePut:
		return nil, w.Put(s.data(me), s.target, s.first)
	case s.use == useColumn:
		first, _ := s.chain(column(part))
		layout := mpi.Strided(part, len(first), 1, 2)
		return readings, errors.Join(
			w.AccumulateData(mpi.Elements(s.data(me)), mpi.Sum, s.target, s.first, layout),
			w.GetAccumulateData(mpi.Elements(s.data(me+1)), mpi.Elements(reads(first)), mpi.Max, s.target, s.first, layout),
			w.AccumulateData(mpi.Elements(s.data(me+2)), mpi.BitXor, s.target, s.first, layout))
	}
	first, _ := s.chain(part)
	if s.use == useChain {
		return readings, errors.Join(
			w.Accumulate(s.data(me), mpi.Sum, s.target, s.first),
			w.GetAccumulate(s.data(me+1), reads(first), mpi.Max, s.target, s.first),
			w.Accumulate(s.data(me+2), mpi.BitXor, s.target, s.first))
	}
	one, err1 := w.Raccumulate(s.data(me), mpi.Sum, s.target, s.first)
	two, err2 := w.RgetAccumulate(s.data(me+1), reads(first), mpi.Max, s.target, s.first)
	three, err3 := w.Raccumulate(s.data(me+2), mpi.BitXor, s.target, s.first)
	if err = errors.Join(err1, err2, err3); err == nil {
		_, err = mpi.WaitAll(context.Background(), one, two, three)
	}
	return readings, err
}
