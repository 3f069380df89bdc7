package udp

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

var (
	loopback4 = netip.MustParseAddr("127.0.0.1")
	loopback6 = netip.MustParseAddr("::1")
)

// variant is a way to implement a Conn, all of which have to do the same.
type variant struct {
	name   string
	open   opener
	config Config
}

// variants has more of them on Linux.
var variants = []variant{
	{name: "system", open: open, config: Config{ECN: true}},
	{name: "portable", open: func(s *shared, port uint16, c Config) (socket, error) { return openPortable(s, port, c) }},
}

// each runs a test with every variant.
func each(t *testing.T, test func(t *testing.T, v variant)) {
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) { test(t, v) })
	}
}

// eachFamily runs a test with every variant, over IPv4 and IPv6.
func eachFamily(t *testing.T, test func(t *testing.T, v variant, local netip.Addr)) {
	each(t, func(t *testing.T, v variant) {
		t.Run("IPv4", func(t *testing.T) { test(t, v, loopback4) })
		t.Run("IPv6", func(t *testing.T) {
			needIPv6(t)
			test(t, v, loopback6)
		})
	})
}

func needIPv6(t *testing.T) {
	c, err := Listen(new(packet.Pool), 0, []netip.Addr{loopback6}, Config{})
	if err != nil {
		t.Skipf("this machine has no IPv6 loopback: %v", err)
	}
	require.NoError(t, c.Close())
}

// listen opens a Conn for the time of the test, after which all buffers have to be
// back in its pool.
func (v variant) listen(t testing.TB, addrs ...netip.Addr) *Conn {
	var pool packet.Pool
	c, err := listen(v.open, &pool, 0, addrs, v.config)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, c.Close())
		require.Zero(t, pool.Lent(), "buffers not given back")
	})
	return c
}

// at returns a Conn's address.
func at(c *Conn) netip.AddrPort { return netip.AddrPortFrom(c.LocalAddrs()[0], c.Port()) }

// add adds a packet to a batch, in two parts, of which the first is a header.
func add(b *packet.Batch, p packet.Packet, payload []byte) {
	b.Begin(p)
	b.Head = append(b.Head, payload[:min(1, len(payload))]...)
	b.Payload(payload[min(1, len(payload)):])
	b.End()
}

// payload is what identifies the i-th packet of a test.
func payload(i, size int) []byte {
	b := make([]byte, size)
	for j := range b {
		b[j] = byte(i*31 + j*7 + j>>8)
	}
	return b
}

// received is a datagram whose buffer has been released.
type received struct {
	from  netip.AddrPort
	to    netip.Addr
	bytes []byte
}

// patience is after what time a datagram is known not to come.
const patience = 2 * time.Minute

// collect receives n datagrams, as many at a time as room says.
func collect(t testing.TB, c *Conn, n, room int) []received {
	var all []received
	batch := make([]packet.Datagram, room)
	giveUp := time.Now().Add(patience)
	for len(all) < n {
		got, err := c.Receive(batch)
		require.NoError(t, err)
		for _, d := range batch[:got] {
			all = append(all, received{d.From, d.To, slices.Clone(d.Bytes)})
			d.Buffer.Release()
		}
		if got == 0 {
			require.True(t, time.Now().Before(giveUp), "%d datagrams of %d came", len(all), n)
			await(c, time.Until(giveUp))
		}
	}
	require.Equal(t, n, len(all), "datagrams")
	return all
}

// await waits until there may be something to receive. It reports false if there is nothing for
// so long.
func await(c *Conn, limit time.Duration) bool {
	arrived := make(chan struct{}, 1)
	c.OnArrival(func() {
		select {
		case arrived <- struct{}{}:
		default:
		}
	})
	switch {
	case c.Rest():
		return true
	case c.Descriptor() >= 0:
		return awaitReadable(c.Descriptor(), limit)
	}
	select {
	case <-arrived:
		return true
	case <-time.After(limit):
		return false
	}
}

// requireNone checks that nothing has been received but what was collected.
func requireNone(t *testing.T, c *Conn) {
	n, err := c.Receive(make([]packet.Datagram, 1))
	require.NoError(t, err)
	require.Zero(t, n)
}

// requireBytes checks what was received, and in what order.
func requireBytes(t *testing.T, want [][]byte, got []received) {
	require.Equal(t, len(want), len(got), "datagrams")
	for i := range want {
		require.True(t, slices.Equal(want[i], got[i].bytes), "datagram %d of %d, of %d bytes, is another of %d",
			i, len(want), len(want[i]), len(got[i].bytes))
	}
}
