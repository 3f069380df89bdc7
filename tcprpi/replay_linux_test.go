package tcprpi_test

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake/handshaketest"
	"github.com/sctpmpi/sctpmpi/tcprpi/pertrc"
)

// A host on the way plays all connections again that it has recorded. They open nothing: no connection is in use, and no message is received a second
// time. Of a rank's connections one has had a handshake; those of messages, which follow from it, get no answer at all.
func TestWhatWasRecordedOpensNothing(t *testing.T) {
	const tags = 5
	for _, policy := range []seal.Policy{seal.AlwaysAuth, seal.AlwaysEncrypt} {
		t.Run(fmt.Sprint(policy), func(t *testing.T) {
			var mu sync.Mutex
			var connections []*[]byte
			record := func(toAcceptor bool) func([]byte) ([]byte, error) {
				if !toAcceptor {
					return unchanged
				}
				said := new([]byte)
				mu.Lock()
				defer mu.Unlock()
				connections = append(connections, said)
				return func(b []byte) ([]byte, error) {
					mu.Lock()
					defer mu.Unlock()
					*said = append(*said, b...)
					return b, nil
				}
			}
			ranks := relayed(t, pertrc.Open, 2, policy, record, nil)
			send := func(tag int) { rpitest.Do(t, ranks[0], rpitest.Request(rpi.OpSend, 1, tag, []byte("text"))) }
			receive := func() *rpi.Request {
				return rpitest.Start(ranks[1], rpitest.Request(rpi.OpRecv, 0, int(matching.AnyTag), make([]byte, 4)))
			}
			for tag := range tags {
				r := receive()
				send(tag)
				rpitest.Finish(t, r)
			}
			mu.Lock()
			recorded := make([][]byte, len(connections))
			for i, said := range connections {
				recorded[i] = bytes.Clone(*said)
			}
			mu.Unlock()
			require.Len(t, recorded, 1+tags)

			r := receive()
			before := ranks[1].(counted).Counters()
			handshakes := 0
			for _, said := range recorded {
				nc := handshaketest.Dial(t, network(ranks[1]))
				_, err := nc.Write(said)
				require.NoError(t, err)
				answer, _ := io.ReadAll(nc) // until it is closed, or reset
				if len(answer) > 0 {
					require.Len(t, answer, seal.MessageSize)
					handshakes++
				}
			}
			require.Equal(t, 1, handshakes)
			after := ranks[1].(counted).Counters()
			require.EqualValues(t, before.Strangers+1+tags, after.Strangers)
			require.Equal(t, before.Opened, after.Opened)
			send(tags)
			rpitest.Finish(t, r)
			require.EqualValues(t, tags, r.Status.Tag, "a message was received twice")
		})
	}
}
