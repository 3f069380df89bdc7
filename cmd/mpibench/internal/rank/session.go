package rank

import (
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// session is a Work under way, as one of its ranks sees it.
type session struct {
	Work
	world *mpi.Comm
	ranks int                  // that take part: the first ones of the world
	cpu   func() time.Duration // the processor time of this rank so far
	// receivers is how long the other ranks compute with each message, as rank 0 has told them.
	receivers time.Duration
}

// span is the result of a number of steps.
type span struct {
	count int
	wall  time.Duration // by the clock of rank 0
	used  []usage       // by each rank meanwhile
}

func (s *session) first() bool { return s.world.Rank() == 0 }

// peer is the other one of the first two ranks.
func (s *session) peer() int { return 1 - s.world.Rank() }

// measure runs steps, first to warm up and then to measure. The measurement takes about Duration,
// the warm-up about as long; if there is a Count, the measurement has that many steps and the
// warm-up a tenth of them. All ranks call it, each with its own part of a step. The span that it
// returns at rank 0 counts.
func (s *session) measure(step func(n int) error) (span, error) {
	if !s.first() {
		return span{}, s.follow(step)
	}
	n, err := s.warmUp(step)
	var result span
	for tries := 0; err == nil && (tries == 0 || tries < maxTries && s.Count == 0 && result.wall < s.Duration/2); tries++ {
		if tries > 0 {
			n = measure.Steps(n, result.wall, s.Duration)
		}
		result, err = s.lead(n, step)
	}
	if err != nil {
		return result, err
	}
	return result, s.dismiss(&result)
}

// maxTries bounds how often a measurement is repeated with more steps because it was far too
// short. That happens when another program slowed down the warm-up.
const maxTries = 3

// warmUp runs some steps, and returns how many to measure.
func (s *session) warmUp(step func(n int) error) (int, error) {
	if s.Count > 0 {
		_, err := s.lead(max(s.Count/10, 1), step)
		return s.Count, err
	}
	return measure.WarmUp(s.Duration, func(n int) (time.Duration, error) {
		warm, err := s.lead(n, step)
		return warm.wall, err
	})
}

// lead runs n steps, with all ranks.
func (s *session) lead(n int, step func(n int) error) (span, error) {
	if err := s.tell(n); err != nil {
		return span{}, err
	}
	used, begun := s.used(), time.Now()
	err := step(n)
	return span{count: n, wall: time.Since(begun), used: []usage{s.used().since(used)}}, err
}

// dismiss ends a measurement and adds what the other ranks have used in its last part.
func (s *session) dismiss(last *span) error {
	if err := s.tell(0); err != nil {
		return err
	}
	for rank := 1; rank < s.ranks; rank++ {
		var used usage
		if _, err := mpi.Recv(s.world, used[:], rank, tagControl); err != nil {
			return err
		}
		last.used = append(last.used, used)
	}
	return nil
}

// tell sends the other ranks the number of steps that come next, and how long to compute with each message.
func (s *session) tell(n int) error {
	for rank := 1; rank < s.ranks; rank++ {
		if err := mpi.Send(s.world, []int64{int64(n), int64(s.receivers)}, rank, tagControl); err != nil {
			return err
		}
	}
	return nil
}

// follow runs the steps that rank 0 asks for.
func (s *session) follow(step func(n int) error) error {
	var used usage
	for {
		var next [2]int64
		if _, err := mpi.Recv(s.world, next[:], 0, tagControl); err != nil {
			return err
		}
		n := int(next[0])
		if n == 0 {
			return mpi.Send(s.world, used[:], 0, tagControl)
		}
		s.receivers = time.Duration(next[1])
		before := s.used()
		if err := step(n); err != nil {
			return err
		}
		used = s.used().since(before)
	}
}
