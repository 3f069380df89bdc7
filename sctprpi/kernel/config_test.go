package kernel

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func TestTheZeroConfigHasTheContractsDefaults(t *testing.T) {
	c, err := Config{}.withDefaults()
	require.NoError(t, err)
	assert.Equal(t, []netip.Addr{netip.MustParseAddr("127.0.0.1")}, c.Addrs)
	assert.Equal(t, socket.Config{
		Streams: 1024, SendBuffer: 4 << 20, ReceiveBuffer: 4 << 20,
		RTOInitial: time.Second, RTOMin: 50 * time.Millisecond, RTOMax: time.Minute,
		AckDelay: 20 * time.Millisecond, AckEvery: 2, Heartbeat: 30 * time.Second,
		PathRetransmissions: 5, AssocRetransmissions: 10, InitRetransmissions: 8,
		CookieLife: time.Minute, MaxAssociations: 65_536,
	}, c.Config)
}

func TestTheFirstTimeoutLiesBetweenTheBounds(t *testing.T) {
	c, err := Config{Config: socket.Config{RTOMax: 40 * time.Millisecond, RTOMin: time.Millisecond}}.withDefaults()
	require.NoError(t, err)
	assert.Equal(t, 40*time.Millisecond, c.RTOInitial)
}

// Linux counts timeouts in a row: more than there can be before the pulse decides.
func TestLinuxGivesNoPeerUpBeforeItsTime(t *testing.T) {
	for timeout, want := range map[time.Duration]int{
		60 * time.Second: 78, 10 * time.Second: 28, 100 * time.Millisecond: 14, 24 * time.Hour: 65_535,
	} {
		c, err := Config{Config: socket.Config{PeerTimeout: timeout, RTOMax: 2 * time.Second, AssocRetransmissions: 8, PathRetransmissions: 4}}.withDefaults()
		require.NoError(t, err)
		assert.Equal(t, want, c.AssocRetransmissions, timeout)
		assert.Equal(t, want-1, c.PathRetransmissions, timeout)
	}
	two := []netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("127.0.0.2")}
	c, err := Config{Addrs: two, Config: socket.Config{PeerTimeout: time.Minute, RTOMax: 2 * time.Second, PathRetransmissions: 4}}.withDefaults()
	require.NoError(t, err)
	assert.Equal(t, 4, c.PathRetransmissions, "there is another path")
	assert.Equal(t, 121, c.AssocRetransmissions, "heartbeats on both")
}

func TestAConfigThatCannotBeIsRefused(t *testing.T) {
	for name, c := range map[string]Config{
		"Streams":     {Config: socket.Config{Streams: 65_536}},
		"SendBuffer":  {Config: socket.Config{SendBuffer: -1}},
		"AckDelay":    {Config: socket.Config{AckDelay: time.Second}},
		"RTOMin":      {Config: socket.Config{RTOMin: time.Second, RTOMax: time.Millisecond}},
		"PeerTimeout": {Config: socket.Config{PeerTimeout: -1}},
		"an IP":       {Addrs: []netip.Addr{{}}},
	} {
		_, err := c.withDefaults()
		assert.ErrorContains(t, err, name)
	}
}
