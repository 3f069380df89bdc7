package schedule

import "math/bits"

// The algorithms of this file are for any number of ranks n, and take as many steps as the best for a power of two. In
// each step a rank talks to the one at a distance: the distances are 1 … n, each the half of the next one, rounded up.
// See Bruck et al., "Efficient Algorithms for All-to-All Communications", 1997, and Träff, "Optimal, Non-pipelined
// Reduce-scatter and Allreduce Algorithms", 2024.

// distances are the distances in ascending order, from 1 to n.
type distances struct {
	d [bits.UintSize + 1]int
	n int
}

func distancesTo(n int) distances {
	var s distances
	s.n = bits.Len(uint(n - 1))
	s.d[s.n] = n
	for i := s.n; i > 0; i-- {
		s.d[i-1] = (s.d[i] + 1) / 2
	}
	return s
}

// allgatherCirculant gives each rank all pieces. Before, the one at place r.Me has the pieces from v on that has tells, as
// soon as got is complete; v counts as r.Me does, from another place on. The others' memory may be written once free is
// complete. Pieces stay where they are: those that go on at the beginning of the vector are a message of their own.
func allgatherCirculant(b *Builder, r Ranks, v int, s pieces, has held, got, free Ref) Ref {
	distances := distancesTo(r.Size)
	done := b.Join(got, free)
	for i := range distances.n {
		distance := distances.d[i]
		end := distances.d[i+1]
		if skip := max(distance, has.count((v-distance+r.Size)%r.Size, r.Size)); skip < end {
			done = b.Join(done, b.sendBoth(r.At(r.Me-distance), s.around(v+skip-distance, end-skip), got))
		}
		if skip := max(distance, has.count(v, r.Size)); skip < end {
			came := b.recvBoth(r.At(r.Me+distance), s.around(v+skip, end-skip), free)
			got, done = b.Join(got, came), b.Join(done, came)
		}
	}
	return done
}

// allgatherRing is allgatherCirculant, between neighbours: n-1 steps.
func allgatherRing(b *Builder, r Ranks, v int, s pieces, has held, got, free Ref) Ref {
	here, done := got, b.Join(got, free)
	mine, theirs := has.count(v, r.Size), has.count((v+1)%r.Size, r.Size)
	for i := range r.Size - 1 {
		if r.Size-1-i >= theirs {
			done = b.Join(done, b.Send(r.At(r.Me+1), s.around(v-i, 1)[0], here))
		}
		here = got
		if r.Size-1-i >= mine {
			here = b.Recv(r.At(r.Me-1), s.around(v-i-1, 1)[0], free)
			done = b.Join(done, here)
		}
	}
	return done
}

// held tells which pieces ranks have before an allgather.
type held uint8

const (
	own     held = iota // each its own
	scatter             // those that came with it by scatterPieces
)

// count is how many pieces from v on the one at place v has.
func (h held) count(v, n int) int {
	switch {
	case h == own:
		return 1
	case v == 0:
		return n
	}
	return min(v&-v, n-v)
}

// reduceScatterCirculant combines the vectors in, and leaves piece r.Me of the result in that piece of sum, which may be
// the same memory. The operation commutes. It returns when that is there, and when all of in has been sent and no other
// piece of sum is in use.
func reduceScatterCirculant(b *Builder, r Ranks, in, sum pieces, after Ref) (got, done Ref) {
	distances := distancesTo(r.Size)
	if distances.n == 0 {
		got = b.Copy(sum.part, in.part, after)
		return got, got
	}
	// All that is not sent in the first step is combined with what comes.
	half := distances.d[distances.n-1]
	mine := in.around(r.Me, half)
	copied := after
	for i, p := range sum.around(r.Me, half) {
		if p.Length > 0 {
			copied = b.Join(copied, b.Copy(p, mine[i], after))
		}
	}
	incoming := b.Scratch(largest(sum, r.Size-half))
	from := in
	ready, got, done := after, copied, copied
	for i := distances.n - 1; i >= 0; i-- {
		distance := distances.d[i]
		count := distances.d[i+1] - distance
		sent := b.sendBoth(r.At(r.Me+distance), from.around(r.Me+distance, count), ready)
		to := sum.around(r.Me, count)
		theirs := [2]Part{incoming.Sub(0, to[0].Length), incoming.Sub(to[0].Length, to[1].Length)}
		free := after
		if i < distances.n-1 {
			free = got
		}
		came := b.recvBoth(r.At(r.Me-distance), theirs, free)
		combined := b.Combine(to[0], theirs[0], came, got)
		if to[1].Length > 0 {
			combined = b.Join(combined, b.Combine(to[1], theirs[1], came, got))
		}
		got = b.Join(combined, copied)
		ready, from = got, sum
		done = b.Join(done, sent, got)
	}
	return got, done
}

// reduceScatterRing is reduceScatterCirculant, between neighbours: n-1 steps, and no step needs more scratch memory than
// a piece.
func reduceScatterRing(b *Builder, r Ranks, in, sum pieces, after Ref) (got, done Ref) {
	size := largest(sum, 1)
	theirs := [2]Part{b.Scratch(size), b.Scratch(size)}
	used := [2]Ref{after, after}
	here, done := after, after
	from := in
	if r.Size == 1 || b.Same(in.part, sum.part) {
		here = b.Copy(sum.part, in.part, after)
	}
	for i := 1; i < r.Size; i++ {
		sent := b.Send(r.At(r.Me+1), from.around(r.Me-i, 1)[0], here)
		to := sum.around(r.Me-i-1, 1)[0]
		incoming := theirs[i%2].Sub(0, to.Length)
		came := b.Recv(r.At(r.Me-1), incoming, used[i%2])
		copied := b.Copy(to, in.around(r.Me-i-1, 1)[0], after)
		here = b.Combine(to, incoming, came, copied)
		used[i%2] = here
		from = sum
		done = b.Join(done, sent, here)
	}
	return here, b.Join(done, here)
}

// largest is at least the length of any count pieces in a row.
func largest(s pieces, count int) int {
	if s.ends == nil {
		return min(count*s.of(0, 1).Length, s.part.Length)
	}
	longest := 0
	for i := range s.n {
		p := s.around(i, count)
		longest = max(longest, p[0].Length+p[1].Length)
	}
	return longest
}
