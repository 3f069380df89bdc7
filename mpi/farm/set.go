package farm

import (
	"encoding/binary"
	"errors"
	"slices"
	"sort"
)

// set is a set of tasks, as ranges: as tasks are dealt in order there are few.
type set struct {
	ranges []span // in order, with gaps between them
	size   int
}

// span is the tasks from first to last.
type span struct{ first, last int }

// find is the index of the first range that does not end before i.
func (s *set) find(i int) int {
	return sort.Search(len(s.ranges), func(r int) bool { return s.ranges[r].last >= i })
}

// add adds a task that is not there.
func (s *set) add(i int) {
	s.size++
	r := s.find(i)
	joinsLast := r > 0 && s.ranges[r-1].last == i-1
	joinsNext := r < len(s.ranges) && s.ranges[r].first == i+1
	switch {
	case joinsLast && joinsNext:
		s.ranges[r-1].last = s.ranges[r].last
		s.ranges = slices.Delete(s.ranges, r, r+1)
	case joinsLast:
		s.ranges[r-1].last = i
	case joinsNext:
		s.ranges[r].first = i
	default:
		s.ranges = slices.Insert(s.ranges, r, span{i, i})
	}
}

// after is the first task from i on that is not there.
func (s *set) after(i int) int {
	if r := s.find(i); r < len(s.ranges) && s.ranges[r].first <= i {
		return s.ranges[r].last + 1
	}
	return i
}

// append appends the set: the number of ranges, then for each the tasks before it that are not there, and its length.
func (s *set) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(s.ranges)))
	end := 0
	for _, r := range s.ranges {
		b = binary.AppendUvarint(b, uint64(r.first-end))
		b = binary.AppendUvarint(b, uint64(r.last+1-r.first))
		end = r.last + 1
	}
	return b
}

var errDamaged = errors.New("the file is damaged")

// parseSet is the inverse of append, for a set of some of total tasks.
func parseSet(b []byte, total int) (s set, rest []byte, err error) {
	number := func(most int) (n int) {
		v, length := binary.Uvarint(b)
		if length <= 0 || v > uint64(most) {
			err = errDamaged
			return 0
		}
		b = b[length:]
		return int(v)
	}
	end := 0
	for range number(total) {
		first := end + number(total-end)
		last := first + number(total-first) - 1
		if err != nil || last < first || first == end && end > 0 {
			return set{}, nil, errDamaged
		}
		s.ranges = append(s.ranges, span{first, last})
		s.size += last + 1 - first
		end = last + 1
	}
	return s, b, err
}
