package udp

import (
	"encoding/binary"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

// A router's report that a packet did not fit (RFC 1191, RFC 8201) is told to OnTooBig
// by whichever call comes first, makes none fail, and ends a wait. The packets that
// follow are not held to that MTU: finding it is the engine's task.
func TestRoutersReport(t *testing.T) {
	const mtu = 1280
	calls := map[string]func(t *testing.T, a *Conn, b *packet.Batch){
		"Receive": func(t *testing.T, a *Conn, _ *packet.Batch) { a.Rest(); requireNone(t, a) },
		"Send":    func(t *testing.T, a *Conn, b *packet.Batch) { require.NoError(t, a.Send(b)); requireNone(t, a) },
		"a wait": func(t *testing.T, a *Conn, _ *packet.Batch) {
			await(a, patience)
			requireNone(t, a)
		},
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			eachFamilyInNamespace(t, 65_536, func(t *testing.T, v variant, local netip.Addr) {
				homes := map[string][]netip.Addr{"one": {local}, "both": {loopback4, loopback6}}
				for name, home := range homes {
					a, b := v.listen(t, home...), v.listen(t, local)
					var reports []report
					a.OnTooBig(func(to netip.AddrPort, mtu int) { reports = append(reports, report{to: to, mtu: mtu}) })
					routerReports(t, netip.AddrPortFrom(local, a.Port()), at(b), mtu)
					var batch packet.Batch
					add(&batch, packet.Packet{To: at(b)}, payload(1, 5000))
					call(t, a, &batch)
					require.Equal(t, []report{{to: at(b), mtu: mtu}}, reports, name)
					require.NoError(t, a.Send(&batch))
					collect(t, b, int(a.Stats().SentDatagrams), 8)
					assert.Len(t, reports, 1)
				}
			})
		})
	}
}

// routerReports plays a router that reports that a datagram did not fit.
func routerReports(t *testing.T, from, to netip.AddrPort, mtu int) {
	udp := binary.BigEndian.AppendUint16(nil, from.Port())
	udp = binary.BigEndian.AppendUint16(udp, to.Port())
	udp = append(udp, 0x0b, 0xb8, 0, 0) // 3,000 bytes, no checksum
	if from.Addr().Is6() {
		quoted := append([]byte{0x60, 0, 0, 0, 0x0b, 0xb8, unix.IPPROTO_UDP, 64}, from.Addr().AsSlice()...)
		quoted = append(append(quoted, to.Addr().AsSlice()...), udp...)
		message := append([]byte{2, 0, 0, 0}, binary.BigEndian.AppendUint32(nil, uint32(mtu))...)
		sendRaw(t, unix.AF_INET6, unix.IPPROTO_ICMPV6, from.Addr(), append(message, quoted...)) // the kernel adds the checksum
		return
	}
	quoted := append([]byte{0x45, 0, 0x0b, 0xcc, 0, 0, 0x40, 0, 64, unix.IPPROTO_UDP, 0, 0}, from.Addr().AsSlice()...)
	quoted = append(append(quoted, to.Addr().AsSlice()...), udp...)
	binary.BigEndian.PutUint16(quoted[10:], internetChecksum(quoted[:20]))
	message := append([]byte{3, 4, 0, 0, 0, 0, byte(mtu >> 8), byte(mtu & 0xff)}, quoted...)
	binary.BigEndian.PutUint16(message[2:], internetChecksum(message))
	sendRaw(t, unix.AF_INET, unix.IPPROTO_ICMP, from.Addr(), message)
}

func sendRaw(t *testing.T, family, protocol int, to netip.Addr, message []byte) {
	fd, err := unix.Socket(family, unix.SOCK_RAW|unix.SOCK_CLOEXEC, protocol)
	require.NoError(t, err)
	defer unix.Close(fd)
	require.NoError(t, unix.Sendto(fd, message, 0, sockaddr(netip.AddrPortFrom(to, 0))))
}

func internetChecksum(b []byte) uint16 {
	var sum uint32
	for i := 0; i < len(b); i += 2 {
		sum += uint32(binary.BigEndian.Uint16(b[i:]))
	}
	for sum>>16 != 0 {
		sum = sum&0xffff + sum>>16
	}
	return ^uint16(sum)
}
