package schedule

import (
	"cmp"
	"slices"
)

// Ranks are those that take part in an algorithm: all of a communicator, or some of them.
type Ranks struct {
	// Me is this rank's place among them, Size their number.
	Me, Size int
	// In has the rank in the communicator of each, nil if it is the place itself.
	In []int32
	// Hosts tells which of them are on one host, nil if one level is better or that is not known. Then In is nil.
	Hosts *Hosts
}

// At is the rank in the communicator of the one at place i. Places count around: -1 is the last.
func (r Ranks) At(i int) int {
	if i < 0 || i >= r.Size {
		i = ((i % r.Size) + r.Size) % r.Size
	}
	if r.In == nil {
		return i
	}
	return int(r.In[i])
}

// from is the place of this rank counted from the root.
func (r Ranks) from(root int) int { return (r.Me - root + r.Size) % r.Size }

// Hosts tells which ranks of a communicator are on one host, as one of them sees it.
type Hosts struct {
	firsts []int32 // the first rank of each host
	local  []int32 // the ranks of this rank's host
	of     []int32 // the number of each rank's host
	order  []int32 // all ranks, by host
	begins []int32 // where those of each host begin in order, and its end
	me     int     // this rank's place in local
	// together: the ranks of each host follow each other. dealt: as many ranks as there are hosts are on one each, and so on; the
	// number of hosts is a power of two.
	together, dealt bool
}

// NewHosts makes Hosts for the rank me. hosts has a number for each rank, equal where the host is. It returns nil if two
// levels are of no use: there is one host, or each rank has its own.
func NewHosts(hosts []int32, me int) *Hosts {
	h := &Hosts{of: make([]int32, len(hosts))}
	numbers := make(map[int32]int32)
	for i, host := range hosts {
		number, known := numbers[host]
		if !known {
			number = int32(len(numbers))
			numbers[host] = number
			h.firsts = append(h.firsts, int32(i))
		}
		h.of[i] = number
		if host == hosts[me] {
			if i == me {
				h.me = len(h.local)
			}
			h.local = append(h.local, int32(i))
		}
	}
	if len(h.firsts) < 2 || len(h.firsts) == len(hosts) {
		return nil
	}
	h.group()
	return h
}

// group orders the ranks by host, and sees how they are placed.
func (h *Hosts) group() {
	n := int32(len(h.firsts))
	h.dealt = n&(n-1) == 0
	h.begins = make([]int32, n+1)
	for i, host := range h.of {
		h.order = append(h.order, int32(i))
		h.begins[host+1]++
		h.dealt = h.dealt && host == int32(i)%n
	}
	for host := range n {
		h.begins[host+1] += h.begins[host]
	}
	slices.SortStableFunc(h.order, func(a, b int32) int { return cmp.Compare(h.of[a], h.of[b]) })
	h.together = slices.IsSorted(h.order)
}

// onHost is the ranks of this rank's host.
func (r Ranks) onHost() Ranks {
	return Ranks{Me: r.Hosts.me, Size: len(r.Hosts.local), In: r.Hosts.local}
}

// firsts is one rank of each host: the root of its own, the first of the others. Me counts only if this is one of them.
func (r Ranks) firsts(b *Builder, root int) Ranks {
	h := r.Hosts
	f := Ranks{Me: int(h.of[r.Me]), Size: len(h.firsts), In: h.firsts}
	if mine := h.of[root]; h.firsts[mine] != int32(root) {
		f.In = b.integers(len(h.firsts))
		copy(f.In, h.firsts)
		f.In[mine] = int32(root)
	}
	return f
}

// first is the place on this rank's host of the one that stands for it: the root if it is there.
func (r Ranks) first(root int) int {
	h := r.Hosts
	if h.of[root] != h.of[r.Me] {
		return 0
	}
	for i, place := range h.local {
		if int(place) == root {
			return i
		}
	}
	return 0
}

// Vector is Count elements of Elem bytes each, which a reduction combines element by element. The product is equal on
// all ranks. Elem must be too, so it is that of the basic type, whatever derived type a rank has given.
type Vector struct{ Count, Elem int }

// Length is the length of the vector in bytes.
func (v Vector) Length() int { return v.Count * v.Elem }

// Op is what is known of the operation of a reduction.
type Op struct {
	// Commutes: the order does not matter. Without it vectors are combined in the order of ranks.
	Commutes bool
	// Exact: the grouping does not matter, to the bit.
	Exact bool
}

// pieces is a part of memory that is cut into n pieces.
type pieces struct {
	part Part
	n    int
	v    Vector
	ends []int // where pieces end, in elements; nil if all are nearly equal
}

// cut cuts a message into n nearly equal pieces.
func cut(p Part, n int) pieces {
	const unit = 64 // where pieces begin, for the sake of caches
	return pieces{part: p, n: n, v: Vector{(p.Length + unit - 1) / unit, unit}}
}

// cut cuts a vector into n nearly equal pieces of whole elements.
func (v Vector) cut(p Part, n int) pieces { return pieces{part: p, n: n, v: v} }

// in is the same pieces of other memory.
func (s pieces) in(p Part) pieces {
	s.part = p
	return s
}

// start is where piece i begins, in bytes.
func (s pieces) start(i int) int {
	switch {
	case s.ends == nil:
		return min((s.v.Count/s.n*i+min(i, s.v.Count%s.n))*s.v.Elem, s.part.Length)
	case i == 0:
		return 0
	}
	return s.ends[i-1] * s.v.Elem
}

// of is the pieces [from, to).
func (s pieces) of(from, to int) Part {
	start := s.start(from)
	return s.part.Sub(start, s.start(to)-start)
}

// around is count pieces from piece i on, which go on at the beginning. The second part is empty if they do not.
func (s pieces) around(i, count int) [2]Part {
	i = ((i % s.n) + s.n) % s.n
	end := i + count
	if end <= s.n {
		return [2]Part{s.of(i, end), {}}
	}
	return [2]Part{s.of(i, s.n), s.of(0, end-s.n)}
}
