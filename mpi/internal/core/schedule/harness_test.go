package schedule_test

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule/simulate"
)

var seed = flag.Uint64("seed", 0, "of the random tests; 0: another one each time")

// long tests have more ranks, which takes minutes under the race detector.
var long = os.Getenv("SCTPMPI_TEST_LONG") != ""

// newRandom prints the seed that repeats the test.
func newRandom(t *testing.T) *rand.Rand {
	t.Helper()
	s := *seed
	if s == 0 {
		s = uint64(time.Now().UnixNano())
	}
	t.Logf("-seed %d", s)
	return rand.New(rand.NewPCG(s, 0))
}

// input is what a collective operation is given.
type input struct {
	schedule.Vector
	n, root int
	op      schedule.Op
	counts  []int // of ReduceScatter
	inPlace bool
	hosts   []int32
	choice  schedule.Choice
	few     bool // messages, by FewMessages
}

func (in input) String() string {
	return fmt.Sprintf("%s/%d, %d ranks, root %d, %d × %d bytes %v, in place %v, hosts %v, commutes %v",
		in.choice.Algorithm, in.choice.Segment, in.n, in.root, in.Count, in.Elem, in.counts, in.inPlace, in.hosts, in.op.Commutes)
}

// collective is an operation under test.
type collective struct {
	operation schedule.Operation
	choices   []schedule.Choice
	commuting []schedule.Choice // only for operations that commute
	// build adds what a rank does with in and out.
	build func(b *schedule.Builder, r schedule.Ranks, in, out schedule.Part, c input)
	// The lengths of in and out.
	lengths func(c input, rank int) (in, out int)
	// want is what is in out of a rank at the end, nil if that does not matter. all has what was in in. before is out as it was.
	want func(c input, rank int, all [][]byte, before []byte) []byte
	// place is where in is in out, if it can be there, at this rank.
	place func(c input, rank int) (offset int, possible bool)
	// oneBuffer: in is always there.
	oneBuffer bool
}

// run runs it at all ranks, and returns what is in out of each.
func (o collective) run(t *testing.T, random *rand.Rand, c input, f func(left, right []byte)) (outs [][]byte) {
	t.Helper()
	c.inPlace = c.inPlace || o.oneBuffer
	memory, all, before := make([]simulate.Memory, c.n), make([][]byte, c.n), make([][]byte, c.n)
	here := make([]bool, c.n)
	for i := range memory {
		inLength, outLength := o.lengths(c, i)
		in, out := make([]byte, inLength), make([]byte, outLength)
		if c.inPlace {
			var offset int
			if offset, here[i] = o.place(c, i); here[i] {
				out = make([]byte, max(outLength, offset+inLength))
				in = out[offset : offset+inLength]
			}
		}
		for _, b := range [][]byte{out, in} {
			fill(random, b)
		}
		all[i], before[i] = append([]byte{}, in...), append([]byte{}, out[:outLength]...)
		memory[i] = simulate.Memory{In: in, Out: out}
		if here[i] {
			memory[i].In = nil
		}
	}
	schedules := simulate.Schedules(c.n, o.builder(c, here))
	for rank, s := range schedules {
		if c.n > 8 && rank != c.root && random.IntN(c.n) > 2 {
			continue // a few are enough
		}
		require.NoError(t, simulate.Check(s), "%v: %v, rank %d", o.operation, c, rank)
	}
	err := simulate.Run(random, schedules, memory, f)
	require.NoError(t, err, "%v: %v", o.operation, c)
	for rank := range c.n {
		outs = append(outs, memory[rank].Out)
		if o.want == nil {
			continue
		}
		if want := o.want(c, rank, all, before[rank]); want != nil {
			require.Equal(t, want, memory[rank].Out[:len(want)], "%v: %v, rank %d", o.operation, c, rank)
		}
		if !here[rank] {
			require.Equal(t, all[rank], memory[rank].In, "in has changed; %v: %v, rank %d", o.operation, c, rank)
		}
	}
	return outs
}

func fill(random *rand.Rand, b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		binary.LittleEndian.PutUint64(b, random.Uint64())
	}
	for i := range b {
		b[i] = byte(random.Uint32())
	}
}

func (o collective) builder(c input, inPlace []bool) simulate.Build {
	return func(b *schedule.Builder, rank int) {
		b.Force(o.operation, c.choice)
		b.FewMessages(c.few)
		r := schedule.Ranks{Me: rank, Size: c.n}
		if c.hosts != nil {
			r.Hosts = schedule.NewHosts(c.hosts, rank)
		}
		if inPlace != nil && inPlace[rank] {
			offset, _ := o.place(c, rank)
			b.InPlace(offset)
		}
		in, out := o.lengths(c, rank)
		o.build(b, r, schedule.Part{Buffer: schedule.In, Length: in}, schedule.Part{Buffer: schedule.Out, Length: out}, c)
	}
}

// ordered is associative, and does not commute: each byte is a map x → a·x + b modulo 16, and they are composed.
func ordered(left, right []byte) {
	for i, l := range left {
		a, b, r := l>>4, l&15, right[i]
		left[i] = a*(r>>4)<<4 | (a*(r&15)+b)&15
	}
}

// commuting is associative and commutes.
func commuting(left, right []byte) {
	for i := range left {
		left[i] += right[i]
	}
}

// lopsided is neither: it shows order and grouping.
func lopsided(left, right []byte) {
	for i := range left {
		left[i] = left[i]*3 ^ right[i]*5>>1 + 1
	}
}

// mean commutes, but shows the grouping, as floating-point sums do.
func mean(left, right []byte) {
	for i := range left {
		left[i] = byte((int(left[i])*7+int(right[i])*7)>>3) ^ left[i]&right[i]
	}
}

// whole fails if it is given parts of elements.
func (in input) whole(t *testing.T, f func(left, right []byte)) func(left, right []byte) {
	return func(left, right []byte) {
		require.Equal(t, len(left), len(right))
		require.Zero(t, len(left)%in.Elem, "a part of an element: %v", in)
		f(left, right)
	}
}

// operator is the operation that op describes.
func (in input) operator(t *testing.T) func(left, right []byte) {
	if in.op.Commutes {
		return in.whole(t, commuting)
	}
	return in.whole(t, ordered)
}

// fold combines vectors from left to right.
func (in input) fold(all [][]byte) []byte {
	sum := append([]byte{}, all[0]...)
	for _, v := range all[1:] {
		if in.op.Commutes {
			commuting(sum, v)
		} else {
			ordered(sum, v)
		}
	}
	return sum
}
