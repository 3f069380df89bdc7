package shm

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// What a peer has written before its end counts, in whatever way the end becomes known: here a message and an acknowledgement, which
// are in the ring, and have not been looked at.
func TestTheEndDoesNotOvertakeWhatWasWritten(t *testing.T) {
	for how, end := range map[string]func(l *Link){
		"its process has ended":    func(l *Link) { l.died(1) },
		"others say that it ended": func(l *Link) { l.GiveUp(1, errors.New("it has ended")) },
	} {
		t.Run(how, func(t *testing.T) {
			a, b := newSide(t, 0), newSide(t, 1)
			ours, theirs, err := a.link.bind(b.link)
			require.NoError(t, err)
			a.use(t, ours)
			b.use(t, theirs)
			acknowledged := a.startRequest(&rpi.Request{Op: rpi.OpSend, Mode: rpi.Synchronous, Tag: 1, Buf: []byte("short")}, false)
			unheard := a.startRequest(&rpi.Request{Op: rpi.OpSend, Mode: rpi.Synchronous, Tag: 2, Buf: []byte("short")}, false)
			taken := b.start(rpi.OpRecv, 1, make([]byte, 5), false)
			require.True(t, b.link.poll(1))
			require.True(t, taken.Completed())
			const many = 3 * recordsInTurn
			for range many {
				b.start(rpi.OpSend, 3, []byte("reply"), false)
			}
			end(a.link)
			require.True(t, acknowledged.Completed())
			require.NoError(t, acknowledged.Err)
			require.True(t, unheard.Completed())
			require.ErrorIs(t, unheard.Err, rpi.ErrProcFailed)
			for range many {
				reply := a.start(rpi.OpRecv, 3, make([]byte, 5), false)
				require.True(t, reply.Completed())
				require.NoError(t, reply.Err)
			}
		})
	}
}
