package tcprpi_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/perpair"
	"github.com/sctpmpi/sctpmpi/tcprpi/pertrc"
)

// Both transports count messages, sockets and system calls.
func TestCounters(t *testing.T) {
	for name, open := range map[string]rpi.Open{perpair.Name: perpair.Open, pertrc.Name: pertrc.Open} {
		t.Run(name, func(t *testing.T) {
			var ranks [2]counted
			for rank := range ranks {
				tr, err := open(rpi.Config{Rank: rank, Size: 2, Lookup: func(_ context.Context, peer int) (string, error) {
					return ranks[peer].Address(), nil
				}})
				require.NoError(t, err)
				ranks[rank] = tr.(counted)
				defer tr.Kill()
			}
			require.Zero(t, ranks[0].Counters().Opened)
			const messages = 10
			for i := range messages {
				body := make([]byte, i*20_000) // short and long ones
				r := &rpi.Request{Op: rpi.OpRecv, Peer: 0, Type: 1, Elem: 1, Buf: make([]byte, len(body))}
				s := &rpi.Request{Op: rpi.OpSend, Peer: 1, Type: 1, Elem: 1, Buf: body}
				ranks[1].Start(r)
				ranks[0].Start(s)
				<-s.Done()
				<-r.Done()
			}
			for _, tr := range ranks {
				tr.Pending() // takes the lock: what has completed the last request has counted it when it gives that up
			}
			sender, receiver := ranks[0].Counters(), ranks[1].Counters()
			require.EqualValues(t, messages, sender.Sent)
			require.EqualValues(t, messages, receiver.Received)
			require.Zero(t, sender.Received+receiver.Sent)
			require.GreaterOrEqual(t, sender.Writes, uint64(messages))
			require.GreaterOrEqual(t, receiver.Reads, uint64(messages))
			require.EqualValues(t, sender.Reads+sender.Writes+sender.Polls+sender.Accepts+sender.Connects, sender.SystemCalls())
			require.NotZero(t, sender.Open)
			for _, tr := range ranks {
				tr.Kill()
				require.Zero(t, tr.Counters().Open)
			}
		})
	}
}
