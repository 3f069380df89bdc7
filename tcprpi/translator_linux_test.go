package tcprpi_test

import (
	"context"
	"io"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/tcprpi/perpair"
	"github.com/sctpmpi/sctpmpi/tcprpi/pertrc"
)

// translate passes on connections as a translator of addresses does, to a process behind it.
func translate(t *testing.T, behind string) (published netip.AddrPort) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			outside, err := l.Accept()
			if err != nil {
				return
			}
			inside, err := net.Dial("tcp", behind)
			if err != nil {
				outside.Close()
				continue
			}
			pass := func(to, from net.Conn) {
				_, _ = io.Copy(to, from)
				_ = to.Close()
			}
			go pass(inside, outside)
			go pass(outside, inside)
		}
	}()
	return l.Addr().(*net.TCPAddr).AddrPort()
}

// A rank that publishes the address of a translator is reached there, whichever rank begins.
func TestRankBehindATranslator(t *testing.T) {
	for name, open := range map[string]rpi.Open{"perpair": perpair.Open, "pertrc": pertrc.Open} {
		for first := range 2 {
			t.Run(name, func(t *testing.T) {
				l, err := net.Listen("tcp", "127.0.0.1:0")
				require.NoError(t, err)
				inside := l.Addr().(*net.TCPAddr).AddrPort()
				require.NoError(t, l.Close())
				published := translate(t, inside.String())
				var ranks [2]rpi.Transport
				for i := range ranks {
					cfg := rpi.Config{
						Rank: i, Size: 2, Token: []byte("secret"), Encrypt: seal.AlwaysEncrypt,
						Lookup: func(_ context.Context, peer int) (string, error) { return ranks[peer].Address(), nil },
					}
					if i == 1 {
						cfg.PortLow, cfg.PortHigh, cfg.Publish = inside.Port(), inside.Port(), published
					}
					ranks[i], err = open(cfg)
					require.NoError(t, err)
					t.Cleanup(ranks[i].Kill)
				}
				require.Contains(t, ranks[1].Address(), published.String())
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
				defer cancel()
				for _, from := range []int{first, 1 - first} {
					send := &rpi.Request{Op: rpi.OpSend, Peer: matching.Rank(1 - from), Type: 1, Elem: 1, Buf: make([]byte, 200_000)}
					recv := &rpi.Request{Op: rpi.OpRecv, Peer: matching.Rank(from), Type: 1, Elem: 1, Buf: make([]byte, 200_000)}
					ranks[from].Start(send)
					ranks[1-from].Start(recv)
					translated(t, ctx, ranks[1-from], recv)
					translated(t, ctx, ranks[from], send)
				}
			})
		}
	}
}

// translated waits for a request.
func translated(t *testing.T, ctx context.Context, at rpi.Transport, r *rpi.Request) {
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
