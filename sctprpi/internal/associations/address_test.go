package associations

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func TestAddressesAreParsedBack(t *testing.T) {
	for _, s := range []string{"127.0.0.1:5001/9899", "127.0.0.1:5001", "192.0.2.1:7/8,[2001:db8::1]:7/8"} {
		addrs, err := parseAddrs(s)
		require.NoError(t, err)
		assert.Equal(t, s, formatAddrs(addrs))
	}
}

// What is in UDP and what is not do not understand each other.
func TestProtocolIsThatOfTheAddress(t *testing.T) {
	assert.Equal(t, "sctp/udp", (&Manager{address: "127.0.0.1:5001/9899"}).Protocol())
	assert.Equal(t, "sctp/ip", (&Manager{address: "127.0.0.1:5001,127.0.0.2:5001"}).Protocol())
}

func TestBadAddressesAreRefused(t *testing.T) {
	for _, s := range []string{
		"", "none", "127.0.0.1", "127.0.0.1:0/1", "127.0.0.1:1/", "127.0.0.1:1/0", "127.0.0.1:1/2,", ",127.0.0.1:1/2",
		"127.0.0.1:1/2, 127.0.0.2:1/2", "127.0.0.1:1/2,127.0.0.2:2/2", "0.0.0.0:1/2", "[::]:1/2", "224.0.0.1:1/2", "host:1/2",
		strings.Repeat("127.0.0.1:1/2,", rpi.MaxAddresses) + "127.0.0.1:1/2",
	} {
		_, err := parseAddrs(s)
		assert.ErrorIs(t, err, socket.ErrAddr, "%q", s)
	}
}
