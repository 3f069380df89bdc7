package matching

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

var depths = []int{10, 1_000, 100_000}

// traffic makes the messages of benchmarks and counts their sequence numbers.
type traffic struct {
	engine Engine
	next   map[Rank]Seq
}

func (w *traffic) number(m *Message) *Message {
	if w.next == nil {
		w.next = make(map[Rank]Seq)
	}
	m.Seq = w.next[m.Source]
	w.next[m.Source]++
	return m
}

// others spreads n patterns over sources and tags, none of them the hot one,
// which is source 0, tag 0.
func others(n int, use func(source Rank, t Tag)) {
	for i := range n {
		use(Rank(1+i%100), Tag(1+i/100))
	}
}

func (w *traffic) post(n int) {
	others(n, func(source Rank, t Tag) { w.engine.Post(&Receive{Source: source, Tag: t}) })
}

func (w *traffic) arrive(b *testing.B, n int) {
	others(n, func(source Rank, t Tag) {
		if err := w.engine.Arrive(w.number(&Message{Source: source, Envelope: Envelope{Tag: t}})); err != nil {
			b.Fatal(err)
		}
	})
}

// expected is one message for which a receive is posted.
func expected(b *testing.B, e *Engine, r *Receive, m *Message) {
	if e.Post(r) != nil || e.Arrive(m) != nil || e.Next() != r {
		b.Fatal("no match")
	}
	m.Seq++
}

// unexpected is one message that comes before its receive.
func unexpected(b *testing.B, e *Engine, r *Receive, m *Message) {
	if e.Arrive(m) != nil || e.Post(r) != m {
		b.Fatal("no match")
	}
	m.Seq++
}

// BenchmarkOvertaken has a window of messages come in random order, each with a tag of its own, for receives that were
// posted before.
func BenchmarkOvertaken(b *testing.B) {
	for _, window := range []int{1, 16, 1024} {
		for _, allowed := range []bool{false, true} {
			b.Run(fmt.Sprintf("window=%d/allowed=%t", window, allowed), func(b *testing.B) {
				var e Engine
				e.AllowOvertaking(0, allowed)
				receives, messages := make([]Receive, window), make([]Message, window)
				order, sent := rand.New(rand.NewPCG(1, 2)).Perm(window), 0
				b.ReportAllocs()
				for b.Loop() {
					for i := range receives {
						receives[i].Tag = Tag(i)
						e.Post(&receives[i])
					}
					for _, i := range order {
						m := &messages[i]
						m.Tag, m.Seq = Tag(i), Seq(sent+i)
						if e.Arrive(m) != nil || e.Next() == nil {
							b.Fatal("no match")
						}
					}
					sent += window
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*window), "ns/message")
			})
		}
	}
}

// BenchmarkHot matches one TRC while others hold many receives, messages or
// both, so it shows whether the cost of a match depends on depth.
func BenchmarkHot(b *testing.B) {
	orders := []struct {
		name string
		run  func(*testing.B, *Engine, *Receive, *Message)
	}{{"expected", expected}, {"unexpected", unexpected}}
	kinds := []struct {
		name    string
		receive Receive
	}{{"exact", Receive{}}, {"anySource", Receive{Source: AnySource}}, {"anyTag", Receive{Tag: AnyTag}}}
	for _, order := range orders {
		for _, kind := range kinds {
			for _, n := range depths {
				for _, of := range []string{"posted", "unexpected"} {
					b.Run(fmt.Sprintf("%s/%s/%s=%d", order.name, kind.name, of, n), func(b *testing.B) {
						var w traffic
						if of == "posted" {
							w.post(n)
						} else {
							w.arrive(b, n)
						}
						r, m := kind.receive, &Message{}
						b.ReportAllocs()
						for b.Loop() {
							order.run(b, &w.engine, &r, m)
						}
					})
				}
			}
		}
	}
}

// BenchmarkHotAnyBoth is a receive for anything, with many receives posted
// before it that do not match.
func BenchmarkHotAnyBoth(b *testing.B) {
	for _, n := range depths {
		b.Run(fmt.Sprintf("posted=%d", n), func(b *testing.B) {
			var w traffic
			w.post(n)
			r, m := &Receive{Source: AnySource, Tag: AnyTag}, &Message{}
			b.ReportAllocs()
			for b.Loop() {
				expected(b, &w.engine, r, m)
			}
		})
	}
}

// BenchmarkSameTRC has all receives, or messages, in one TRC: the first is
// matched and a new one queued behind.
func BenchmarkSameTRC(b *testing.B) {
	for _, n := range depths {
		b.Run(fmt.Sprintf("posted=%d", n), func(b *testing.B) {
			var e Engine
			for range n {
				e.Post(new(Receive))
			}
			m := &Message{}
			b.ReportAllocs()
			for b.Loop() {
				if e.Arrive(m) != nil {
					b.Fatal("refused")
				}
				m.Seq++
				e.Post(e.Next())
			}
		})
		b.Run(fmt.Sprintf("unexpected=%d", n), func(b *testing.B) {
			var e Engine
			next := Seq(0)
			for range n {
				e.Arrive(&Message{Envelope: Envelope{Seq: next}})
				next++
			}
			r := &Receive{}
			b.ReportAllocs()
			for b.Loop() {
				m := e.Post(r)
				m.Seq = next
				next++
				if e.Arrive(m) != nil {
					b.Fatal("refused")
				}
			}
		})
	}
}

// BenchmarkMiddle withdraws a receive, or takes a message, from the middle of
// the queue of one TRC and queues it again, and probes at its head.
func BenchmarkMiddle(b *testing.B) {
	for _, n := range depths {
		b.Run(fmt.Sprintf("cancel/posted=%d", n), func(b *testing.B) {
			var e Engine
			all := make([]Receive, n)
			for i := range all {
				e.Post(&all[i])
			}
			i := n / 2
			b.ReportAllocs()
			for b.Loop() {
				if !e.Cancel(&all[i]) {
					b.Fatal("not posted")
				}
				e.Post(&all[i])
				i = (i + 1) % n
			}
		})
		b.Run(fmt.Sprintf("take/unexpected=%d", n), func(b *testing.B) {
			var e Engine
			all := make([]Message, n)
			next := Seq(0)
			arrive := func(m *Message) {
				m.Seq = next
				next++
				if e.Arrive(m) != nil {
					b.Fatal("refused")
				}
			}
			for i := range all {
				arrive(&all[i])
			}
			i := n / 2
			b.ReportAllocs()
			for b.Loop() {
				if !e.Take(&all[i]) {
					b.Fatal("not there")
				}
				arrive(&all[i])
				i = (i + 1) % n
			}
		})
		b.Run(fmt.Sprintf("probe/unexpected=%d", n), func(b *testing.B) {
			var w traffic
			w.arrive(b, n)
			b.ReportAllocs()
			for b.Loop() {
				if w.engine.Probe(0, 1, 1) == nil || w.engine.Probe(0, 1, AnyTag) == nil ||
					w.engine.Probe(0, AnySource, 1) == nil || w.engine.Probe(0, AnySource, AnyTag) == nil {
					b.Fatal("nothing there")
				}
			}
		})
	}
}

// BenchmarkRandom matches TRCs in random order, so with depth it measures
// ever more of the memory behind the caches.
func BenchmarkRandom(b *testing.B) {
	for _, n := range depths {
		b.Run(fmt.Sprintf("posted=%d", n), func(b *testing.B) {
			var w traffic
			messages := make([]Message, n)
			i := 0
			others(n, func(source Rank, t Tag) {
				messages[i].Source, messages[i].Tag = source, t
				w.engine.Post(&Receive{Source: source, Tag: t})
				i++
			})
			next := make([]Seq, 101)
			order := rand.New(rand.NewPCG(1, 2)).Perm(n)
			i = 0
			b.ReportAllocs()
			for b.Loop() {
				m := &messages[order[i]]
				m.Seq = next[m.Source]
				next[m.Source]++
				if w.engine.Arrive(m) != nil {
					b.Fatal("refused")
				}
				w.engine.Post(w.engine.Next())
				if i++; i == n {
					i = 0
				}
			}
		})
	}
}

// BenchmarkGaps delivers a window of messages of many tags with every second
// one late, as after a burst of loss, to receives posted for any tag.
func BenchmarkGaps(b *testing.B) {
	for _, window := range []int{16, 256, 4096} {
		b.Run(fmt.Sprintf("anyTag/window=%d", window), func(b *testing.B) {
			var e Engine
			messages := make([]Message, window)
			r := &Receive{Tag: AnyTag}
			e.Post(r)
			drain := func() {
				for r := e.Next(); r != nil; r = e.Next() {
					for e.Post(r) != nil {
					}
				}
			}
			seq := Seq(0)
			b.ReportAllocs()
			for b.Loop() {
				for _, late := range []int{1, 0} {
					for i := late; i < window; i += 2 {
						messages[i].Tag, messages[i].Seq = Tag(i%2), seq+Seq(i)
						if e.Arrive(&messages[i]) != nil {
							b.Fatal("refused")
						}
						drain()
					}
				}
				seq += Seq(window)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(window), "ns/message")
		})
	}
}

// A context is released at a cost that does not depend on how many others there are.
func BenchmarkRelease(b *testing.B) {
	for _, contexts := range depths {
		b.Run(fmt.Sprint(contexts), func(b *testing.B) {
			var e Engine
			for c := range contexts {
				e.Post(&Receive{Context: Context(c), Source: 1, Tag: 1})
			}
			r := &Receive{Context: Context(contexts), Source: 1, Tag: 1}
			for b.Loop() {
				e.Post(r)
				for range e.MessagesIn(r.Context) {
				}
				e.Release(r.Context)
			}
		})
	}
}
