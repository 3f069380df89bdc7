package simulate

import (
	"container/heap"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
)

// Network is what [Time] takes ranks and what connects them to be: the model of Hockney, in which a message of n bytes
// takes Latency + n/Bandwidth, with one port out and one in at each rank. A message has its sender's port out for
// n/Bandwidth, and Latency later its receiver's port in for as long. Sends do not wait for their receives.
type Network struct {
	Latency   time.Duration
	Bandwidth float64 // bytes a second
	// Overhead is how long a rank itself is busy with each Send and Recv.
	Overhead time.Duration
	// Compute is how many seconds a rank takes to copy or combine a byte.
	Compute float64
}

// Time returns when the last of n ranks has finished, if all begin at 0.
func Time(n int, network Network, build Build) (time.Duration, error) {
	c := clock{Network: network, n: n, ranks: make([]timed, n), heads: make([]int32, n*n)}
	var b schedule.Builder
	for i := range c.ranks {
		b.Reset()
		build(&b, i)
		c.ranks[i].load(b.Schedule(), c.heads[i*n:(i+1)*n])
	}
	for i := range c.ranks {
		for j, step := range c.ranks[i].steps {
			if step.waits == 0 {
				c.at(0, happening{rank: int32(i), step: int32(j), kind: begins})
			}
		}
	}
	for len(c.events) > 0 {
		e := heap.Pop(&c.events).(happening)
		c.last = max(c.last, e.time)
		if err := c.happen(e); err != nil {
			return 0, err
		}
	}
	for i := range c.ranks {
		if r := &c.ranks[i]; r.done != len(r.steps) {
			return 0, fmt.Errorf("rank %d has done %d of %d steps", i, r.done, len(r.steps))
		}
	}
	return time.Duration(c.last * float64(time.Second)), nil
}

// timed is a rank: its schedule, small, and when its parts are free.
type timed struct {
	steps        []short
	next         []int32
	done         int
	cpu, out, in float64
}

// short is what is needed of a step. posted and arrived are for Recv.
type short struct {
	kind            schedule.Kind
	posted, arrived bool
	waits           int32
	peer, length    int32
	follow, next    int32
}

// load takes a schedule. heads has, for each peer, the step that receives its next message, and 1.
func (r *timed) load(s *schedule.Schedule, heads []int32) {
	r.steps = make([]short, len(s.Steps))
	for i, step := range s.Steps {
		waits := step.Waits
		if step.Behind {
			waits++
		} else if step.Kind == schedule.Recv {
			heads[step.Peer] = int32(i + 1)
		}
		r.steps[i] = short{
			kind: step.Kind, waits: waits, peer: step.Peer, length: int32(step.A.Length), follow: step.Follow, next: int32(len(r.next)),
		}
		r.next = append(r.next, s.Next(i)...)
	}
}

// Kinds of happenings: a step begins; it is complete; a message reaches the rank's port; it is through the port.
const (
	begins = iota
	completes
	reaches
	arrives
)

type happening struct {
	time         float64
	number       int
	rank, step   int32
	from, length int32
	kind         uint8
}

type clock struct {
	Network
	n      int
	ranks  []timed
	heads  []int32
	events happenings
	number int
	last   float64
}

func (c *clock) at(time float64, h happening) {
	h.time, h.number = time, c.number
	c.number++
	heap.Push(&c.events, h)
}

func (c *clock) happen(h happening) error {
	r := &c.ranks[h.rank]
	switch h.kind {
	case begins:
		c.begin(h)
	case completes:
		c.complete(h)
	case reaches:
		r.in = max(r.in, h.time) + float64(h.length)/c.Bandwidth
		h.kind = arrives
		c.at(r.in, h)
	case arrives:
		head := &c.heads[int(h.rank)*c.n+int(h.from)]
		if *head == 0 {
			return fmt.Errorf("rank %d receives a message from rank %d that it does not expect", h.rank, h.from)
		}
		h.step = *head - 1
		step := &r.steps[h.step]
		if step.length != h.length {
			return fmt.Errorf("rank %d receives %d bytes from rank %d, not %d", h.rank, h.length, h.from, step.length)
		}
		*head = 0
		if step.follow != 0 {
			*head = step.follow + 1
		}
		step.arrived = true
		c.received(h, step)
	}
	return nil
}

// begin lets a step begin.
func (c *clock) begin(h happening) {
	r := &c.ranks[h.rank]
	step := &r.steps[h.step]
	if step.follow != 0 {
		c.release(h, step.follow)
	}
	h.kind = completes
	switch step.kind {
	case schedule.Join:
		c.complete(h)
		return
	case schedule.Recv:
		step.posted = true
		c.received(h, step)
		return
	}
	r.cpu = max(r.cpu, h.time)
	if step.kind == schedule.Send {
		r.cpu += c.Overhead.Seconds()
		out := max(r.out, r.cpu)
		r.out = out + float64(step.length)/c.Bandwidth
		c.at(out+c.Latency.Seconds(), happening{rank: step.peer, from: h.rank, length: step.length, kind: reaches})
		c.at(r.out, h)
		return
	}
	r.cpu += float64(step.length) * c.Compute
	c.at(r.cpu, h)
}

// received completes a Recv that has been posted and whose message has arrived.
func (c *clock) received(h happening, step *short) {
	if step.posted && step.arrived {
		r := &c.ranks[h.rank]
		r.cpu = max(r.cpu, h.time) + c.Overhead.Seconds()
		h.kind = completes
		c.at(r.cpu, h)
	}
}

func (c *clock) complete(h happening) {
	r := &c.ranks[h.rank]
	r.done++
	end := int32(len(r.next))
	if int(h.step)+1 < len(r.steps) {
		end = r.steps[h.step+1].next
	}
	for _, next := range r.next[r.steps[h.step].next:end] {
		c.release(h, next)
	}
}

func (c *clock) release(h happening, step int32) {
	s := &c.ranks[h.rank].steps[step]
	if s.waits--; s.waits == 0 {
		c.at(h.time, happening{rank: h.rank, step: step, kind: begins})
	}
}

// happenings is a heap by time; what is at the same time is in the order in which it was made.
type happenings []happening

func (h happenings) Len() int { return len(h) }
func (h happenings) Less(i, j int) bool {
	return h[i].time < h[j].time || h[i].time == h[j].time && h[i].number < h[j].number
}
func (h happenings) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *happenings) Push(x any)   { *h = append(*h, x.(happening)) }
func (h *happenings) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
