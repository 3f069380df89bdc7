package schedule

import "slices"

// Ref names something to wait for in a schedule that is being built: a step, or several.
type Ref int32

// Start is the Ref of the beginning of the operation: nothing to wait for.
const Start Ref = -1

// Builder builds schedules, one after the other. It keeps its memory, so that building allocates
// nothing once it has built a schedule of that size.
type Builder struct {
	s Schedule
	// edges are the pairs (step, a step that it waits for), in the order of steps.
	edges []edge
	// sets are what Join has made: the Ref of sets[i] is -2-i. members has the steps of all of them.
	sets    []set
	members []int32
	// peers has, for each peer, the last Send and the last Recv so far, if its epoch is that of this schedule.
	peers []lasts
	epoch uint32
	fill  []int32
	ints  []int32
	longs []int
	few   bool
	place inPlace
	force [operations]Choice
}

type edge struct{ step, before int32 }

// set is members[from:to]. Its step is a Join that waits for all of them, 0 if there is none.
type set struct{ from, to, step int32 }

type lasts struct {
	epoch      uint32
	send, recv int32 // the step's number and 1, or 0
}

type inPlace struct {
	on     bool
	offset int
}

// Reset begins a new schedule. The last one's memory is used again. What InPlace has said is forgotten; what Force has
// said is not.
func (b *Builder) Reset() {
	b.s.Steps, b.s.Scratch, b.edges = b.s.Steps[:0], 0, b.edges[:0]
	b.sets, b.members, b.ints, b.place = b.sets[:0], b.members[:0], b.ints[:0], inPlace{}
	b.longs = b.longs[:0]
	b.epoch++
	if b.epoch == 0 {
		clear(b.peers)
		b.epoch = 1
	}
}

// InPlace tells that In is the same memory as Out from offset on (MPI_IN_PLACE). To be called right after Reset. From
// then on the builder takes the parts of In for those of Out, so the schedule has none of In, and what would be copied
// onto itself is not copied.
func (b *Builder) InPlace(offset int) { b.place = inPlace{true, offset} }

// Same reports whether two parts are the same memory.
func (b *Builder) Same(p, q Part) bool { return b.memory(p) == b.memory(q) }

// memory is p, in Out if it is in In and In is in Out.
func (b *Builder) memory(p Part) Part {
	if b.place.on && p.Buffer == In {
		p.Buffer, p.Offset = Out, p.Offset+b.place.offset
	}
	return p
}

// Scratch returns scratch memory of the given length, aligned for every basic type.
func (b *Builder) Scratch(length int) Part {
	p := Part{Scratch, b.s.Scratch, length}
	b.s.Scratch += (length + scratchAlign - 1) &^ (scratchAlign - 1)
	return p
}

const scratchAlign = 16

// Send sends p to the rank to, after the given steps. A message of no bytes is a message too.
func (b *Builder) Send(to int, p Part, after ...Ref) Ref {
	return b.add(Step{Kind: Send, Peer: int32(to), A: b.memory(p)}, after)
}

// Recv receives p from the rank from.
func (b *Builder) Recv(from int, p Part, after ...Ref) Ref {
	return b.add(Step{Kind: Recv, Peer: int32(from), A: b.memory(p)}, after)
}

// Copy copies from to to, which have the same length and do not overlap unless they are the same. Nothing is done for
// nothing, and if both are the same.
func (b *Builder) Copy(to, from Part, after ...Ref) Ref {
	to, from = b.memory(to), b.memory(from)
	if to.Length == 0 || to == from {
		return b.Join(after...)
	}
	return b.add(Step{Kind: Copy, A: to, B: from}, after)
}

// Combine makes left the combination of left and right, in this order. right is not changed.
func (b *Builder) Combine(left, right Part, after ...Ref) Ref {
	if left.Length == 0 {
		return b.Join(after...)
	}
	return b.add(Step{Kind: Combine, A: b.memory(left), B: b.memory(right)}, after)
}

// Call calls the function of the runner.
func (b *Builder) Call(after ...Ref) Ref { return b.add(Step{Kind: Call}, after) }

// Join returns a Ref that stands for all of after. It costs nothing until a step waits for it.
func (b *Builder) Join(after ...Ref) Ref {
	from := int32(len(b.members))
	if len(after) > 0 && after[0] < Start {
		if first := b.sets[-2-after[0]]; first.to == from {
			from, after = first.from, after[1:] // what is added stands behind its members
		}
	}
	for _, ref := range after {
		switch {
		case ref < Start:
			s := b.sets[-2-ref]
			b.members = append(b.members, b.members[s.from:s.to]...)
		case ref != Start:
			b.members = append(b.members, int32(ref))
		}
	}
	switch to := int32(len(b.members)); to - from {
	case 0:
		return Start
	case 1:
		return Ref(b.members[from])
	default:
		b.sets = append(b.sets, set{from: from, to: to})
		return Ref(-1 - len(b.sets))
	}
}

// few is how many steps of a set a step waits for by itself. For more there is a Join step.
const few = 3

func (b *Builder) add(s Step, after []Ref) Ref {
	for _, ref := range after {
		if ref < Start {
			b.settle(&b.sets[-2-ref])
		}
	}
	i := int32(len(b.s.Steps))
	for _, ref := range after {
		switch {
		case ref >= 0:
			b.edges = append(b.edges, edge{i, int32(ref)})
			s.Waits++
		case ref < Start:
			if set := &b.sets[-2-ref]; set.step != 0 {
				b.edges = append(b.edges, edge{i, set.step})
				s.Waits++
			} else {
				s.Waits += b.await(i, set)
			}
		}
	}
	if s.Kind == Send || s.Kind == Recv {
		last := b.last(&s)
		if *last != 0 {
			b.s.Steps[*last-1].Follow, s.Behind = i, true
		}
		*last = i + 1
	}
	b.s.Steps = append(b.s.Steps, s)
	return Ref(i)
}

// sendBoth sends what pieces.around returns, in one message or two.
func (b *Builder) sendBoth(to int, parts [2]Part, after ...Ref) Ref {
	sent := b.Send(to, parts[0], after...)
	if parts[1].Length > 0 {
		sent = b.Join(sent, b.Send(to, parts[1], after...))
	}
	return sent
}

// recvBoth receives what sendBoth sends.
func (b *Builder) recvBoth(from int, parts [2]Part, after ...Ref) Ref {
	came := b.Recv(from, parts[0], after...)
	if parts[1].Length > 0 {
		came = b.Join(came, b.Recv(from, parts[1], after...))
	}
	return came
}

// settle makes a step of a large set that has none.
func (b *Builder) settle(s *set) {
	if s.step != 0 || s.to-s.from <= few {
		return
	}
	s.step = int32(len(b.s.Steps))
	b.s.Steps = append(b.s.Steps, Step{Kind: Join, Waits: b.await(s.step, s)})
}

// await makes step i wait for the members of a set, and returns how many they are.
func (b *Builder) await(i int32, s *set) int32 {
	for _, member := range b.members[s.from:s.to] {
		b.edges = append(b.edges, edge{i, member})
	}
	return s.to - s.from
}

// last is where the last step like s is kept.
func (b *Builder) last(s *Step) *int32 {
	if int(s.Peer) >= len(b.peers) {
		b.peers = slices.Grow(b.peers, int(s.Peer)+1-len(b.peers))[:s.Peer+1]
	}
	l := &b.peers[s.Peer]
	if l.epoch != b.epoch {
		*l = lasts{epoch: b.epoch}
	}
	if s.Kind == Send {
		return &l.send
	}
	return &l.recv
}

// integers returns memory for n numbers, which lasts until the next Reset.
func (b *Builder) integers(n int) []int32 {
	from := len(b.ints)
	b.ints = slices.Grow(b.ints, n)[:from+n]
	return b.ints[from : from+n : from+n]
}

// sums is integers for places in memory.
func (b *Builder) sums(n int) []int {
	from := len(b.longs)
	b.longs = slices.Grow(b.longs, n)[:from+n]
	return b.longs[from : from+n : from+n]
}

// Schedule returns the schedule. It is valid until the next Reset.
func (b *Builder) Schedule() *Schedule {
	// For each step, those that wait for it stand together: counted first, then put in place.
	n := len(b.s.Steps)
	b.fill = slices.Grow(b.fill[:0], n+1)[:n+1]
	clear(b.fill)
	for _, e := range b.edges {
		b.fill[e.before+1]++
	}
	for i := range n {
		b.fill[i+1] += b.fill[i]
		b.s.Steps[i].next = b.fill[i]
	}
	b.s.next = slices.Grow(b.s.next[:0], len(b.edges))[:len(b.edges)]
	for _, e := range b.edges {
		b.s.next[b.fill[e.before]] = e.step
		b.fill[e.before]++
	}
	return &b.s
}
