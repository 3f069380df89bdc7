package operations

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// The sum of a histogram is how many messages there are, those that are cancelled left out.
func TestLengthsAddUpToTheMessages(t *testing.T) {
	table := New(rpi.Config{Size: 2, Statistics: true}, nil)
	contexts := []matching.Context{0, 8, rpi.InOrder, rpi.Internal}
	for n := range 100 {
		r := &rpi.Request{Op: rpi.OpSend, Peer: 1, Context: contexts[n%4], Buf: make([]byte, n)}
		table.SendBegins(r)
		if n >= 90 {
			table.sendCancelled(r)
		}
	}
	var s rpi.Snapshot
	table.count(&s)
	var sum uint64
	for _, kind := range s.Lengths {
		for _, n := range kind.Sent {
			sum += n
		}
	}
	assert.EqualValues(t, 90, s.MessagesSent)
	assert.Equal(t, s.MessagesSent, sum)
	assert.EqualValues(t, 1, s.Lengths[rpi.PointToPoint].Sent[0], "no byte")
}

// BenchmarkCount is what counting a message that is sent takes, without its length and with it.
func BenchmarkCount(b *testing.B) {
	for _, statistics := range []bool{false, true} {
		b.Run(fmt.Sprintf("statistics=%v", statistics), func(b *testing.B) {
			table := New(rpi.Config{Size: 2, Statistics: statistics}, nil)
			m := rpi.Short{Peer: 1, Buf: make([]byte, 100)}
			for b.Loop() {
				table.SentShort(m)
			}
		})
	}
}
