package schedule

// Ref names a step of a schedule that is being built, as something to wait for.
type Ref int32

// Start is the Ref of the beginning of the operation: nothing to wait for.
const Start Ref = -1

// Builder builds schedules, one after the other. It keeps its memory, so that building allocates
// nothing once it has built a schedule of that size.
type Builder struct {
	s Schedule
	// edges are the pairs (step, a step that it waits for), in the order of steps.
	edges []edge
	// last has, for each peer, the last Send and the last Recv so far.
	last map[int64]int32
	fill []int32
}

type edge struct{ step, before int32 }

// Reset begins a new schedule. The last one's memory is used again.
func (b *Builder) Reset() {
	b.s.Steps, b.s.Scratch, b.edges = b.s.Steps[:0], 0, b.edges[:0]
	if b.last == nil {
		b.last = make(map[int64]int32)
	}
	clear(b.last)
}

// Scratch returns scratch memory of the given length, aligned for every basic type.
func (b *Builder) Scratch(length int) Part {
	p := Part{Scratch, b.s.Scratch, length}
	b.s.Scratch += (length + scratchAlign - 1) &^ (scratchAlign - 1)
	return p
}

const scratchAlign = 16

// Send sends p to the rank to, after the given steps.
func (b *Builder) Send(to int, p Part, after ...Ref) Ref {
	return b.message(Step{Kind: Send, Peer: int32(to), A: p}, after)
}

// Recv receives p from the rank from.
func (b *Builder) Recv(from int, p Part, after ...Ref) Ref {
	return b.message(Step{Kind: Recv, Peer: int32(from), A: p}, after)
}

// Copy copies from to to, which have the same length and do not overlap unless they are the same. Nothing is done for
// nothing, and if both are the same.
func (b *Builder) Copy(to, from Part, after ...Ref) Ref {
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
	return b.add(Step{Kind: Combine, A: left, B: right}, after)
}

// Join returns a Ref that stands for all of after.
func (b *Builder) Join(after ...Ref) Ref {
	if len(after) == 1 {
		return after[0]
	}
	return b.add(Step{Kind: Join}, after)
}

func (b *Builder) message(s Step, after []Ref) Ref {
	key, i := int64(s.Peer)<<1|int64(s.Kind&1), int32(len(b.s.Steps))
	if before, ok := b.last[key]; ok {
		b.s.Steps[before].Follow, s.Behind = i, true
	}
	b.last[key] = i
	return b.add(s, after)
}

func (b *Builder) add(s Step, after []Ref) Ref {
	i := int32(len(b.s.Steps))
	for _, ref := range after {
		if ref != Start {
			b.edges = append(b.edges, edge{i, int32(ref)})
			s.Waits++
		}
	}
	b.s.Steps = append(b.s.Steps, s)
	return Ref(i)
}

// Schedule returns the schedule. It is valid until the next Reset.
func (b *Builder) Schedule() *Schedule {
	// For each step, those that wait for it stand together: counted first, then put in place.
	n := len(b.s.Steps)
	b.fill = append(b.fill[:0], make([]int32, n+1)...)
	for _, e := range b.edges {
		b.fill[e.before+1]++
	}
	for i := range n {
		b.fill[i+1] += b.fill[i]
		b.s.Steps[i].next = b.fill[i]
	}
	if cap(b.s.next) < len(b.edges) {
		b.s.next = make([]int32, len(b.edges))
	}
	b.s.next = b.s.next[:len(b.edges)]
	for _, e := range b.edges {
		b.s.next[b.fill[e.before]] = e.step
		b.fill[e.before]++
	}
	return &b.s
}
