package tcprpi_test

import (
	"context"
	"io"
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/perpair"
	"github.com/sctpmpi/sctpmpi/tcprpi/pertrc"
)

// A process that has too many connections in their handshake cuts some off. That is
// not the end: those that belong to the job try again.
func TestAMemberThatIsCutOffTriesAgain(t *testing.T) {
	for name, open := range map[string]rpi.Open{perpair.Name: perpair.Open, pertrc.Name: pertrc.Open} {
		t.Run(name, func(t *testing.T) {
			var ranks [2]rpi.Transport
			var address string
			for rank := range ranks {
				var err error
				ranks[rank], err = open(rpi.Config{Rank: rank, Size: 2, Lookup: func(ctx context.Context, peer int) (string, error) {
					if peer == 1 {
						return address, nil
					}
					<-ctx.Done() // rank 1 does not connect itself
					return "", ctx.Err()
				}})
				require.NoError(t, err)
				defer ranks[rank].Kill()
			}
			address = reluctant(t, ranks[1].Address(), 3)
			r := &rpi.Request{Op: rpi.OpRecv, Peer: 0}
			s := &rpi.Request{Op: rpi.OpSend, Peer: 1}
			ranks[1].Start(r)
			ranks[0].Start(s)
			<-s.Done()
			require.NoError(t, s.Err)
			<-r.Done()
			require.NoError(t, r.Err)
		})
	}
}

// reluctant stands before a port: it cuts off so many connections, each after its hello,
// and passes the others on.
func reluctant(t *testing.T, address string, times int) string {
	front, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { front.Close() })
	go func() {
		for ; ; times-- {
			outer, err := front.Accept()
			if err != nil {
				return
			}
			if times > 0 {
				_, _ = outer.Read(make([]byte, 1))
				outer.Close()
				continue
			}
			inner, err := net.Dial("tcp", address)
			if err != nil {
				outer.Close()
				continue
			}
			pass := func(to, from net.Conn) {
				_, _ = io.Copy(to, from)
				to.Close()
			}
			go pass(outer, inner)
			go pass(inner, outer)
		}
	}()
	return front.Addr().String()
}
