package udp

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

func TestListenTellsWhatIsWrong(t *testing.T) {
	any4 := netip.IPv4Unspecified()
	for _, c := range []struct {
		addrs  []netip.Addr
		config Config
		want   string
	}{
		{nil, Config{}, "no address to listen on"},
		{[]netip.Addr{{}}, Config{}, "zero Addr"},
		{[]netip.Addr{loopback4, netip.MustParseAddr("::ffff:127.0.0.1")}, Config{}, "127.0.0.1 is given twice"},
		{[]netip.Addr{loopback4, any4}, Config{}, "0.0.0.0 stands for all addresses"},
		{[]netip.Addr{netip.MustParseAddr("224.0.0.1")}, Config{}, "multicast"},
		{[]netip.Addr{loopback4}, Config{SendBuffer: -1}, "negative size"},
	} {
		_, err := Listen(new(packet.Pool), 0, c.addrs, c.config)
		assert.ErrorContains(t, err, c.want)
	}
}

func TestListenTellsPortInUse(t *testing.T) {
	eachFamily(t, func(t *testing.T, v variant, local netip.Addr) {
		a := v.listen(t, local)
		require.NotZero(t, a.Port())
		_, err := listen(v.open, new(packet.Pool), a.Port(), []netip.Addr{local}, v.config)
		assert.ErrorContains(t, err, "in use")
		assert.ErrorContains(t, err, local.String())
	})
}

func TestBuffersAreAsLargeAsGranted(t *testing.T) {
	each(t, func(t *testing.T, v variant) {
		v.config.ReceiveBuffer, v.config.SendBuffer = 128<<10, 64<<10
		receive, send := v.listen(t, loopback4).Buffers()
		assert.Equal(t, 128<<10, receive)
		assert.Equal(t, 64<<10, send)
	})
}
