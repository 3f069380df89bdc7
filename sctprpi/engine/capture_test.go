package engine

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/capture"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/capturetest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// lossyRelay forwards packets to a socket and back, and loses one in ten.
func lossyRelay(t *testing.T, to socket.Addr) socket.Addr {
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	server := netip.AddrPortFrom(to.IP, to.UDP)
	random := rand.New(rand.NewPCG(1, 2))
	go func() {
		var client netip.AddrPort
		b := make([]byte, 1<<16)
		for {
			n, from, err := conn.ReadFromUDPAddrPort(b)
			if err != nil {
				return // closed
			}
			dest := server
			if from == server {
				dest = client
			} else {
				client = from
			}
			if random.IntN(10) > 0 {
				_, _ = conn.WriteToUDPAddrPort(b[:n], dest) // or lose it
			}
		}
	}()
	local := conn.LocalAddr().(*net.UDPAddr).AddrPort()
	return socket.Addr{IP: local.Addr(), Port: to.Port, UDP: local.Port()}
}

// A capture of a run with losses holds the whole conversation, and Wireshark has
// nothing to complain about.
func TestCaptureOfLossyRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.pcapng")
	w, err := capture.Create(path, capture.Config{})
	require.NoError(t, err)
	a := listen(t, Config{Config: socket.Config{Streams: 8}, Capture: w})
	// With a limit there are chunks that Wireshark does not know.
	b := listen(t, Config{Config: socket.Config{Streams: 8, StreamLimit: 100_000}})
	defer b.Close()
	id, err := a.Connect(lossyRelay(t, b.LocalAddrs()[0]))
	require.NoError(t, err)

	const messages = 300
	payload := bytes.Repeat([]byte("payload "), 500)
	for i := range messages {
		m := socket.Message{Stream: socket.StreamID(i % 8), Data: [][]byte{payload}}
		_, err := a.Send(id, []socket.Message{m})
		require.NoError(t, err)
	}
	got := 0
	events := make([]socket.Event, 64)
	for got < messages {
		require.NoError(t, b.Wait(t.Context()))
		n, err := b.Receive(events)
		require.NoError(t, err)
		for i := range events[:n] {
			if events[i].End {
				got++
			}
			events[i].Release()
		}
	}
	status, err := a.Status(id)
	require.NoError(t, err)
	require.NoError(t, a.Close())
	require.NoError(t, w.Close())
	packets := capturetest.Verify(t, path, a.conn.Port())
	assert.Positive(t, status.Retransmissions)
	types := fmt.Sprint(capturetest.Fields(t, path, a.conn.Port(), "sctp.chunk_type"))
	assert.Contains(t, types, fmt.Sprint(uint8(wire.TypeStreamCredit)))
	assert.GreaterOrEqual(t, packets, int(status.PacketsSent+status.PacketsReceived))
	t.Logf("%d packets, %d retransmissions", packets, status.Retransmissions)
}
