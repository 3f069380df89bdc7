package udp

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

// A packet that no datagram can hold is told to OnTooBig. Others are sent.
func TestTooBigDoesNotStopOthers(t *testing.T) {
	eachFamily(t, func(t *testing.T, v variant, local netip.Addr) {
		a, b := v.listen(t, local), v.listen(t, local)
		limit := 65_507
		if local.Is6() {
			limit = 65_527
		}
		var reports []report
		a.OnTooBig(func(to netip.AddrPort, mtu int) {
			a.Stats() // the Conn may be used
			reports = append(reports, report{to: to, mtu: mtu})
		})
		var batch packet.Batch
		add(&batch, packet.Packet{To: at(b)}, payload(1, 100))
		add(&batch, packet.Packet{To: at(b)}, payload(2, limit+1))
		add(&batch, packet.Packet{To: at(b)}, payload(3, 100))
		require.NoError(t, a.Send(&batch))
		requireBytes(t, [][]byte{payload(1, 100), payload(3, 100)}, collect(t, b, 2, 4))
		assert.EqualValues(t, 1, a.Stats().TooBig)
		require.Len(t, reports, 1)
		assert.Equal(t, at(b), reports[0].to)
		assert.Less(t, reports[0].mtu, ipSize(local, limit+1))
		assert.GreaterOrEqual(t, reports[0].mtu, unknownMTU)
	})
}

// What cannot be sent, for what is wrong with it, is counted. Others are sent.
func TestRefusedDoesNotStopOthers(t *testing.T) {
	needSecond(t)
	each(t, func(t *testing.T, v variant) {
		a, b := v.listen(t, loopback4, second), v.listen(t, loopback4)
		bad := []packet.Packet{
			{},
			{To: netip.AddrPortFrom(loopback6, b.Port())},
			{To: at(b), From: netip.MustParseAddr("192.0.2.1")},
		}
		var batch packet.Batch
		for i, p := range bad {
			for range 2 {
				add(&batch, p, payload(i, 100))
			}
			add(&batch, packet.Packet{To: at(b)}, payload(i, 100))
		}
		add(&batch, packet.Packet{To: at(b)}, nil) // empty
		require.NoError(t, a.Send(&batch))
		requireBytes(t, [][]byte{payload(0, 100), payload(1, 100), payload(2, 100)}, collect(t, b, 3, 8))
		assert.EqualValues(t, 7, a.Stats().Refused)
	})
}

// Sending to a port without a listener makes no call fail, and loses no packet but those sent
// there.
func TestUnreachablePort(t *testing.T) {
	eachFamily(t, func(t *testing.T, v variant, local netip.Addr) {
		a, b, gone := v.listen(t, local), v.listen(t, local), v.listen(t, local)
		unbound := at(gone)
		require.NoError(t, gone.Close())
		var want [][]byte
		for i := range 20 {
			var batch packet.Batch
			want = append(want, payload(i, 100))
			add(&batch, packet.Packet{To: unbound}, payload(i, 100))
			require.NoError(t, a.Send(&batch))
			if i%2 == 0 {
				requireNone(t, a)
			}
			batch.Reset()
			add(&batch, packet.Packet{To: at(b)}, want[i])
			require.NoError(t, a.Send(&batch))
		}
		requireBytes(t, want, collect(t, b, len(want), 8))
		assert.Zero(t, a.Stats().Refused)
	})
}

func TestRouteMTUOfUnknownRoute(t *testing.T) {
	each(t, func(t *testing.T, v variant) {
		assert.Equal(t, unknownMTU, v.listen(t, loopback4).RouteMTU(netip.Addr{}))
	})
}
