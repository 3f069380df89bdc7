package udp

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

// A host's report that a port has no listener ends a wait, and is passed on with the beginning of
// the packet. It stops nothing else.
func TestPortUnreachable(t *testing.T) {
	eachFamily(t, func(t *testing.T, v variant, local netip.Addr) {
		a, b, gone := v.listen(t, local), v.listen(t, local), v.listen(t, local)
		to := at(gone)
		require.NoError(t, gone.Close())
		var reports []report
		a.OnUnreachable(func(to netip.AddrPort, quoted []byte) { reports = append(reports, report{to: to, quoted: quoted}) })
		var batch packet.Batch
		add(&batch, packet.Packet{To: to}, payload(1, 100))
		add(&batch, packet.Packet{To: at(b)}, payload(2, 100))
		require.NoError(t, a.Send(&batch))
		requireBytes(t, [][]byte{payload(2, 100)}, collect(t, b, 1, 4))
		if _, tells := a.socket.(*native); !tells {
			return
		}
		for len(reports) == 0 {
			await(a, patience)
			requireNone(t, a)
		}
		require.Equal(t, []report{{to: to, quoted: payload(1, 100)[:quotedSize]}}, reports)
	})
}
