package is

import (
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// sorter ranks the keys of all ranks. A bucket is an interval of keys, all of the same width; in an
// iteration each rank gets the buckets next to each other that hold about its share of the keys.
type sorter struct {
	c *mpi.Comm
	// first is the index of keys[0] among the keys of all ranks.
	first, total int
	// shift is the logarithm of a bucket's width, and greatest the first number that is no key.
	shift, greatest int

	keys   []int32 // as made, by index
	sorted []int32 // keys by bucket
	// sizes are those of this rank's buckets, then the test keys, each at the rank that has it;
	// totals are their sums over all ranks.
	sizes, totals []int64
	next          []int32 // where in sorted a bucket's next key goes

	sendCounts, recvCounts []int
	counted                []int32 // space for the counts of Alltoall
	received               []int32 // the keys of this rank's buckets
	// lowest is the first key of this rank's buckets, and below[k] how many of its keys are not
	// above lowest+k.
	lowest int
	below  []int32

	mine, tested int // keys received, ranks found
}

// newSorter makes this rank's share of 2^keys keys, which are below 2^greatest and lie in 2^buckets buckets.
func newSorter(c *mpi.Comm, keys, greatest, buckets int) *sorter {
	first, end := nas.Share(1<<keys, c.Size(), c.Rank())
	s := &sorter{
		c: c, first: first, total: 1 << keys, shift: greatest - buckets, greatest: 1 << greatest,
		keys: make([]int32, end-first), sorted: make([]int32, end-first),
		sizes: make([]int64, 1<<buckets+tests), totals: make([]int64, 1<<buckets+tests), next: make([]int32, 1<<buckets),
		sendCounts: make([]int, c.Size()), recvCounts: make([]int, c.Size()),
		counted: make([]int32, 2*c.Size()),
	}
	random := nas.Random(seed)
	random.Skip(4 * uint64(first))
	x := uint64(random)
	for i := range s.keys {
		// The mean of four numbers, times the greatest key. Sums of them are exact, as integers and
		// as floating-point numbers.
		sum := uint64(0)
		for range 4 {
			x = x * nas.Multiplier & nas.Mask
			sum += x
		}
		s.keys[i] = int32(sum >> (46 + 2 - greatest))
	}
	return s
}

// rank ranks all keys, of which two change in each iteration. It returns the ranks of the keys with
// these indices: how many keys are less. Of one that another rank found it returns -1.
func (s *sorter) rank(iteration int, indices [tests]int) (ranks [tests]int64) {
	s.set(iteration, int32(iteration))
	s.set(iteration+iterations, int32(s.greatest-iteration))
	s.fill(indices)
	nas.Must(mpi.Allreduce(s.c, s.sizes, s.totals, mpi.Sum))
	buckets := len(s.next)
	highest, less := s.distribute()
	s.exchange()
	s.count(highest)
	for i, key := range s.totals[buckets:] {
		switch k := int(key) - s.lowest; {
		case k < 0 || int(key) >= highest:
			ranks[i] = -1
		case k == 0:
			ranks[i] = less
		default:
			ranks[i] = less + int64(s.below[k-1])
		}
	}
	return ranks
}

// set sets the key with an index, if it is this rank's.
func (s *sorter) set(index int, key int32) {
	if i := index - s.first; i >= 0 && i < len(s.keys) {
		s.keys[i] = key
	}
}

// fill sorts this rank's keys into buckets.
func (s *sorter) fill(indices [tests]int) {
	clear(s.sizes)
	buckets, shift := len(s.next), uint(s.shift)&31
	for i, index := range indices {
		if k := index - s.first; k >= 0 && k < len(s.keys) {
			s.sizes[buckets+i] = int64(s.keys[k])
		}
	}
	sizes := s.sizes[:buckets]
	for _, key := range s.keys {
		sizes[key>>shift]++
	}
	next, n := s.next, int32(0)
	for b, size := range sizes {
		next[b] = n
		n += int32(size)
	}
	sorted := s.sorted
	for _, key := range s.keys {
		b := key >> shift
		sorted[next[b]] = key
		next[b]++
	}
}

// distribute gives each rank buckets until all ranks up to it have their share of the keys, and the
// last one what is left. It returns the first key above this rank's buckets, and how many keys are below them.
func (s *sorter) distribute() (highest int, less int64) {
	clear(s.sendCounts)
	ranks, me := s.c.Size(), s.c.Rank()
	rank, given := 0, int64(0)
	s.lowest, highest = s.greatest, s.greatest
	for b := range s.next {
		if rank == me && s.lowest == s.greatest {
			s.lowest, less = b<<s.shift, given
		}
		given += s.totals[b]
		s.sendCounts[rank] += int(s.sizes[b])
		for rank < ranks-1 && given >= int64(s.total)*int64(rank+1)/int64(ranks) {
			if rank == me {
				highest = (b + 1) << s.shift
			}
			rank++
		}
	}
	return max(highest, s.lowest), less
}

// exchange sends all keys to the ranks of their buckets.
func (s *sorter) exchange() {
	ranks := s.c.Size()
	send, recv := s.counted[:ranks], s.counted[ranks:]
	for i, n := range s.sendCounts {
		send[i] = int32(n)
	}
	nas.Must(mpi.Alltoall(s.c, send, recv))
	s.mine = 0
	for i, n := range recv {
		s.recvCounts[i] = int(n)
		s.mine += int(n)
	}
	if cap(s.received) < s.mine {
		s.received = make([]int32, s.mine+s.mine/64) // some more, as the number changes a little
	}
	s.received = s.received[:s.mine]
	nas.Must(mpi.Alltoallv(s.c, s.sorted, mpi.Layout{Counts: s.sendCounts}, s.received, mpi.Layout{Counts: s.recvCounts}))
}

// count counts the keys received that are not above each number from lowest to before highest.
func (s *sorter) count(highest int) {
	if n := highest - s.lowest; cap(s.below) < n {
		s.below = make([]int32, n)
	} else {
		s.below = s.below[:n]
		clear(s.below)
	}
	below, lowest := s.below, int32(s.lowest)
	for _, key := range s.received {
		below[key-lowest]++
	}
	sum := int32(0)
	for k, n := range below {
		sum += n
		below[k] = sum
	}
}

// unordered sorts the keys received by their ranks, and returns how many come before a greater one,
// on this rank or another.
func (s *sorter) unordered() (wrong int) {
	sorted := make([]int32, len(s.received))
	for _, key := range s.received {
		k := int(key) - s.lowest
		s.below[k]--
		sorted[s.below[k]] = key
	}
	for i := 1; i < len(sorted); i++ {
		if sorted[i-1] > sorted[i] {
			wrong++
		}
	}
	last := int32(-1)
	if len(sorted) > 0 {
		last = sorted[len(sorted)-1]
	}
	before := nas.Value(mpi.ExscanValue(s.c, last, mpi.Max))
	if s.c.Rank() > 0 && len(sorted) > 0 && before > sorted[0] {
		wrong++
	}
	return wrong
}
