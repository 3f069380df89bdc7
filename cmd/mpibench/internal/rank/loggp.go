package rank

import (
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/loggp"
)

// endToEnd measures EEL: half of the time of a message and its answer, by the calls of a flood of one message.
func endToEnd(s *session) (Figures, error) {
	p, err := s.openPort()
	if err != nil {
		return nil, err
	}
	span, err := s.measure(func(n int) error {
		return repeat(n, func() error { return loggp.Flood(p, s.others(), 1, nil) })
	})
	if err != nil {
		return nil, err
	}
	f := span.figures()
	f["eel_us"] = span.each() / 2
	return f, p.close()
}

// others is how many messages rank 0 sends where each other rank receives one.
func (s *session) others() int {
	if s.first() {
		return s.ranks - 1
	}
	return 1
}

// gap measures the time for each message of a flood from rank 0 to all others in turn, and, if it is to, the overheads of
// both sides.
func gap(s *session) (Figures, error) {
	p, err := s.openPort()
	if err != nil {
		return nil, err
	}
	var sender time.Duration // how long rank 0 computes with each message
	flood := func(n int) error {
		each := sender
		if !s.first() {
			each = s.receivers
		}
		var computing func(int)
		if each > 0 {
			computing = func(messages int) { compute(inUnits(time.Duration(messages) * each)) }
		}
		return loggp.Flood(p, n*s.others(), s.Window, computing)
	}
	span, err := s.measure(flood)
	if err != nil {
		return nil, err
	}
	messages := float64(s.ranks - 1)
	f := span.figures()
	f["gap_us"] = span.each() / messages
	f["calls"] = f["calls_step"] / messages
	if s.Overheads {
		if err := s.overheads(f, span.count, &sender, flood); err != nil {
			return nil, err
		}
	}
	return f, p.close()
}

// share is which part of the messages of a gap's measurement those for an overhead have.
const share = 8

// overheads adds the overheads of both sides to the figures. Rank 0 lets itself, or the others, compute with each message.
func (s *session) overheads(f Figures, n int, sender *time.Duration, flood func(n int) error) error {
	if !s.first() {
		return s.follow(flood)
	}
	for _, side := range []struct {
		figure    string
		computing *time.Duration
	}{{"send_us", sender}, {"receive_us", &s.receivers}} {
		overhead, err := loggp.Overhead(f["gap_us"], func(compute float64) (float64, error) {
			*side.computing = time.Duration(compute * float64(time.Microsecond))
			span, err := s.lead(max(n/share, 1), flood)
			return span.each() / float64(s.ranks-1), err
		})
		if err != nil {
			return err
		}
		*side.computing, f[side.figure] = 0, overhead
	}
	return s.dismiss(new(span))
}
