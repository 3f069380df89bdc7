package associations

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func TestEnvironment(t *testing.T) {
	for _, c := range []struct {
		streams, interleave, encapsulate, congestion, multipath, ecn string

		want  Options
		fails bool
	}{
		{want: Options{}},
		{streams: "1", want: Options{Streams: 1}},
		{streams: "65535", interleave: "1", want: Options{Streams: 65535, Interleave: true}},
		{interleave: "0", encapsulate: "0", want: Options{}},
		{encapsulate: "1", want: Options{Encapsulate: true}},
		{congestion: "cubic", want: Options{}},
		{congestion: "newreno", want: Options{Congestion: socket.NewReno}},
		{congestion: "bbr", want: Options{Congestion: socket.BBR}},
		{congestion: "bbr-draft", want: Options{Congestion: socket.BBRDraft}},
		{multipath: "on", want: Options{Multipath: true}},
		{multipath: "off", want: Options{}},
		{multipath: "1", fails: true},
		{ecn: "on", want: Options{}},
		{ecn: "off", want: Options{NoECN: true}},
		{ecn: "0", fails: true},
		{congestion: "reno", fails: true},
		{encapsulate: "9899", fails: true},
		{streams: "0", fails: true},
		{streams: "65536", fails: true},
		{streams: "many", fails: true},
		{interleave: "yes", fails: true},
	} {
		env := map[string]string{
			"SCTPMPI_STREAMS": c.streams, "SCTPMPI_INTERLEAVE": c.interleave, "SCTPMPI_ENCAPSULATE": c.encapsulate,
			"SCTPMPI_CONGESTION": c.congestion, "SCTPMPI_MULTIPATH": c.multipath, "SCTPMPI_ECN": c.ecn,
		}
		got, err := FromEnvironment(func(name string) string { return env[name] })
		if c.fails {
			require.ErrorIs(t, err, rpi.ErrArg)
			assert.ErrorContains(t, err, "SCTPMPI_")
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, c.want, got)
	}
}

func socketConfig(t *testing.T, cfg rpi.Config, o Options) socket.Config {
	c, err := SocketConfig(cfg, o)
	require.NoError(t, err)
	return c
}

func TestTheSocketGetsTheCongestionControlOfTheOptions(t *testing.T) {
	assert.Equal(t, socket.Cubic, socketConfig(t, rpi.Config{Size: 2}, Options{}).Congestion)
	assert.Equal(t, socket.NewReno, socketConfig(t, rpi.Config{Size: 2}, Options{Congestion: socket.NewReno}).Congestion)
}

func TestTheSocketHasECNUnlessTheOptionsForbidIt(t *testing.T) {
	assert.True(t, socketConfig(t, rpi.Config{Size: 2}, Options{}).ECN)
	assert.False(t, socketConfig(t, rpi.Config{Size: 2}, Options{NoECN: true}).ECN)
}

// On loopback nothing damages packets, or marks them.
func TestLoopbackNeedsNeitherChecksumsNorMarks(t *testing.T) {
	home, other := netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("192.0.2.1")
	for _, c := range []struct {
		local    []netip.Addr
		loopback bool
	}{{[]netip.Addr{home}, true}, {[]netip.Addr{other}, false}, {[]netip.Addr{home, other}, false}} {
		got := engineConfig(socket.Config{ECN: true}, c.local, 0)
		assert.Equal(t, c.loopback, got.NoChecksum)
		assert.Equal(t, !c.loopback, got.ECN)
		assert.False(t, engineConfig(socket.Config{}, c.local, 0).ECN)
	}
}

// The time-out is the user's to choose, and the timers follow.
func TestTimersFollowThePeerTimeout(t *testing.T) {
	for _, c := range []struct{ timeout, rtoMax, heartbeat time.Duration }{
		{0, 2 * time.Second, 5 * time.Second},
		{time.Hour, 2 * time.Second, 5 * time.Second},
		{8 * time.Second, 500 * time.Millisecond, time.Second},
		{time.Nanosecond, 50 * time.Millisecond, 50 * time.Millisecond},
	} {
		got := socketConfig(t, rpi.Config{Size: 2, PeerTimeout: c.timeout}.WithDefaults(), Options{})
		assert.Equal(t, c.rtoMax, got.RTOMax)
		assert.Equal(t, c.heartbeat, got.Heartbeat)
	}
}

func TestPortsAreTakenFromTheRange(t *testing.T) {
	listen := func(cfg rpi.Config) (socket.Core, error) {
		cfg = Defaults(cfg)
		s, err := listen(cfg, Options{Listen: ListenEngine}, socketConfig(t, cfg, Options{}))
		if err == nil {
			t.Cleanup(func() { _ = s.Close() })
		}
		return s, err
	}
	first, err := listen(rpi.Config{Size: 2})
	require.NoError(t, err)
	port := first.LocalAddrs()[0].Port
	if port == 1<<16-1 {
		port--
	}
	second, err := listen(rpi.Config{Size: 2, PortLow: port, PortHigh: port + 1})
	if err == nil { // unless another process has the only free one
		assert.Contains(t, []uint16{port, port + 1}, second.LocalAddrs()[0].Port)
		assert.NotEqual(t, first.LocalAddrs(), second.LocalAddrs())
	}
	_, err = listen(rpi.Config{Size: 2, PortLow: port, PortHigh: port})
	require.ErrorContains(t, err, "cannot listen on 127.0.0.1")
	_, err = listen(rpi.Config{Size: 2, Bind: []netip.Addr{netip.IPv4Unspecified()}})
	require.ErrorContains(t, err, "cannot bind to 0.0.0.0")
}
