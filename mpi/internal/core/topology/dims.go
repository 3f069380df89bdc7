package topology

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Dims replaces the zeros in dims so that the product of all is n (MPI_DIMS_CREATE; section 8.5.2). What it sets is in
// non-increasing order and as close to each other as n allows: the largest and the smallest differ by as little as possible. Among
// such sets the one counts whose smallest, then second smallest and so on, is largest. So MPICH chooses too.
func Dims(op string, n int, dims []int) *mpierr.Error {
	if n < 1 || n > maxSize {
		return mpierr.Invalid(op, rpi.ErrArg, "the number of ranks is %d; it must be between 1 and %d", n, maxSize)
	}
	left, free := n, 0
	for i, d := range dims {
		switch {
		case d < 0:
			return mpierr.Invalid(op, rpi.ErrDims, "dimension %d is %d; it must be positive, or 0 for one to be chosen", i, d)
		case d == 0:
			free++
		case left%d != 0:
			return mpierr.Invalid(op, rpi.ErrDims, "%s cannot be divided by the given dimensions %v", mpierr.Plural(n, "rank"), dims)
		default:
			left /= d
		}
	}
	if free == 0 {
		if left != 1 {
			return mpierr.Invalid(op, rpi.ErrDims, "the dimensions %v are all given, and do not make %s", dims, mpierr.Plural(n, "rank"))
		}
		return nil
	}
	chosen := balanced(left, free)
	for i, d := range dims {
		if d == 0 {
			dims[i], chosen = chosen[0], chosen[1:]
		}
	}
	return nil
}

// balanced returns k factors of n as Dims wants them.
func balanced(n, k int) []int {
	s := search{divisors: divisors(n), sequence: make([]int, k), best: make([]int, k)}
	s.best[0] = n
	for i := 1; i < k; i++ {
		s.best[i] = 1
	}
	s.spread = n - s.best[k-1]
	for i := s.first(n, k); i < len(s.divisors) && s.spread > 0; i++ {
		largest := s.divisors[i]
		smallest := max(largest-s.spread, 1) // at least as good as the best so far
		if !below(smallest, k, n) {
			break
		}
		s.sequence[0] = largest
		s.extend(n/largest, 1, i, smallest)
	}
	return s.best
}

// search looks for the best sequence of factors, the largest first.
type search struct {
	divisors       []int // of the number, in increasing order
	sequence, best []int
	spread         int // of best
}

// extend tries all factors for place i of the sequence and the later ones, whose product must be rest. They are at most the
// divisor with number most, and at least smallest. It returns a new smallest when it has found a better sequence.
func (s *search) extend(rest, i, most, smallest int) int {
	left := len(s.sequence) - i
	if left == 0 {
		if rest == 1 && s.better() {
			copy(s.best, s.sequence)
			s.spread = s.sequence[0] - s.sequence[i-1]
			smallest = s.sequence[i-1]
		}
		return smallest
	}
	for j := s.first(rest, left); j <= most && below(smallest, left, rest); j++ {
		d := s.divisors[j]
		if rest%d == 0 && d >= smallest {
			s.sequence[i] = d
			smallest = s.extend(rest/d, i+1, j, smallest)
		}
	}
	return smallest
}

// better reports whether the sequence is better than the best so far. Its spread is at most that of the best.
func (s *search) better() bool {
	last := len(s.sequence) - 1
	if s.sequence[0]-s.sequence[last] < s.spread {
		return true
	}
	for i := last; i >= 0; i-- {
		if s.sequence[i] != s.best[i] {
			return s.sequence[i] > s.best[i]
		}
	}
	return false
}

// first is the number of the first divisor that can be the largest of k factors of n.
func (s *search) first(n, k int) int {
	j, _ := slices.BinarySearchFunc(s.divisors, n, func(d, n int) int {
		if below(d, k, n-1) {
			return -1
		}
		return 1
	})
	return j
}

// below reports whether the k-th power of d is at most n.
func below(d, k, n int) bool {
	if d <= 1 {
		return d <= n
	}
	for ; k > 0; k-- {
		if d > n {
			return false
		}
		n /= d
	}
	return n >= 1
}

// divisors returns all divisors of n in increasing order.
func divisors(n int) (all []int) {
	for d := 1; d <= n/d; d++ {
		if n%d == 0 {
			all = append(all, d)
			if d != n/d {
				all = append(all, n/d)
			}
		}
	}
	slices.Sort(all)
	return all
}
