package sctprpi

import (
	"net"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
)

// translate passes on datagrams as a translator of addresses does: what comes for its address goes to a process behind it, from a port
// for each sender, and the answers go back from its address. What the process sends by itself has the process's own port.
func translate(t *testing.T) (inside, published netip.AddrPort) {
	free, outside := listenUDP(t), listenUDP(t)
	inside, published = free.LocalAddr().(*net.UDPAddr).AddrPort(), outside.LocalAddr().(*net.UDPAddr).AddrPort()
	require.NoError(t, free.Close())
	t.Cleanup(func() { outside.Close() })
	go func() {
		flows := make(map[netip.AddrPort]*net.UDPConn)
		b := make([]byte, 1<<16)
		for {
			n, from, err := outside.ReadFromUDPAddrPort(b)
			if err != nil {
				for _, f := range flows {
					f.Close()
				}
				return
			}
			f := flows[from]
			if f == nil {
				if f, err = net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(inside)); err != nil {
					return
				}
				flows[from] = f
				go func() {
					b := make([]byte, 1<<16)
					for {
						n, err := f.Read(b)
						if err != nil {
							return
						}
						_, _ = outside.WriteToUDPAddrPort(b[:n], from)
					}
				}()
			}
			_, _ = f.Write(b[:n])
		}
	}()
	return inside, published
}

func listenUDP(t *testing.T) *net.UDPConn {
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	return c
}

func TestRankBehindATranslator(t *testing.T) {
	rpitest.RunTranslated(t, Open, translate)
}

// The kernel's SCTP is no UDP of this process, whose port could be mapped.
func TestKernelRefusesToPublishAnotherAddress(t *testing.T) {
	_, err := OpenKernel(rpi.Config{Size: 2, Publish: netip.MustParseAddrPort("192.0.2.1:7000"), PortLow: 7000, PortHigh: 7001})
	require.ErrorIs(t, err, rpi.ErrArg)
	require.ErrorContains(t, err, "SCTPMPI_PUBLISH")
}
