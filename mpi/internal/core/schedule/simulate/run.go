package simulate

import (
	"fmt"
	"math/rand/v2"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
)

// Build adds the steps of one rank to a schedule that has been begun.
type Build func(b *schedule.Builder, rank int)

// Schedules returns the schedules of n ranks.
func Schedules(n int, build Build) []*schedule.Schedule {
	var b schedule.Builder
	all := make([]*schedule.Schedule, n)
	for rank := range all {
		b.Reset()
		build(&b, rank)
		all[rank] = b.Schedule().Clone()
	}
	return all
}

// Memory is the buffers of one rank. What has a negative offset lies before InBase and OutBase, the places of
// offset 0.
type Memory struct {
	In, Out         []byte
	InBase, OutBase int
}

// Run executes the schedules of all ranks. Of all steps that may go, and of all messages that may arrive, a random one is
// next. A Send is eager, or lasts until its message is received, at random. The memory of a Recv has random content while
// it waits, and so has scratch memory at first. combine is the operation: left = left ∘ right; it may be nil if nothing is
// combined. Run fails if lengths of messages differ, if no step may go, or if messages are left over.
func Run(random *rand.Rand, schedules []*schedule.Schedule, memory []Memory, combine func(left, right []byte)) error {
	w := world{random: random, ranks: make([]rank, len(schedules)), channels: make(map[channel]*queue), combine: combine}
	for i, s := range schedules {
		r := rank{Schedule: s, Memory: memory[i], scratch: make([]byte, s.Scratch), waits: make([]int32, len(s.Steps))}
		w.spoil(r.scratch)
		w.ranks[i] = r
		for j, step := range s.Steps {
			r.waits[j] = step.Waits
			if step.Behind {
				r.waits[j]++
			}
			if r.waits[j] == 0 {
				w.ready = append(w.ready, event{rank: i, step: j})
			}
		}
	}
	for len(w.ready) > 0 {
		k := random.IntN(len(w.ready))
		e := w.ready[k]
		w.ready[k] = w.ready[len(w.ready)-1]
		w.ready = w.ready[:len(w.ready)-1]
		if err := w.happen(e); err != nil {
			return err
		}
	}
	return w.leftover()
}

// channel is what goes from one rank to another.
type channel struct{ from, to int }

// queue is what has been started on a channel, and not been matched: either messages or receives.
type queue struct {
	messages []message
	receives []int
}

// message is on its way. If it is eager it has its data, and its step is complete.
type message struct {
	step  int
	eager bool
	data  []byte
}

// event is a step that may begin, or a message that may arrive.
type event struct {
	rank, step int
	arrival    bool
	from       int
	message    message
}

type rank struct {
	*schedule.Schedule
	Memory
	scratch []byte
	waits   []int32
	done    int
}

type world struct {
	random   *rand.Rand
	ranks    []rank
	channels map[channel]*queue
	ready    []event
	combine  func(left, right []byte)
}

// at is the memory of a part.
func (r *rank) at(p schedule.Part) []byte {
	switch p.Buffer {
	case schedule.In:
		return r.In[r.InBase+p.Offset:][:p.Length:p.Length]
	case schedule.Out:
		return r.Out[r.OutBase+p.Offset:][:p.Length:p.Length]
	}
	return r.scratch[p.Offset:][:p.Length:p.Length]
}

func (w *world) spoil(b []byte) {
	with := byte(w.random.Uint32())
	for i := range b {
		b[i] = with
	}
}

func (w *world) happen(e event) error {
	r := &w.ranks[e.rank]
	step := &r.Steps[e.step]
	if e.arrival {
		sender := &w.ranks[e.from]
		data := e.message.data
		if !e.message.eager {
			data = sender.at(sender.Steps[e.message.step].A)
		}
		if len(data) != step.A.Length {
			return fmt.Errorf("step %d of rank %d sends %d bytes to step %d of rank %d, which receives %d bytes",
				e.message.step, e.from, len(data), e.step, e.rank, step.A.Length)
		}
		copy(r.at(step.A), data)
		if !e.message.eager {
			w.complete(e.from, e.message.step)
		}
		w.complete(e.rank, e.step)
		return nil
	}
	if step.Follow != 0 {
		w.release(e.rank, int(step.Follow))
	}
	switch step.Kind {
	case schedule.Send:
		m := message{step: e.step, eager: w.random.IntN(2) == 0}
		if m.eager {
			m.data = append(m.data, r.at(step.A)...)
			w.complete(e.rank, e.step)
		}
		q := w.queue(e.rank, int(step.Peer))
		q.messages = append(q.messages, m)
		w.match(q, e.rank, int(step.Peer))
		return nil
	case schedule.Recv:
		w.spoil(r.at(step.A))
		q := w.queue(int(step.Peer), e.rank)
		q.receives = append(q.receives, e.step)
		w.match(q, int(step.Peer), e.rank)
		return nil
	case schedule.Copy:
		copy(r.at(step.A), r.at(step.B))
	case schedule.Combine:
		w.combine(r.at(step.A), r.at(step.B))
	}
	w.complete(e.rank, e.step)
	return nil
}

func (w *world) queue(from, to int) *queue {
	c := channel{from, to}
	if w.channels[c] == nil {
		w.channels[c] = new(queue)
	}
	return w.channels[c]
}

// match lets the first message of a channel arrive at its first receive, if there are both.
func (w *world) match(q *queue, from, to int) {
	if len(q.messages) > 0 && len(q.receives) > 0 {
		w.ready = append(w.ready, event{rank: to, step: q.receives[0], arrival: true, from: from, message: q.messages[0]})
		q.messages, q.receives = q.messages[1:], q.receives[1:]
	}
}

func (w *world) complete(rank, step int) {
	r := &w.ranks[rank]
	r.done++
	for _, next := range r.Next(step) {
		w.release(rank, int(next))
	}
}

func (w *world) release(rank, step int) {
	r := &w.ranks[rank]
	if r.waits[step]--; r.waits[step] == 0 {
		w.ready = append(w.ready, event{rank: rank, step: step})
	}
}

// leftover is an error if not all has been done.
func (w *world) leftover() error {
	for i := range w.ranks {
		r := &w.ranks[i]
		if r.done == len(r.Steps) {
			continue
		}
		for j, waits := range r.waits {
			if waits > 0 {
				return fmt.Errorf("rank %d has done %d of %d steps; %s waits for %d", i, r.done, len(r.Steps), describe(r.Schedule, j), waits)
			}
		}
	}
	for c, q := range w.channels {
		if len(q.messages)+len(q.receives) > 0 {
			return fmt.Errorf("from rank %d to rank %d there are %d messages and %d receives too many", c.from, c.to, len(q.messages), len(q.receives))
		}
	}
	for i := range w.ranks {
		if r := &w.ranks[i]; r.done != len(r.Steps) {
			return fmt.Errorf("rank %d has done %d of %d steps", i, r.done, len(r.Steps))
		}
	}
	return nil
}
