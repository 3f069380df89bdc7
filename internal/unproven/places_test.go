package unproven

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

// fake is a connection from an address.
type fake struct {
	net.Conn
	from   string
	closed bool
}

func (f *fake) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.ParseIP(f.from), Port: 4711} }

func (f *fake) Close() error {
	f.closed = true
	return nil
}

func TestTheSourceWithMostConnectionsLosesItsOldest(t *testing.T) {
	const a, b, c, d = "192.0.2.7", "192.0.2.8", "2001:db8::1", "127.0.0.1"
	places := New(4)
	var all []*fake
	gone := map[int]bool{} // by number, from 1
	for _, enters := range []struct {
		from   string
		closes int // the number of the connection that is closed then
	}{
		{a, 0}, {b, 0}, {b, 0}, {a, 0},
		{b, 2}, // b had three
		{c, 1}, // a and b had two each, a the oldest
		{b, 3},
		{d, 5},
		{c, 6},
		{d, 8},
		{a, 4}, // each had one
	} {
		all = append(all, &fake{from: enters.from})
		places.Enter(all[len(all)-1])
		gone[enters.closes] = true
		for i, f := range all {
			require.Equal(t, gone[i+1], f.closed, "connection %d when %d enters", i+1, len(all))
		}
	}
	for _, f := range all {
		require.Equal(t, !f.closed, places.Leave(f), "it had a place until it was closed")
	}
	require.Zero(t, places.Taken())
	require.Empty(t, places.sources)
}

func TestAnEvictedConnectionHasNoPlace(t *testing.T) {
	places := New(2)
	places.Evict() // there is none
	f := &fake{from: "127.0.0.1"}
	places.Enter(f)
	places.Evict()
	require.True(t, f.closed)
	require.False(t, places.Leave(f))
}

func TestAddressesOfOneOwnerAreOneSource(t *testing.T) {
	of := func(address string) any { return source(&net.TCPAddr{IP: net.ParseIP(address)}) }
	require.Equal(t, of("127.0.0.1"), of("127.5.6.7"))
	require.Equal(t, of("127.0.0.1"), of("::1"))
	require.Equal(t, of("2001:db8::1"), of("2001:db8::ffff:1:2"))
	require.NotEqual(t, of("2001:db8::1"), of("2001:db8:0:1::1"))
	require.NotEqual(t, of("192.0.2.7"), of("192.0.2.8"))
	require.Equal(t, of("192.0.2.7"), of("::ffff:192.0.2.7"))
	require.Equal(t, source(&net.UnixAddr{}), source(nil))
}
