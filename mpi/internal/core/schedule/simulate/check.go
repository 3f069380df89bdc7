package simulate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
)

// Check returns an error if two steps of a schedule could meet in memory: if one writes what the other reads or writes,
// and neither waits for the other, directly or over other steps. A step that meets itself, scratch memory that the
// schedule does not ask for, and steps that wait for later ones are errors too.
func Check(s *schedule.Schedule) error {
	before, err := order(s)
	if err != nil {
		return err
	}
	var all []access
	for i, step := range s.Steps {
		for _, a := range accesses(step) {
			if a.Length < 0 || a.Buffer == schedule.Scratch && (a.Offset < 0 || a.Offset+a.Length > s.Scratch) {
				return fmt.Errorf("%s leaves its memory", describe(s, i))
			}
			if a.Length > 0 {
				a.step = i
				all = append(all, a)
			}
		}
	}
	slices.SortFunc(all, func(a, b access) int {
		return cmp.Or(cmp.Compare(a.Buffer, b.Buffer), cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.step, b.step))
	})
	var open []access // those that begin before a and do not end before it
	for _, a := range all {
		open = slices.DeleteFunc(open, func(o access) bool { return o.Buffer != a.Buffer || o.Offset+o.Length <= a.Offset })
		for _, o := range open {
			switch first, second := min(a.step, o.step), max(a.step, o.step); {
			case !a.writes && !o.writes:
			case first == second:
				return fmt.Errorf("%s meets itself", describe(s, first))
			case !before[second].has(first):
				return fmt.Errorf("%s and %s meet, and neither waits for the other", describe(s, first), describe(s, second))
			}
		}
		open = append(open, a)
	}
	return nil
}

// access is what a step does with a part of memory.
type access struct {
	schedule.Part
	step   int
	writes bool
}

// accesses returns what a step does with memory.
func accesses(s schedule.Step) []access {
	switch s.Kind {
	case schedule.Send:
		return []access{{Part: s.A}}
	case schedule.Recv:
		return []access{{Part: s.A, writes: true}}
	case schedule.Copy, schedule.Combine:
		return []access{{Part: s.A, writes: true}, {Part: s.B}}
	}
	return nil
}

// bits is a set of steps.
type bits []uint64

func (b bits) has(i int) bool { return b[i/64]>>(i%64)&1 != 0 }

// order returns, for each step, those that are complete before it begins.
func order(s *schedule.Schedule) ([]bits, error) {
	n := len(s.Steps)
	before, waits := make([]bits, n), make([]int32, n)
	for i := range before {
		before[i] = make(bits, (n+63)/64)
	}
	for i := range n {
		if waits[i] != s.Steps[i].Waits {
			return nil, fmt.Errorf("%s waits for a later step", describe(s, i))
		}
		for _, next := range s.Next(i) {
			waits[next]++
			for k, word := range before[i] {
				before[next][k] |= word
			}
			before[next][i/64] |= 1 << (i % 64)
		}
	}
	return before, nil
}

// describe names a step.
func describe(s *schedule.Schedule, i int) string {
	step := s.Steps[i]
	part := func(p schedule.Part) string { return fmt.Sprintf("%v[%d:%d]", p.Buffer, p.Offset, p.Offset+p.Length) }
	switch step.Kind {
	case schedule.Send:
		return fmt.Sprintf("step %d (send %s to %d)", i, part(step.A), step.Peer)
	case schedule.Recv:
		return fmt.Sprintf("step %d (recv %s from %d)", i, part(step.A), step.Peer)
	case schedule.Copy, schedule.Combine:
		return fmt.Sprintf("step %d (%v %s, %s)", i, step.Kind, part(step.A), part(step.B))
	}
	return fmt.Sprintf("step %d (%v)", i, step.Kind)
}
