package matching

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

var depths = []int{10, 1_000, 100_000}

// bench is an engine with many posted receives and unexpected messages of
// other tags, and what it takes to match one more.
type bench struct {
	Engine
	seq Seq
}

func newBench(depth int) *bench {
	b := new(bench)
	for i := range depth {
		b.Post(&Receive{Source: 1, Tag: Tag(10 + i)})
		b.unexpected(Tag(1_000_000+i), new(Message))
	}
	return b
}

// unexpected hands in the next message from source 2.
func (b *bench) unexpected(tag Tag, m *Message) {
	m.Kind, m.Source, m.Tag, m.Seq = Eager, 2, tag, b.seq
	b.seq++
	if err := b.Arrive(m); err != nil {
		panic(err)
	}
}

// expect posts a receive and hands in its message.
func (b *bench) expect(r *Receive, m *Message) {
	r.Source, r.Tag = 2, 5
	if b.Post(r) != nil {
		panic("matched before its message came")
	}
	b.unexpected(5, m)
	if b.Next() != r {
		panic("no match")
	}
}

// find hands in a message and receives it.
func (b *bench) find(r *Receive, m *Message) {
	b.unexpected(5, m)
	r.Source, r.Tag = 2, 5
	if b.Post(r) != m {
		panic("no match")
	}
}

// BenchmarkDepth matches one message while many receives are posted and many
// messages unexpected: the cost must not depend on how many.
func BenchmarkDepth(b *testing.B) {
	for _, depth := range depths {
		e, r, m := newBench(depth), new(Receive), new(Message)
		b.Run(fmt.Sprintf("expected/%d", depth), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e.expect(r, m)
			}
		})
		b.Run(fmt.Sprintf("unexpected/%d", depth), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e.find(r, m)
			}
		})
		b.Run(fmt.Sprintf("anysource/%d", depth), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e.unexpected(5, m)
				r.Source, r.Tag = AnySource, 5
				if e.Post(r) != m {
					b.Fatal("no match")
				}
			}
		})
	}
}

// BenchmarkOneTRC works on the middle of a long list of one TRC.
func BenchmarkOneTRC(b *testing.B) {
	for _, depth := range depths {
		var e Engine
		rs := make([]Receive, depth)
		for i := range rs {
			rs[i].Source, rs[i].Tag = 1, 5
			e.Post(&rs[i])
		}
		b.Run(fmt.Sprintf("cancel/%d", depth), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i = (i + 7919) % depth {
				if !e.Cancel(&rs[i]) {
					b.Fatal("not posted")
				}
				e.Post(&rs[i])
			}
		})
	}
}

// BenchmarkRandomAccess matches at random among many: here the memory of the
// machine shows, as every match touches other cache lines.
func BenchmarkRandomAccess(b *testing.B) {
	for _, depth := range depths {
		var e Engine
		rs := make([]Receive, depth)
		for i := range rs {
			rs[i].Source, rs[i].Tag = 2, Tag(i)
			e.Post(&rs[i])
		}
		m, s, rng := new(Message), Seq(0), rand.New(rand.NewPCG(1, 1))
		b.Run(fmt.Sprint(depth), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.Kind, m.Source, m.Tag, m.Seq = Eager, 2, Tag(rng.IntN(depth)), s
				s++
				if err := e.Arrive(m); err != nil {
					b.Fatal(err)
				}
				e.Post(e.Next())
			}
		})
	}
}

func TestMatchingAllocatesNothing(t *testing.T) {
	e, r, m := newBench(1000), new(Receive), new(Message)
	require.Zero(t, testing.AllocsPerRun(1000, func() { e.expect(r, m) }))
	require.Zero(t, testing.AllocsPerRun(1000, func() { e.find(r, m) }))
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		r.Source, r.Tag = AnySource, AnyTag
		e.Probe(0, 2, 5)
	}))
}
