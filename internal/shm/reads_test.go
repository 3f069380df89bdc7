package shm

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
)

// order reads all that peers have lent, bodies of these lengths, and returns by numbers what a piece was read of each time: 10 is the first body
// of peer 1.
func order(t *testing.T, lengths ...[]int) (pieces []int) {
	var all reads
	for number, of := range lengths {
		p := new(peer)
		for i, length := range of {
			p.lent = append(p.lent, read{id: uint32(10*number + i), sink: progression.Sink{Buf: make([]byte, length)}})
		}
		all.add(p)
	}
	for !all.empty() {
		p, r := all.next()
		pieces = append(pieces, int(r.id))
		if !r.read(min(readSize, len(r.sink.Buf)-r.done)) {
			p.lent = r.among(p.lent)
		}
		all.add(p)
	}
	return pieces
}

func TestLentBodies(t *testing.T) {
	t.Run("of one peer are read one after the other", func(t *testing.T) {
		require.Equal(t, []int{0, 0, 0, 1, 1, 1}, order(t, []int{3 * readSize, 2*readSize + 1}))
	})
	t.Run("of several peers are read a piece of each in turn", func(t *testing.T) {
		require.Equal(t, []int{0, 10, 20, 0, 10, 1, 1}, order(t, []int{2 * readSize, 2 * readSize}, []int{2 * readSize}, []int{1}))
	})
	t.Run("that are long give way to the next", func(t *testing.T) {
		const turn = readTurn / readSize
		got := order(t, []int{3 * readTurn, 100, 200})
		require.Equal(t, []int{0, 1, 2, 0}, got[turn-1:turn+3])
		require.Len(t, got, 3*turn+2)
	})
}
