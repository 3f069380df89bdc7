package schedule

// sum is a vector that is combined with those of other ranks, in the order of ranks. Where it lies changes on the way, as
// a combination lies where its left side did.
type sum struct {
	at    Part // where it lies
	spare Part // where the next vector may come
	next  Part // spare memory once at has changed for the first time, if at is not to be written
	fixed bool // at is not to be written
	ready Ref  // at is complete
	free  Ref  // spare may be written
	after Ref
}

// newSum begins with the vector in. It will change its place so many times, the first time at once if first is set, and
// lie in out at the end, if that can be. The vectors to come are merged by merge. merges is false if there are none.
func newSum(b *Builder, in, out Part, changes int, first, merges bool, after Ref) sum {
	s := sum{at: in, spare: out, ready: after, free: after, after: after}
	switch {
	case !merges:
	case b.Same(in, out):
		s.spare = b.Scratch(in.Length)
	case first:
		s.fixed, s.next = true, b.Scratch(in.Length)
		if changes%2 == 0 {
			s.spare, s.next = s.next, s.spare
		}
	default:
		s.at, s.spare = out, b.Scratch(in.Length)
		if changes%2 != 0 {
			s.at, s.spare = s.spare, s.at
		}
		s.ready = b.Copy(s.at, in, after)
	}
	return s
}

// exchange sends the sum to a peer and merges it with the peer's; before: the peer's is the left side.
func (s *sum) exchange(b *Builder, peer int, before bool) {
	sent := b.Send(peer, s.at, s.ready)
	s.merge(b, b.Recv(peer, s.spare, s.free), sent, before)
}

// take merges the sum with a peer's.
func (s *sum) take(b *Builder, peer int, before bool) {
	s.merge(b, b.Recv(peer, s.spare, s.free), Start, before)
}

// merge combines the sum with the vector that came into spare. sent has sent the sum before.
func (s *sum) merge(b *Builder, came, sent Ref, before bool) {
	if !before {
		s.ready = b.Combine(s.at, s.spare, came, s.ready, sent)
		s.free = s.ready
		return
	}
	s.ready = b.Combine(s.spare, s.at, came, s.ready)
	s.free = b.Join(s.ready, sent)
	s.at, s.spare = s.spare, s.at
	if s.fixed {
		s.fixed, s.spare = false, s.next
	}
}
