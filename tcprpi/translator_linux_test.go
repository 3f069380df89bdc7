package tcprpi_test

import (
	"io"
	"net"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/sctpmpi/sctpmpi/tcprpi/perpair"
	"github.com/sctpmpi/sctpmpi/tcprpi/pertrc"
)

// translate passes on connections as a translator of addresses does, to a process behind it.
func translate(t *testing.T) (inside, published netip.AddrPort) {
	free, l := listenTCP(t), listenTCP(t)
	inside, published = free.Addr().(*net.TCPAddr).AddrPort(), l.Addr().(*net.TCPAddr).AddrPort()
	require.NoError(t, free.Close())
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			outside, err := l.Accept()
			if err != nil {
				return
			}
			process, err := net.Dial("tcp", inside.String())
			if err != nil {
				outside.Close()
				continue
			}
			pass := func(to, from net.Conn) {
				_, _ = io.Copy(to, from)
				_ = to.Close()
			}
			go pass(process, outside)
			go pass(outside, process)
		}
	}()
	return inside, published
}

func listenTCP(t *testing.T) net.Listener {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	return l
}

func TestRankBehindATranslator(t *testing.T) {
	for name, open := range map[string]rpi.Open{"perpair": perpair.Open, "pertrc": pertrc.Open} {
		t.Run(name, func(t *testing.T) { rpitest.RunTranslated(t, open, translate) })
	}
}
