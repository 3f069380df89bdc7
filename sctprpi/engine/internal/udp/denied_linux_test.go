package udp

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

// What the system does not send for want of a route is told, once for each address and batch.
func TestWhatTheSystemDoesNotSendIsTold(t *testing.T) {
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			inNamespace(t, 1500, func(t *testing.T) {
				a := v.listen(t, netip.IPv4Unspecified())
				var denied []netip.AddrPort
				a.OnDenied(func(to netip.AddrPort, why error) {
					assert.ErrorIs(t, why, unix.ENETUNREACH)
					denied = append(denied, to)
				})
				var batch packet.Batch
				to := []netip.AddrPort{netip.MustParseAddrPort("192.0.2.1:5"), netip.MustParseAddrPort("192.0.2.2:5")}
				for _, at := range to {
					add(&batch, packet.Packet{To: at}, payload(0, 100))
				}
				require.NoError(t, a.Send(&batch))
				assert.Equal(t, to, denied)
			})
		})
	}
}
