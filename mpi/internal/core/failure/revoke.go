package failure

import "github.com/sctpmpi/sctpmpi/matching"

// Revoked reports whether this process knows that the communicator has been revoked.
func (s *State) Revoked() bool { return s.revoked.Load() }

// Revoke ends the use of the communicator here, unless it has been released, and has the other processes told.
func (s *State) Revoke() {
	s.mu.Lock()
	revoke := s.revoke
	done := revoke == nil || s.revoked.Swap(true)
	s.mu.Unlock()
	if !done {
		revoke()
		s.spread()
	}
}

// spread tells other ranks that the communicator has been revoked: those 1, 2, 4, … places before and behind this one, or if they are dead
// the next ones. Each rank that hears it for the first time does the same, and again when it learns that one has died. So
// all living ranks hear it, the ones next to each other in any case.
func (s *State) spread() {
	size := s.members.Size()
	var to []matching.Rank
	s.mu.Lock()
	for step := 1; step < size && s.revoke != nil; step *= 2 {
		for _, direction := range [...]int{1, size - 1} {
			rank := (s.me + step*direction) % size
			for rank != s.me && s.process.deaths.isGone(s.members.Member(rank)) {
				rank = (rank + direction) % size
			}
			if rank != s.me && !s.told.Has(rank) {
				s.told.Add(rank)
				to = append(to, s.members.Member(rank))
			}
		}
	}
	s.mu.Unlock()
	for _, peer := range to {
		s.process.send(peer, s.context, 0, nil)
	}
}
