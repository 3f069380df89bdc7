package schedule_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule/simulate"
)

func kinds(s *schedule.Schedule) (k []schedule.Kind) {
	for _, step := range s.Steps {
		k = append(k, step.Kind)
	}
	return k
}

// A step waits for the members of a small set by itself; a large one gets a Join step, one for all that wait for it.
func TestJoinCostsNothingUntilItIsUsed(t *testing.T) {
	for _, size := range []int{1, 3, 20} {
		for waiting := range 3 {
			var b schedule.Builder
			b.Reset()
			all := schedule.Start
			for i := range size {
				all = b.Join(all, b.Recv(i, schedule.Part{}))
			}
			want := size + waiting
			if size > 3 && waiting > 0 {
				want++
			}
			for i := range waiting {
				b.Send(i, schedule.Part{}, all)
			}
			s := b.Schedule()
			assert.Len(t, s.Steps, want)
			for _, step := range s.Steps[size:] {
				switch {
				case step.Kind == schedule.Send && size > 3:
					assert.EqualValues(t, 1, step.Waits)
				default:
					assert.EqualValues(t, size, step.Waits)
				}
			}
		}
	}
}

// Two sets that begin alike are two sets.
func TestSetsShareTheirBeginning(t *testing.T) {
	var b schedule.Builder
	b.Reset()
	first := b.Join(b.Recv(0, schedule.Part{}), b.Recv(1, schedule.Part{}))
	one, other := b.Join(first, b.Recv(2, schedule.Part{})), b.Join(first, b.Recv(3, schedule.Part{}))
	b.Send(0, schedule.Part{}, one)
	b.Send(1, schedule.Part{}, other)
	b.Send(2, schedule.Part{}, first)
	s := b.Schedule()
	assert.Equal(t, []int32{4, 5, 6}, s.Next(0))
	assert.Equal(t, []int32{4}, s.Next(2))
	assert.Equal(t, []int32{5}, s.Next(3))
}

func TestInPlace(t *testing.T) {
	var b schedule.Builder
	b.Reset()
	in, out := schedule.Part{Buffer: schedule.In, Length: 8}, schedule.Part{Buffer: schedule.Out, Offset: 16, Length: 8}
	assert.False(t, b.Same(in, out))
	b.InPlace(16)
	assert.True(t, b.Same(in, out))
	b.Send(1, in, b.Copy(out, in))
	s := b.Schedule()
	require.Equal(t, []schedule.Kind{schedule.Send}, kinds(s))
	assert.Equal(t, out, s.Steps[0].A)
	b.Reset()
	assert.False(t, b.Same(in, out), "Reset forgets it")
}

// One message goes to each host and one leaves it where that is all that is needed, whichever rank is the root.
func TestFewMessagesCrossHosts(t *testing.T) {
	random := newRandom(t)
	for range 50 {
		c := input{n: 2 + random.IntN(20), Vector: schedule.Vector{Count: 2, Elem: 4}, op: schedule.Op{Commutes: true, Exact: true}}
		hosts := make(map[int32]bool)
		for range c.n {
			host := int32(random.IntN(5))
			c.hosts, hosts[host] = append(c.hosts, host), true
		}
		if len(hosts) == c.n {
			continue // one rank on each: an algorithm for all of them
		}
		c.root = random.IntN(c.n)
		for name, want := range map[string]int{"bcast": len(hosts) - 1, "reduce": len(hosts) - 1} {
			crossing := c.crossing(all[name])
			assert.Equal(t, want, crossing, "%s, root %d, hosts %v", name, c.root, c.hosts)
		}
	}
}

// An allgather crosses the network as seldom as its algorithm does among hosts, wherever the ranks are.
func TestAllgatherCrossesHosts(t *testing.T) {
	for _, c := range []struct {
		hosts       []int32
		short, long int // messages from host to host
	}{
		{[]int32{0, 0, 0, 1, 1, 2, 2, 2, 2}, 3 * 2, 3 * 8}, // the ring of all ranks: three of them pass on what they have
		{[]int32{0, 1, 2, 2, 1, 0, 0, 2, 0}, 3 * 2, 3*9 - 9},
		{[]int32{0, 1, 0, 1, 0, 1}, 6, 6}, // Bruck's algorithm for all, in whose other steps ranks are on one host
	} {
		for bytes, want := range map[int]int{8: c.short, 8 << 20: c.long} {
			in := input{n: len(c.hosts), hosts: c.hosts, Vector: schedule.Vector{Count: bytes, Elem: 1}}
			assert.Equal(t, want, in.crossing(blockOperations["allgather"]), "%d bytes, hosts %v", bytes, c.hosts)
		}
	}
}

// crossing is how many messages of an operation go from host to host.
func (in input) crossing(o collective) (n int) {
	for rank, s := range simulate.Schedules(in.n, o.builder(in, nil)) {
		for _, step := range s.Steps {
			if step.Kind == schedule.Send && in.hosts[step.Peer] != in.hosts[rank] {
				n++
			}
		}
	}
	return n
}
