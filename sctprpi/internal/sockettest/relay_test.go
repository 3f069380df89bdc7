package sockettest

import (
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func TestRelay(t *testing.T) {
	caller, called := listen(t), listen(t)
	s := &suite{TB: t, patience: patience}
	r := s.relay(socket.Addr{IP: homes[0], Port: 1, UDP: port(called)})
	there := netip.AddrPortFrom(homes[0], port(r.left))
	back := netip.AddrPortFrom(homes[0], port(r.right))

	send(t, caller, there, "a")
	require.Equal(t, "a", read(t, called, back))
	send(t, called, back, "b")
	require.Equal(t, "b", read(t, caller, there))

	for _, round := range []struct {
		fates []fate
		want  string
	}{
		{[]fate{drop, pass, drop, pass}, "bd"},
		{[]fate{duplicate, pass, pass, duplicate}, "aabcdd"},
		{[]fate{swap, pass, swap, pass}, "badc"},
		{[]fate{swap, swap, pass, pass}, "bacd"},
	} {
		next := make(chan fate, len(round.fates))
		for _, f := range round.fates {
			next <- f
		}
		r.treat(func([]byte) fate { return <-next })
		for _, packet := range []string{"a", "b", "c", "d"} {
			send(t, caller, there, packet)
		}
		got := ""
		for range round.want {
			got += read(t, called, back)
		}
		require.Equal(t, round.want, got, "%v", round.fates)
	}

	r.onlySetup()
	for _, chunk := range []byte{4, 0, 1} { // HEARTBEAT, DATA, INIT
		send(t, caller, there, "12 bytes....."[:12]+string(chunk))
	}
	require.Equal(t, byte(1), read(t, called, back)[12])
}

func listen(t *testing.T) *net.UDPConn {
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: homes[0].AsSlice()})
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(patience)))
	return conn
}

func port(conn *net.UDPConn) uint16 { return conn.LocalAddr().(*net.UDPAddr).AddrPort().Port() }

func send(t *testing.T, conn *net.UDPConn, to netip.AddrPort, packet string) {
	t.Helper()
	_, err := conn.WriteToUDPAddrPort([]byte(packet), to)
	require.NoError(t, err)
}

func read(t *testing.T, conn *net.UDPConn, from netip.AddrPort) string {
	t.Helper()
	buf := make([]byte, 100)
	n, source, err := conn.ReadFromUDPAddrPort(buf)
	require.NoError(t, err)
	require.Equal(t, from, netip.AddrPortFrom(source.Addr().Unmap(), source.Port()))
	return string(buf[:n])
}
