package tcprpi_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake/handshaketest"
	"github.com/sctpmpi/sctpmpi/tcprpi/perpair"
	"github.com/sctpmpi/sctpmpi/tcprpi/pertrc"
)

var token = []byte("the secret of the job")

// transports are those over TCP.
var transports = map[string]rpi.Open{perpair.Name: perpair.Open, pertrc.Name: pertrc.Open}

// between is what the bytes of a connection pass through on their way: a function for each direction. It returns what goes on,
// and an error to cut the connection.
type between func(toAcceptor bool) func(b []byte) ([]byte, error)

// relay listens at a port, and passes what comes there to an address, which has been found out when the first connection comes.
func relay(t *testing.T, target func() string, through between) (address string) {
	front, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { front.Close() })
	go func() {
		for {
			outer, err := front.Accept()
			if err != nil {
				return
			}
			inner, err := net.Dial("tcp", target())
			if err != nil {
				outer.Close()
				continue
			}
			go pass(inner, outer, through(true))
			go pass(outer, inner, through(false))
		}
	}()
	return front.Addr().String()
}

func pass(to, from net.Conn, change func([]byte) ([]byte, error)) {
	defer to.Close()
	defer from.Close()
	b := make([]byte, 64<<10)
	for {
		n, err := from.Read(b)
		changed, cut := change(b[:n])
		if _, failed := to.Write(changed); err != nil || cut != nil || failed != nil {
			return
		}
	}
}

// unchanged passes all on.
func unchanged(b []byte) ([]byte, error) { return b, nil }

// relayed opens the transports of a job of n ranks. Whoever connects to rank 1 gets the relay.
func relayed(t *testing.T, open rpi.Open, n int, policy seal.Policy, through between, vary func(rank int, cfg *rpi.Config)) []rpi.Transport {
	ranks := make([]rpi.Transport, n)
	var front string
	for rank := range ranks {
		cfg := rpi.Config{Rank: rank, Size: n, Token: token, Encrypt: policy, Lookup: func(ctx context.Context, peer int) (string, error) {
			if peer == 0 {
				<-ctx.Done() // rank 1 does not connect itself
				return "", ctx.Err()
			}
			return handshaketest.Moved(t, token, ranks[peer].Address(), front), nil
		}}
		if vary != nil {
			vary(rank, &cfg)
		}
		var err error
		ranks[rank], err = open(cfg)
		require.NoError(t, err)
		t.Cleanup(ranks[rank].Kill)
	}
	front = relay(t, func() string { return network(ranks[1]) }, through)
	return ranks
}

// network is where a transport listens.
func network(tr rpi.Transport) string {
	address, _, _ := bytes.Cut([]byte(tr.Address()), []byte("#"))
	return string(address)
}

// recorder keeps all that passes.
type recorder struct {
	mu    sync.Mutex
	bytes []byte
}

func (r *recorder) between(bool) func([]byte) ([]byte, error) {
	return func(b []byte) ([]byte, error) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.bytes = append(r.bytes, b...)
		return b, nil
	}
}

// Who sees all packets of a job reads its messages, unless they are encrypted: then also neither tag nor envelope.
func TestWhatAListenerSees(t *testing.T) {
	known := []byte("a payload that is known ")
	for name, open := range transports {
		for _, policy := range []seal.Policy{seal.Off, seal.AlwaysAuth, seal.AlwaysEncrypt, seal.Auto} {
			t.Run(name+"/"+policy.String(), func(t *testing.T) {
				var seen recorder
				ranks := relayed(t, open, 2, policy, seen.between, nil)
				for i, times := range []int{1, 100, 50_000} {
					body := bytes.Repeat(known, times)
					r := rpitest.Request(rpi.OpRecv, 0, 0x1234567+i, make([]byte, len(body)))
					s := rpitest.Request(rpi.OpSend, 1, 0x1234567+i, body)
					rpitest.Start(ranks[1], r)
					rpitest.Do(t, ranks[0], s)
					rpitest.Finish(t, r)
					require.True(t, bytes.Equal(body, r.Buf))
				}
				seen.mu.Lock()
				defer seen.mu.Unlock()
				require.Greater(t, len(seen.bytes), 50_000*len(known))
				readable := policy == seal.Off || policy == seal.AlwaysAuth
				require.Equal(t, readable, bytes.Contains(seen.bytes, known))
				require.Equal(t, readable, bytes.Contains(seen.bytes, known[:8]))
				require.Equal(t, readable, bytes.Contains(seen.bytes, []byte{0x01, 0x23, 0x45, 0x67}), "the tag")
			})
		}
	}
}

// spoil changes what goes to the acceptor from a byte on, once.
func spoil(at int, how func(b []byte) []byte) between {
	var once sync.Once
	return func(toAcceptor bool) func([]byte) ([]byte, error) {
		passed := 0
		return func(b []byte) (out []byte, err error) {
			out = b
			begin := at - passed
			if passed += len(b); toAcceptor && begin >= 0 && begin+200 <= len(b) {
				once.Do(func() {
					rest := how(bytes.Clone(b[begin:]))
					if out = append(bytes.Clone(b[:begin]), rest...); rest == nil {
						err = io.EOF
					}
				})
			}
			return out, err
		}
	}
}

// Whatever a process on the way does to the bytes: no wrong one is received, and the peer fails, with an error that says why.
func TestWhatIsChangedOnTheWayEndsTheConnection(t *testing.T) {
	for name, open := range transports {
		for _, policy := range []seal.Policy{seal.AlwaysAuth, seal.AlwaysEncrypt} {
			for what, how := range map[string]func(b []byte) []byte{
				"flipped":    func(b []byte) []byte { b[0] ^= 1; return b },
				"dropped":    func(b []byte) []byte { return b[100:] },
				"duplicated": func(b []byte) []byte { return append(bytes.Clone(b[:100]), b...) },
				"reordered":  func(b []byte) []byte { return append(append(bytes.Clone(b[100:200]), b[:100]...), b[200:]...) },
				"truncated":  func([]byte) []byte { return nil },
			} {
				t.Run(fmt.Sprintf("%s/%v/%s", name, policy, what), func(t *testing.T) {
					ranks := relayed(t, open, 2, policy, spoil(3000, how), nil)
					body := make([]byte, 5000)
					for i := range body {
						body[i] = byte(i * i >> 3)
					}
					for range 20 { // so that more comes behind what is missing
						rpitest.Start(ranks[0], rpitest.Request(rpi.OpSend, 1, 0, body))
					}
					for { // until the peer fails
						r := rpitest.Start(ranks[1], rpitest.Request(rpi.OpRecv, 0, 0, make([]byte, len(body))))
						if <-r.Done(); r.Err == nil {
							require.True(t, bytes.Equal(body, r.Buf))
							continue
						}
						require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
						if what == "truncated" {
							require.Regexp(t, "without finalizing|was cut|reset", r.Err.Error())
						} else {
							require.ErrorContains(t, r.Err, "a record was changed on the way")
						}
						break
					}
				})
			}
		}
	}
}

// A process that has the port of a rank, or stands before it, and passes the bytes to another rank, or to the dialer
// itself, gets no connection: keys are those of the two that mean each other.
func TestARelayGivesNoRankForAnother(t *testing.T) {
	for name, open := range transports {
		for _, policy := range []seal.Policy{seal.Off, seal.Auto, seal.AlwaysEncrypt} {
			for what, target := range map[string]int{"to the dialer": 0, "to a third": 2} {
				t.Run(fmt.Sprintf("%s/%v/%s", name, policy, what), func(t *testing.T) {
					var ranks []rpi.Transport
					opened, passed := make(chan struct{}), make(chan int, 1000)
					victim := func() string {
						<-opened
						return network(ranks[target])
					}
					front := relay(t, victim, func(toAcceptor bool) func([]byte) ([]byte, error) {
						return func(b []byte) ([]byte, error) {
							if !toAcceptor && len(b) > 0 {
								passed <- len(b)
							}
							return b, nil
						}
					})
					ranks = relayed(t, open, 3, policy, func(bool) func([]byte) ([]byte, error) { return unchanged }, func(rank int, cfg *rpi.Config) {
						cfg.ConnectTimeout = time.Hour
						cfg.Lookup = func(ctx context.Context, peer int) (string, error) {
							if peer == 0 {
								<-ctx.Done()
								return "", ctx.Err()
							}
							return handshaketest.Moved(t, token, ranks[peer].Address(), front), nil
						}
					})
					close(opened)
					s := rpitest.Start(ranks[0], rpitest.Request(rpi.OpSend, 1, 0, []byte("secret")))
					for ranks[target].(counted).Counters().Strangers < 3 { // it tries again
						time.Sleep(time.Millisecond)
					}
					require.Empty(t, passed, "something was answered")
					require.False(t, s.Completed())
				})
			}
		}
	}
}

// A rank that knows another token, or wants another policy, says so; the others say nothing.
func TestRanksThatCannotTalkSaySo(t *testing.T) {
	for name, open := range transports {
		for what, c := range map[string]struct {
			vary func(*rpi.Config)
			says string
		}{
			"another token": {func(cfg *rpi.Config) { cfg.Token = []byte("another") }, "it does not know the job's token"},
			"off":           {func(cfg *rpi.Config) { cfg.Encrypt = seal.Off }, "set SCTPMPI_ENCRYPT alike in all processes of a job"},
			"auth":          {func(cfg *rpi.Config) { cfg.Encrypt = seal.AlwaysAuth }, "set SCTPMPI_ENCRYPT alike in all processes of a job"},
		} {
			t.Run(name+"/"+what, func(t *testing.T) {
				var ranks [2]rpi.Transport
				for rank := range ranks {
					cfg := rpi.Config{Rank: rank, Size: 2, Token: token, Encrypt: seal.AlwaysEncrypt, Lookup: func(_ context.Context, peer int) (string, error) {
						return ranks[peer].Address(), nil
					}}
					if rank == 1 {
						c.vary(&cfg)
					}
					var err error
					ranks[rank], err = open(cfg)
					require.NoError(t, err)
					defer ranks[rank].Kill()
				}
				for rank, tr := range ranks {
					s := rpitest.Start(tr, rpitest.Request(rpi.OpSend, 1-rank, 0, nil))
					<-s.Done()
					require.ErrorIs(t, s.Err, rpi.ErrProcFailed)
					assert.ErrorContains(t, s.Err, c.says)
				}
			})
		}
	}
}
