//go:build !race

package udp

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

// Sending and receiving allocate nothing for a packet once they have been done before.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	eachFamily(t, func(t *testing.T, v variant, local netip.Addr) {
		a, b := v.listen(t, local), v.listen(t, local)
		var batch packet.Batch
		for i := range 10 {
			add(&batch, packet.Packet{To: at(b)}, payload(i, 1000))
		}
		datagrams := make([]packet.Datagram, 4)
		pass := func() {
			deadline := time.Now().Add(patience)
			require.NoError(t, a.Send(&batch))
			for left := batch.Len(); left > 0; {
				n, err := b.Receive(datagrams)
				if err != nil {
					t.Fatal(err)
				}
				for _, d := range datagrams[:n] {
					d.Buffer.Release()
				}
				if left -= n; n == 0 {
					if time.Now().After(deadline) {
						t.Fatalf("%d datagrams of %d did not come", left, batch.Len())
					}
					await(b, time.Until(deadline))
				}
			}
		}
		pass()
		// Waiting takes some, and a collection of the pools may fall into the test.
		assert.LessOrEqual(t, testing.AllocsPerRun(200, pass), 40.)
	})
}
