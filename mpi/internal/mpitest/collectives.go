package mpitest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// A collective is a collective operation. All of it follows from its numbers.
type collective struct {
	kind, elements, op int
	length             int // in elements, of each rank, at most
	root               int
	form               form
	inPlace            bool
	seed               uint64
	shared             *shared
}

// form is how it is called.
type form int

const (
	blocking form = iota
	nonblocking
	persistent
	forms
)

// shared is a collective with the vectors of all ranks, for those that are in one process.
type shared struct {
	once     sync.Once
	exercise exercise
}

// exercise is a collective with the vectors of all ranks. It is called at each of them.
type exercise interface {
	call(c *mpi.Comm) (call, error)
}

// call is a collective of a rank that has been started. Its request is nil if it is complete. what says in errors which it is.
type call struct {
	what    any
	request *mpi.Request
	// check tells whether the rank has got the right result, and reset makes its vectors what they were.
	check func() error
	reset func()
}

// maxVector bounds the bytes of a vector.
const maxVector = 1 << 20

// collectives are some collectives, of ever longer vectors the more rarely.
func (g *generator) collectives(size, number int) (all []collective) {
	for range number {
		length := g.IntN(9)
		switch g.IntN(40) {
		case 0:
			length = 1 + g.IntN(maxVector)
		case 1, 2:
			length = 1 + g.IntN(40_000)
		case 3, 4, 5, 6, 7, 8, 9, 10:
			length = 1 + g.IntN(3000)
		case 11, 12, 13, 14, 15, 16, 17, 18, 19, 20:
			length = 1 + g.IntN(100)
		}
		all = append(all, collective{
			kind: g.IntN(kinds), elements: g.IntN(len(elementTypes)), op: g.IntN(64), length: length, root: g.IntN(size),
			form: form(g.IntN(int(forms))), inPlace: g.IntN(3) == 0, seed: g.Uint64(), shared: new(shared),
		})
	}
	return all
}

// Collectives is the program of a seed in which 1 to so many ranks call collective operations on one communicator, many of
// which are under way at the same time.
func Collectives(seed uint64, ranks int) Program {
	g := generator{Rand: rand.New(rand.NewPCG(seed, 0xc011))}
	p := &g.program
	p.Size = 1 + g.IntN(ranks)
	p.EagerLimit = []int{1, 8 << 10, 64 << 10}[g.IntN(3)]
	p.UnexpectedLimit = []int{1 << 20, 64 << 20}[g.IntN(2)]
	all := part{collectives: g.collectives(p.Size, 40)}
	p.rounds = []round{{free: true, lanes: []lane{{colors: make([]int, p.Size), keys: make([]int, p.Size), parts: []part{all}}}}}
	return *p
}

// start calls a collective at a rank.
func (k *collective) start(c *mpi.Comm) (call, error) {
	k.shared.once.Do(func() { k.shared.exercise = elementTypes[k.elements].example(*k, c.Size()) })
	x, err := k.shared.exercise.call(c)
	x.what = k.shared.exercise
	if err != nil {
		err = fmt.Errorf("%v: %w", k.shared.exercise, err)
	}
	return x, err
}

// runCollectives starts collectives in their order, and completes them in orders and ways that each rank chooses by itself.
// At the end those that are persistent run again.
func runCollectives(c *mpi.Comm, all []collective) error {
	own := rand.New(rand.NewPCG(all[0].seed, uint64(c.Rank())))
	var open, kept []call
	finish := func() error {
		own.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
		requests := make([]*mpi.Request, len(open))
		for i := range open {
			requests[i] = open[i].request
		}
		if _, err := completeAllBy(own.IntN(ways), requests); err != nil {
			return err
		}
		for _, x := range open {
			if err := x.check(); err != nil {
				return err
			}
		}
		open = nil
		return nil
	}
	for i, k := range all {
		x, err := k.start(c)
		if err == nil && x.request == nil {
			err = x.check()
		}
		if err != nil {
			return fmt.Errorf("collective %d: %w", i, err)
		}
		if x.request == nil {
			continue
		}
		open = append(open, x)
		if k.form == persistent {
			kept = append(kept, x)
		}
		if own.IntN(6) == 0 {
			if err := finish(); err != nil {
				return fmt.Errorf("before collective %d: %w", i+1, err)
			}
		}
	}
	if err := finish(); err != nil {
		return err
	}
	for _, x := range kept {
		x.reset()
		if err := x.request.Start(); err != nil {
			return err
		}
	}
	open = slices.Clone(kept)
	if err := finish(); err != nil {
		return fmt.Errorf("again: %w", err)
	}
	for _, x := range kept {
		if err := x.request.Free(); err != nil {
			return err
		}
	}
	return nil
}

// example is a collective with its vectors. Of each rank it has what it gives, and the memory for what it gets as that is
// before.
type example[T comparable] struct {
	collective
	elements[T]
	kind       *kind[T]
	size       int
	counts     []int // where each rank has another length
	send, recv [][]T
}

func (e elements[T]) example(k collective, size int) exercise {
	r := rand.New(rand.NewPCG(k.seed, 1))
	x := &example[T]{collective: k, elements: e, kind: &kindsOf[T]()[k.kind], size: size}
	var one T
	x.length = min(x.length, maxVector/int(unsafe.Sizeof(one))/size)
	for range size {
		x.counts = append(x.counts, r.IntN(x.length+1)*r.IntN(2))
	}
	vector := func(n int) []T {
		v := make([]T, n)
		for i := range v {
			v[i] = e.random(r)
		}
		return v
	}
	for rank := range size {
		send, recv := x.kind.lengths(x, rank)
		x.send, x.recv = append(x.send, vector(send)), append(x.recv, vector(recv))
	}
	return x
}

func (x *example[T]) String() string {
	return fmt.Sprintf("%s of %d %s, form %d, operation %d, root %d, in place %v, %d ranks",
		x.kind.name, x.length, x.name, x.form, x.op%len(x.ops), x.root, x.inPlace, x.size)
}

func (x *example[T]) call(c *mpi.Comm) (k call, err error) {
	me := c.Rank()
	send, recv := slices.Clone(x.send[me]), slices.Clone(x.recv[me])
	at, inPlace := 0, x.inPlace && x.kind.place != nil
	if inPlace {
		at = x.kind.place(x, me)
		inPlace = at >= 0
	}
	within := inPlace && len(send) <= len(recv) // send is in recv, or recv in send
	switch {
	case within:
		send = recv[at : at+len(send)]
	case inPlace:
		recv = send[at : at+len(recv)]
	}
	k.reset = func() {
		copy(recv, x.recv[me])
		copy(send, x.send[me]) // last: in place it counts
	}
	k.reset()
	wantSend, wantRecv := slices.Clone(send), slices.Clone(recv)
	x.kind.want(x, me, wantRecv)
	switch {
	case within:
		wantSend = wantRecv[at : at+len(send)]
	case inPlace:
		copy(wantSend[at:], wantRecv)
	}
	k.check = func() error {
		if !slices.Equal(recv, wantRecv) {
			return fmt.Errorf("%v: wrong result at rank %d", x, me)
		}
		if !slices.Equal(send, wantSend) {
			return fmt.Errorf("%v: the send buffer of rank %d has changed", x, me)
		}
		return nil
	}
	switch x.form {
	case blocking:
		err = x.kind.now(x, c, send, recv)
	case nonblocking:
		k.request, err = x.kind.later(x, c, send, recv)
	default:
		if k.request, err = x.kind.keep(x, c, send, recv); err == nil {
			err = k.request.Start()
		}
	}
	return k, err
}
