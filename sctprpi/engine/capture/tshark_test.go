package capture_test

import (
	"fmt"
	"net/netip"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/capture"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/capturetest"
)

// captured returns the path of a capture of what fill records.
func captured(t testing.TB, c capture.Config, fill func(*capture.Writer)) string {
	path := filepath.Join(t.TempDir(), "run.pcapng")
	w, err := capture.Create(path, c)
	require.NoError(t, err)
	fill(w)
	require.NoError(t, w.Close())
	return path
}

// What is captured of an association is that association to tshark: addresses,
// directions, times to the nanosecond, chunks.
func TestAssociationIsDecoded(t *testing.T) {
	for _, family := range []struct {
		name, source, destination string
		here, there               netip.AddrPort
	}{
		{"IPv4", "ip.src", "ip.dst", here4, there4},
		{"IPv6", "ipv6.src", "ipv6.dst", here6, there6},
	} {
		t.Run(family.name, func(t *testing.T) {
			steps := conversation()
			path := captured(t, capture.Config{}, func(w *capture.Writer) { record(w, family.here, family.there, steps) })
			require.Equal(t, len(steps), capturetest.Verify(t, path, port))

			rows := capturetest.Fields(t, path, port, "frame.time_epoch", "frame.packet_flags_direction",
				family.source, family.destination, "udp.srcport", "udp.dstport", "udp.length", "sctp.chunk_type")
			for i, s := range steps {
				from, to, direction := family.here, family.there, "0x00000002"
				if s.received {
					from, to, direction = family.there, family.here, "0x00000001"
				}
				at := began.Add(time.Duration(i) * 1001 * time.Nanosecond)
				assert.Equal(t, []string{
					fmt.Sprintf("%d.%09d", at.Unix(), at.Nanosecond()), direction, from.Addr().String(), to.Addr().String(),
					"5000", "5000", fmt.Sprint(8 + len(s.bytes)), s.chunk,
				}, rows[i], "packet %d", i+1)
			}
		})
	}
}

// Every length of padding, and the longest datagrams that there are.
func TestAllSizesAreDecoded(t *testing.T) {
	sizes := []int{40, 41, 42, 43, 44, 576, 1472, 16_383, 65_000, 65_504, 65_507}
	var payloads [][]byte
	for _, size := range sizes {
		payloads = append(payloads, dataWithoutPadding(size))
	}
	longest := append(payloads, dataWithoutPadding(65_527))
	path := captured(t, capture.Config{}, func(w *capture.Writer) {
		for _, p := range payloads {
			w.Packet(began, false, here4, there4, p)
		}
		for _, p := range longest {
			w.Packet(began, false, here6, there6, p)
		}
	})
	assert.Equal(t, len(payloads)+len(longest), capturetest.Verify(t, path, port))
}

// dataWithoutPadding returns a packet of any size, whose one chunk is not padded.
func dataWithoutPadding(size int) []byte {
	b := data(1, 40)[:wire.HeaderSize]
	b = wire.AppendDataHeader(b, &wire.Data{Flags: wire.FlagBegin | wire.FlagEnd, TSN: 1}, size-28)
	b = append(b, noise(size-28)...)
	wire.SetChecksum(b)
	return b
}

// The port of RFC 6951 needs no option.
func TestPort9899IsKnownToBeSCTP(t *testing.T) {
	from, to := netip.AddrPortFrom(here4.Addr(), 9899), netip.AddrPortFrom(there4.Addr(), 9899)
	path := captured(t, capture.Config{}, func(w *capture.Writer) { record(w, from, to, conversation()) })
	assert.Equal(t, len(conversation()), capturetest.Verify(t, path, port))
}

// A socket says of an address what it knows: nothing, that it is IPv4 in IPv6,
// or a zone with it.
func TestAddressesOfEveryFormAreRecorded(t *testing.T) {
	mapped := func(a netip.AddrPort) netip.AddrPort {
		return netip.AddrPortFrom(netip.AddrFrom16(a.Addr().As16()), a.Port())
	}
	none := netip.AddrPortFrom(netip.Addr{}, port)
	any6 := netip.AddrPortFrom(netip.IPv6Unspecified(), port)
	zone := netip.MustParseAddrPort("[fe80::1%eth0]:5000")
	for _, c := range []struct {
		name     string
		from, to netip.AddrPort
		want     []string // ip.src, ip.dst, ipv6.src, ipv6.dst
	}{
		{"mapped", mapped(here4), mapped(there4), []string{"192.0.2.1", "192.0.2.2", "", ""}},
		{"unknown to IPv4", none, there4, []string{"0.0.0.0", "192.0.2.2", "", ""}},
		{"unspecified to IPv4", any6, there4, []string{"0.0.0.0", "192.0.2.2", "", ""}},
		{"unknown to IPv6", none, there6, []string{"", "", "::", "2001:db8::2"}},
		{"unspecified to IPv6", any6, there6, []string{"", "", "::", "2001:db8::2"}},
		{"zone", zone, there6, []string{"", "", "fe80::1", "2001:db8::2"}},
		{"IPv4 to IPv6", here4, there6, []string{"", "", "::ffff:192.0.2.1", "2001:db8::2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := captured(t, capture.Config{}, func(w *capture.Writer) {
				w.Packet(began, false, c.from, c.to, data(1, 40))
			})
			assert.Equal(t, 1, capturetest.Verify(t, path, port))
			rows := capturetest.Fields(t, path, port, "ip.src", "ip.dst", "ipv6.src", "ipv6.dst")
			assert.Equal(t, [][]string{c.want}, rows)
		})
	}
}

// A capture without packets is a capture.
func TestEmptyCaptureIsRead(t *testing.T) {
	path := captured(t, capture.Config{}, func(*capture.Writer) {})
	assert.Zero(t, capturetest.Verify(t, path, port))
}
