package sctprpi

import (
	"context"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

// translate passes on datagrams as a translator of addresses does: what comes for its address goes to a process behind it, from a port
// for each sender, and the answers go back from its address. What the process sends by itself has the process's own port.
func translate(t *testing.T, behind netip.AddrPort) (published netip.AddrPort) {
	outside, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.MustParseAddrPort("127.0.0.1:0")))
	require.NoError(t, err)
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
				if f, err = net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(behind)); err != nil {
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
	return outside.LocalAddr().(*net.UDPAddr).AddrPort()
}

// A rank that publishes the address of a translator is reached there, whichever rank begins.
func TestRankBehindATranslator(t *testing.T) {
	for _, encrypt := range []seal.Policy{seal.Off, seal.AlwaysEncrypt} {
		for first := range 2 {
			l, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.MustParseAddrPort("127.0.0.1:0")))
			require.NoError(t, err)
			inside := l.LocalAddr().(*net.UDPAddr).AddrPort()
			require.NoError(t, l.Close())
			published := translate(t, inside)
			var ranks [2]*Transport
			for i := range ranks {
				cfg := rpi.Config{
					Rank: i, Size: 2, Token: []byte("secret"), Encrypt: encrypt,
					Lookup: func(_ context.Context, peer int) (string, error) { return ranks[peer].Address(), nil },
				}
				if i == 1 {
					cfg.PortLow, cfg.PortHigh, cfg.Publish = inside.Port(), inside.Port(), published
				}
				ranks[i], err = New(cfg, Options{})
				require.NoError(t, err)
				t.Cleanup(ranks[i].Kill)
			}
			require.Contains(t, ranks[1].Address(), "/"+published.String()[len("127.0.0.1:"):])
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			for _, from := range []int{first, 1 - first} {
				for i := range 20 {
					body := make([]byte, 1+i*20_000)
					send := &rpi.Request{Op: rpi.OpSend, Peer: matching.Rank(1 - from), Type: 1, Elem: 1, Buf: body}
					recv := &rpi.Request{Op: rpi.OpRecv, Peer: matching.Rank(from), Type: 1, Elem: 1, Buf: make([]byte, len(body))}
					ranks[from].Start(send)
					ranks[1-from].Start(recv)
					translated(t, ctx, ranks[1-from], recv)
					translated(t, ctx, ranks[from], send)
				}
			}
			cancel()
		}
	}
}

// translated waits for a request.
func translated(t *testing.T, ctx context.Context, at *Transport, r *rpi.Request) {
	t.Helper()
	w := rpi.NewWaiter()
	defer w.Release()
	if r.Subscribe(w) {
		for !r.Completed() {
			require.NoError(t, at.Await(ctx, w))
		}
	}
	require.NoError(t, r.Err)
}

// The kernel's SCTP is no UDP of this process, whose port could be mapped.
func TestKernelRefusesToPublishAnotherAddress(t *testing.T) {
	_, err := OpenKernel(rpi.Config{Size: 2, Publish: netip.MustParseAddrPort("192.0.2.1:7000"), PortLow: 7000, PortHigh: 7001})
	require.ErrorIs(t, err, rpi.ErrArg)
	require.ErrorContains(t, err, "SCTPMPI_PUBLISH")
}
