//go:build !race && linux

package foreign

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem"
	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/interop/interoptest"
)

// iperfPort is iperf3's, of TCP for what its ends agree upon, and of SCTP for the data.
const iperfPort = 5201

// TestForeignIperf3 has iperf3 send some data to another one, and be sent some, by way
// of a socket of ours: iperf3 talks to its like alone, as it has a protocol of its own.
func TestForeignIperf3(t *testing.T) {
	labtest.InLab(t)
	const bytes = 8 << 20
	// What a sending iperf3 may have in its buffer, and a relay in that of its socket, when the test ends.
	const buffers = 1 << 20
	need(t, "iperf3", "iperf3")
	for _, stack := range stacks {
		t.Run(stack.name, func(t *testing.T) {
			net := interoptest.Network(t, func() (*netem.Topology, error) { return netem.Star(3) })
			client, us, server := net.Host(0), net.Host(1), net.Host(2)
			r := newRelay(t, us, stack.make, server, stack.udp)
			interoptest.CallByUDP(t, client, r.at.UDP)
			for _, direction := range []string{"", "--reverse"} {
				before := r.taken.Load()
				listening := start(t, server, "iperf3", "-s", "-1", "--forceflush")
				listening.expect("Server listening")
				args := []string{"-c", us.Addr(0).String(), "--sctp", "-n", fmt.Sprint(bytes), "-w", "128K", "-J"}
				if direction != "" {
					args = append(args, direction)
				}
				output := start(t, client, "iperf3", args...).finish()
				listening.finish()
				var report struct {
					End struct {
						Received struct{ Bytes int } `json:"sum_received"`
					}
				}
				require.NoError(t, json.Unmarshal([]byte(output), &report), output)
				if direction != "" {
					require.GreaterOrEqual(t, report.End.Received.Bytes, bytes, output)
				}
				// A sender ends the test when its own socket has taken all. The relay has no bound, so the other iperf3
				// may have next to nothing by then, but its first message, which is no part of the test.
				// On a busy machine the relay takes what is in its socket after that.
				require.Eventually(t, func() bool { return r.taken.Load()-before >= bytes-buffers }, 2*time.Minute, time.Millisecond, output)
			}
		})
	}
}
