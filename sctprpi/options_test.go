package sctprpi

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func TestEnvironment(t *testing.T) {
	for _, c := range []struct {
		streams, interleave, encapsulate, congestion string

		want  Options
		fails bool
	}{
		{want: Options{}},
		{streams: "1", want: Options{Streams: 1}},
		{streams: "65535", interleave: "1", want: Options{Streams: 65535, Interleave: true}},
		{interleave: "0", encapsulate: "0", want: Options{}},
		{encapsulate: "1", want: Options{encapsulate: true}},
		{congestion: "cubic", want: Options{}},
		{congestion: "newreno", want: Options{Congestion: socket.NewReno}},
		{congestion: "reno", fails: true},
		{encapsulate: "9899", fails: true},
		{streams: "0", fails: true},
		{streams: "65536", fails: true},
		{streams: "many", fails: true},
		{interleave: "yes", fails: true},
	} {
		env := map[string]string{
			"SCTPMPI_STREAMS": c.streams, "SCTPMPI_INTERLEAVE": c.interleave, "SCTPMPI_ENCAPSULATE": c.encapsulate,
			"SCTPMPI_CONGESTION": c.congestion,
		}
		got, err := fromEnvironment(func(name string) string { return env[name] })
		if c.fails {
			require.ErrorIs(t, err, rpi.ErrArg)
			assert.ErrorContains(t, err, "SCTPMPI_")
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, c.want, got)
	}
}

func TestTheSocketGetsTheCongestionControlOfTheOptions(t *testing.T) {
	assert.Equal(t, socket.Cubic, config(rpi.Config{Size: 2}, Options{}).Congestion)
	assert.Equal(t, socket.NewReno, config(rpi.Config{Size: 2}, Options{Congestion: socket.NewReno}).Congestion)
}

func TestPortsAreTakenFromTheRange(t *testing.T) {
	first, err := New(rpi.Config{Size: 2}, Options{})
	require.NoError(t, err)
	t.Cleanup(first.Kill)
	port := first.socket.LocalAddrs()[0].Port
	if port == 1<<16-1 {
		port--
	}
	cfg := rpi.Config{Size: 2, PortLow: port, PortHigh: port + 1}
	second, err := New(cfg, Options{})
	if err == nil { // unless another process has the only free one
		t.Cleanup(second.Kill)
		assert.Contains(t, []uint16{port, port + 1}, second.socket.LocalAddrs()[0].Port)
		assert.NotEqual(t, first.Address(), second.Address())
	}
	_, err = New(rpi.Config{Size: 2, PortLow: port, PortHigh: port}, Options{})
	require.ErrorContains(t, err, "cannot listen on 127.0.0.1")
	_, err = New(rpi.Config{Size: 2, Bind: netip.IPv4Unspecified()}, Options{})
	require.ErrorContains(t, err, "cannot bind to 0.0.0.0")
}
