package mpitest

import (
	"cmp"
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// A trace has all steps of all ranks, in one order in which they could be done one by one. A step
// that waits depends only on earlier steps. So at any time the first step that is not done can be
// done, however fast the ranks are: there is no deadlock.
type trace []traced

type traced struct {
	rank int
	at   float64
	*step
}

func (t *trace) add(rank int, at float64, s *step) { *t = append(*t, traced{rank, at, s}) }

// scripts are the steps of each rank.
func (t trace) scripts(size int) [][]*step {
	slices.SortStableFunc(t, func(a, b traced) int { return cmp.Compare(a.at, b.at) })
	scripts := make([][]*step, size)
	for _, s := range t {
		scripts[s.rank] = append(scripts[s.rank], s.step)
	}
	return scripts
}

// later returns a random time between at and end for a completion, and whether the step is
// completed then. If not it is completed at the end, together with others.
func (g *generator) later(at, end float64) (float64, bool) {
	return at + (end-at)*g.Float64(), g.IntN(3) > 0
}

// complete adds the completion of what a rank has started with a step, after a time at.
func (g *generator) complete(t *trace, rank int, s *step, at, end float64) {
	when, alone := g.later(at, end)
	if s.atEnd = !alone; alone {
		t.add(rank, when, &step{verb: doComplete, of: s, message: s.message, way: g.IntN(ways)})
	}
}

// exchange makes messages between pairs of ranks. Their receives name the source, and a tag or any
// tag. It is known which receive takes which message, since a message is taken by the first receive
// that matches, and a receive takes the first message that it matches.
func (g *generator) exchange(size int) [][]*step {
	type pair struct{ source, dest int }
	sends := map[pair][]*message{}
	var queues [][]*step // of sends, and of receives, each in its order
	var pairs []pair
	n := 5 + g.IntN(25)
	for id := range n {
		m := g.message(id, size)
		p := pair{m.source, m.dest}
		if sends[p] == nil {
			pairs = append(pairs, p)
		}
		sends[p] = append(sends[p], m)
	}
	for _, p := range pairs {
		var out []*step
		for _, m := range sends[p] {
			out = append(out, &step{verb: doSend, message: m})
		}
		queues = append(queues, out, g.receives(sends[p]))
	}
	var t trace
	sent, posted := map[*message]*traced{}, map[*message]*traced{}
	for len(queues) > 0 {
		i := g.IntN(len(queues))
		s := queues[i][0]
		if queues[i] = queues[i][1:]; len(queues[i]) == 0 {
			queues = slices.Delete(queues, i, i+1)
		}
		at, m := float64(len(sent)+len(posted)), s.message
		if s.verb == doSend {
			sent[m] = &traced{m.source, at, s}
		} else {
			posted[m] = &traced{m.dest, at, s}
		}
	}
	end := float64(2 * n)
	for _, p := range pairs {
		for _, m := range sends[p] {
			g.pair(&t, sent[m], posted[m], end)
		}
	}
	for range g.IntN(3) {
		g.unsent(&t, g.IntN(size), size, end)
	}
	for id := range g.IntN(3) {
		g.dropped(&t, n+id, size, end)
	}
	g.tasks(&t, size, end)
	for range g.IntN(4) {
		t.add(g.IntN(size), end*g.Float64(), &step{verb: doPause, way: g.IntN(ways)})
	}
	return t.scripts(size)
}

// receives makes the receives of messages from one rank to another.
func (g *generator) receives(sent []*message) (in []*step) {
	for left := slices.Clone(sent); len(left) > 0; {
		s := &step{verb: doReceive, source: left[0].source, tag: mpi.AnyTag}
		i := 0
		if g.IntN(2) == 0 {
			s.tag = left[g.IntN(len(left))].tag
			i = slices.IndexFunc(left, func(m *message) bool { return m.tag == s.tag })
		}
		s.message = left[i]
		s.capacity = s.message.size + g.IntN(2)*g.IntN(100)
		in = append(in, s)
		left = slices.Delete(left, i, i+1)
	}
	return in
}

// pair chooses how a message is sent and received. Of the two steps the earlier one must not wait.
func (g *generator) pair(t *trace, send, receive *traced, end float64) {
	m, both := send.message, max(send.at, receive.at)
	switch {
	case receive.at < send.at && g.IntN(8) == 0:
		m.ready = true
		send.way = []int{waitReadySend, beginReadySend}[g.IntN(2)]
	case receive.at < send.at && g.IntN(2) == 0:
		send.way = []int{waitSend, waitSyncSend, g.startedSend()}[g.IntN(3)]
	default:
		send.way = g.startedSend()
	}
	receive.way = beginReceive
	if send.at < receive.at {
		receive.way = g.IntN(receiveWays)
	}
	t.add(send.rank, send.at, send.step)
	t.add(receive.rank, receive.at, receive.step)
	if starts(send.step) {
		g.complete(t, send.rank, send.step, both, end)
	}
	if starts(receive.step) {
		g.complete(t, receive.rank, receive.step, both, end)
	}
}

// startedSend is a way to send that does not wait for the receive.
func (g *generator) startedSend() int {
	ways := []int{beginSend, beginSyncSend, beginBufferedSend, waitBufferedSend}
	if g.program.UnexpectedLimit < 64<<20 { // which bounds what is buffered
		ways = ways[:2]
	}
	return ways[g.IntN(len(ways))]
}

// Tags that no other message has.
const (
	unsentTag  = 90
	droppedTag = 1000 // and the next, and so on: see sendDropped
)

// unsent makes a receive that is cancelled.
func (g *generator) unsent(t *trace, rank, size int, end float64) {
	post := &step{verb: postUnsent, source: g.IntN(size+1) - 1, tag: unsentTag}
	at := end * g.Float64()
	when, _ := g.later(at, end)
	t.add(rank, at, post)
	t.add(rank, when, &step{verb: dropUnsent, of: post})
}

// dropped makes a send that is cancelled, which may come too late.
func (g *generator) dropped(t *trace, id, size int, end float64) {
	m := g.message(id, size)
	if m.source == m.dest {
		return
	}
	post := &step{verb: postDropped, message: m}
	at := end * g.Float64()
	mid, _ := g.later(at, end)
	last, _ := g.later(mid, end)
	t.add(m.dest, at, post)
	t.add(m.source, mid, &step{verb: sendDropped, message: m, way: g.IntN(2)})
	t.add(m.dest, last, &step{verb: doneDropped, of: post, message: m})
}

// funnel makes messages to ranks that receive them from any source: all of a rank with any tag, or
// each with its own. No send waits for its receive before the end.
func (g *generator) funnel(size int) [][]*step {
	n := 5 + g.IntN(25)
	anyTag := make([]bool, size)
	for rank := range anyTag {
		anyTag[rank] = g.IntN(2) == 0
	}
	type class struct{ dest, tag int } // of receives that are alike
	classes := map[class][]float64{}   // when their messages are sent
	var order []class
	end, largest := float64(2*n), 0
	var t trace
	for id := range n {
		m := g.message(id, size)
		largest = max(largest, m.size)
		c := class{m.dest, m.tag}
		if anyTag[m.dest] {
			c.tag = mpi.AnyTag
		}
		if classes[c] == nil {
			order = append(order, c)
		}
		at := end * float64(id) / float64(n)
		classes[c] = append(classes[c], at)
		s := &step{verb: doSend, message: m, way: g.startedSend(), atEnd: true}
		t.add(m.source, at, s)
	}
	for _, c := range order {
		at := 0.0
		for _, sent := range classes[c] { // so many have been sent by then
			at = max(at, end*g.Float64()*g.Float64())
			s := &step{verb: doReceive, source: mpi.AnySource, tag: c.tag, capacity: largest, way: beginReceive}
			if sent < at {
				s.way = g.IntN(receiveWays)
			}
			t.add(c.dest, at, s)
			if starts(s) {
				g.complete(&t, c.dest, s, max(at, sent), end)
			}
		}
	}
	g.tasks(&t, size, end)
	return t.scripts(size)
}
