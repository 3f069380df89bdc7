package tcprpi_test

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake/handshaketest"
	"github.com/sctpmpi/sctpmpi/tcprpi/perpair"
	"github.com/sctpmpi/sctpmpi/tcprpi/pertrc"
)

// Silent connections of other processes of the host, more than a rank has places for, and new ones for those that are closed:
// the ranks of the job find each other, and talk, as if there were none.
func TestSilentConnectionsKeepNoRankOut(t *testing.T) {
	for name, open := range map[string]rpi.Open{perpair.Name: perpair.Open, pertrc.Name: pertrc.Open} {
		for _, attack := range []struct {
			files  uint64 // that each rank may open
			silent int    // connections to each rank
			policy seal.Policy
			long   bool
		}{
			{20_000, 1100, seal.Off, false},
			{20_000, 1100, seal.AlwaysEncrypt, true},
			{1024, 70, seal.Off, false},
			{1024, 70, seal.AlwaysEncrypt, false},
		} {
			t.Run(fmt.Sprintf("%s/%d connections/%v", name, attack.silent, attack.policy), func(t *testing.T) {
				if attack.long && !rpitest.Long() {
					t.Skip("this runs with SCTPMPI_TEST_LONG=1 only")
				}
				const n, tags = 2, 4
				var ranks [n]rpi.Transport
				withFiles(t, attack.files, func() {
					for rank := range ranks {
						var err error
						ranks[rank], err = open(rpi.Config{Rank: rank, Size: n, Token: []byte("secret"), Encrypt: attack.policy, Lookup: func(_ context.Context, peer int) (string, error) {
							return ranks[peer].Address(), nil
						}})
						require.NoError(t, err)
						t.Cleanup(ranks[rank].Kill)
					}
				})
				for _, tr := range ranks {
					address, _, _ := strings.Cut(tr.Address(), "#")
					defer besiege(t, address, attack.silent)()
				}
				var all sync.WaitGroup
				for rank, tr := range ranks {
					all.Go(func() {
						var requests []*rpi.Request
						for peer := range n {
							for tag := range tags {
								requests = append(requests,
									&rpi.Request{Op: rpi.OpRecv, Peer: matching.Rank(peer), Tag: matching.Tag(tag), Buf: make([]byte, 8), Type: 1, Elem: 1},
									&rpi.Request{Op: rpi.OpSend, Peer: matching.Rank(peer), Tag: matching.Tag(tag), Buf: []byte{byte(rank)}, Type: 1, Elem: 1})
							}
						}
						for _, r := range requests {
							tr.Start(r)
						}
						for _, r := range requests {
							<-r.Done()
							assert.NoError(t, r.Err)
						}
					})
				}
				all.Wait()
			})
		}
	}
}

// withFiles calls open while the process may have so many files, if it may have so many at all.
func withFiles(t *testing.T, files uint64, open func()) {
	var limit unix.Rlimit
	require.NoError(t, unix.Getrlimit(unix.RLIMIT_NOFILE, &limit))
	few := limit
	few.Cur = min(files, limit.Cur)
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &few))
	defer func() { require.NoError(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &limit)) }()
	open()
}

// besiege makes so many silent connections, and more of them in place of others until end is called, 1,000 at most.
func besiege(t *testing.T, address string, silent int) (end func()) {
	connections := make([]*net.TCPConn, silent)
	for i := range connections {
		connections[i] = handshaketest.Dial(t, address)
		connections[i].SetLinger(0) // so that the port can be used again at once
	}
	ended := make(chan struct{})
	var attackers sync.WaitGroup
	attackers.Go(func() {
		for i := range 1000 {
			select {
			case <-ended:
				return
			default:
			}
			connections[i%silent].Close()
			if nc, err := net.Dial("tcp", address); err == nil {
				connections[i%silent] = nc.(*net.TCPConn)
				connections[i%silent].SetLinger(0)
			}
		}
	})
	return func() {
		close(ended)
		attackers.Wait()
		for _, nc := range connections {
			nc.Close()
		}
	}
}
