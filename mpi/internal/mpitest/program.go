// Package mpitest tests a package like mpi by random programs. It is for the tests of this project. A program
// follows from a number, its seed. Its ranks communicate on duplicates of the world and on parts of it, from
// several goroutines: they send messages of 0 to 300 KiB in all modes, receive them in all ways, also from any
// source and with any tag, probe, cancel, use persistent requests, messages in partitions and windows, and call
// collective operations. Epochs of windows and collective operations also begin and end between the messages of one
// goroutine, several under way, and so are communicators of parts, between parts and topologies made, used and freed. No program has a
// deadlock. The ranks know the right result of each operation by the rules for matching (MPI 4.1, section 3.5). They fail
// if a message is lost, or comes twice, out of order, or with wrong bytes or status.
package mpitest

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// Program is what the ranks of a job do. Use New.
type Program struct {
	// Size is the number of ranks.
	Size int
	// EagerLimit and UnexpectedLimit are settings for the job, in bytes.
	EagerLimit, UnexpectedLimit int

	rounds []round
}

// A round has lanes, which run at the same time, each in goroutines of its own. Ranks
// need not be in the same round.
type round struct {
	lanes []lane
	free  bool // give the communicators back at its end
}

// A lane runs on communicators of its own. It may split the ranks by color; then the ranks of
// each color have communicators in common, otherwise all ranks.
type lane struct {
	splits       bool
	colors, keys []int // of ranks of the world
	parts        []part
}

// A part is a lane for ranks of one color. It is one of these.
type part struct {
	scripts     [][]*step    // of each rank: messages from one to another, and tasks between them
	receivers   *receivers   // several goroutines of a rank receive them
	collectives []collective // all ranks take part
	repeats     *repeats     // persistent requests, and messages in partitions
	window      *window      // one-sided operations
}

// A message is numbered within its part.
type message struct {
	id, source, dest, tag, size int
	ready                       bool // its receive is posted, and says so
}

// verb is what a step does.
type verb uint8

const (
	doSend      verb = iota
	doReceive        // takes message if that is not nil, else one that it matches
	doComplete       // waits for what the step in the field of has started
	postUnsent       // a receive for a message that is never sent
	dropUnsent       // cancels that receive
	sendDropped      // sends a message, cancels it, and tells its receiver whether it was cancelled
	postDropped      // posts a receive for that message
	doneDropped      // learns whether it was cancelled
	doStage          // of the task, the one numbered way
	doPause
)

// A step is a call of one rank. way is one of several ways to make it.
type step struct {
	verb        verb
	message     *message
	source, tag int   // of a receive
	capacity    int   // of its buffer
	of          *step // the step that this one completes
	way         int
	task        task
	atEnd       bool // it is completed at the end, together with others
}

func (s *step) String() string {
	switch {
	case s.task != nil:
		return fmt.Sprintf("stage %d of %T", s.way, s.task)
	case s.message == nil && s.verb == doReceive:
		return fmt.Sprintf("receive, way %d, from %d with tag %d", s.way, s.source, s.tag)
	case s.message == nil:
		return fmt.Sprintf("step %d, way %d", s.verb, s.way)
	}
	m := s.message
	return fmt.Sprintf("step %d, way %d, of message %d from %d to %d with tag %d of %d bytes, receive from %d with tag %d",
		s.verb, s.way, m.id, m.source, m.dest, m.tag, m.size, s.source, s.tag)
}

// generator makes a program.
type generator struct {
	*rand.Rand
	program Program
	mortal  bool // ranks die: see Survivors
}

// New returns the program of a seed, for at least 2 and at most so many ranks.
func New(seed uint64, ranks int) Program {
	g := generator{Rand: rand.New(rand.NewPCG(seed, 0x5c7b))}
	p := &g.program
	p.Size = 2 + g.IntN(ranks-1)
	p.EagerLimit = []int{1, 1 << 10, 8 << 10, 64 << 10}[g.IntN(4)]
	p.UnexpectedLimit = []int{64 << 10, 64 << 20, 64 << 20}[g.IntN(3)]
	for range 1 + g.IntN(3) {
		r := round{free: g.IntN(2) == 0}
		for range 1 + g.IntN(3) {
			r.lanes = append(r.lanes, g.lane())
		}
		p.rounds = append(p.rounds, r)
	}
	return *p
}

func (g *generator) lane() lane {
	l := lane{splits: g.IntN(2) == 0, colors: make([]int, g.program.Size), keys: make([]int, g.program.Size)}
	sizes := []int{g.program.Size}
	if l.splits {
		sizes = []int{0, 0}
		for rank := range l.colors {
			l.colors[rank], l.keys[rank] = g.IntN(2), g.IntN(4)
			sizes[l.colors[rank]]++
		}
	}
	for _, size := range sizes {
		l.parts = append(l.parts, g.part(size))
	}
	return l
}

func (g *generator) part(size int) part {
	if size == 0 {
		return part{}
	}
	switch g.IntN(8) {
	case 0, 1, 2:
		return part{scripts: g.exchange(size)}
	case 3:
		return part{scripts: g.funnel(size)}
	case 4:
		return part{receivers: g.receivers(size)}
	case 5:
		return part{repeats: g.repeats(size)}
	case 6:
		return part{window: g.window(size)}
	}
	return part{collectives: g.collectives(size, 1+g.IntN(15))}
}

// length is that of a message, in bytes.
func (g *generator) length() int {
	switch g.IntN(10) {
	case 0:
		return 0
	case 1, 2, 3:
		return 1 + g.IntN(64)
	case 4, 5:
		return 1 + g.IntN(3<<10)
	case 6, 7:
		return g.program.EagerLimit - 1 + g.IntN(3)
	case 8:
		return 1 + g.IntN(40<<10)
	}
	return 1 + g.IntN(300<<10)
}

// message makes a message between two of size ranks.
func (g *generator) message(id, size int) *message {
	return &message{id: id, source: g.IntN(size), dest: g.IntN(size), tag: g.IntN(3), size: g.length()}
}

// body is what a message holds: nothing but its length is the same in two.
func (m *message) body() []byte {
	b := make([]byte, (m.size+7)/8*8)
	x := uint64(m.id+1) * 0x9e3779b97f4a7c15
	for i := 0; i < len(b); i += 8 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		binary.LittleEndian.PutUint64(b[i:], x)
	}
	return b[:m.size]
}
