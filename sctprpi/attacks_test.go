package sctprpi_test

import (
	"bytes"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/sctprpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
	"github.com/sctpmpi/sctpmpi/sctprpi/pertrc"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// attacker is a program of an unprivileged user on the host of rank 0. It does not know the job's token.
type attacker struct {
	testing.TB
	policy seal.Policy
	conn   *net.UDPConn // with the socket of rank 0
	enginetest.Stranger
	random *rand.Rand
	onPath *tap
}

// sealed reports whether the ranks take sealed datagrams only.
func (a *attacker) sealed() bool { return a.policy != seal.Off }

// send sends a packet. Whether there is room for it is not the attacker's concern.
func (a *attacker) send(b []byte) { _, _ = a.conn.Write(b) }

// flood is how many packets an attack has.
var flood = 3_000

func init() {
	if rpitest.Long() {
		flood = 100_000
	}
}

// attacks are those of security.md. Each has a bounded number of packets. begin, if there is one, comes before the ranks
// find each other; do while they do, and then talk.
var attacks = map[string]struct{ begin, do func(*attacker) }{
	"a flood of INIT chunks": {do: func(a *attacker) {
		for range flood {
			a.send(a.Init(a.random.Uint32() | 1))
		}
	}},
	"a flood out of the blue": {do: func(a *attacker) {
		for range flood {
			a.Tag = a.random.Uint32() | 1
			a.send(a.Heartbeat())
		}
	}},
	"a flood of rubbish": {do: func(a *attacker) {
		b := make([]byte, 200)
		for range flood {
			for i := range b {
				b[i] = byte(a.random.Uint32())
			}
			a.send(b[:a.random.IntN(len(b))])
		}
	}},
	"a flood of made-up senders": {do: func(a *attacker) {
		b := make([]byte, 28+60+seal.TagSize)
		for range flood {
			for i := range b {
				b[i] = byte(a.random.Uint32())
			}
			b[0], b[1], b[2], b[3] = 0x50, 0, 0, 0 // a sealed datagram of the first epoch, in mode auth
			if a.policy == seal.AlwaysEncrypt {
				b[0] |= 2
			}
			if !seal.HasAES() {
				b[0] |= 4
			}
			a.send(b)
		}
	}},
	"a flood of forged cookies": {do: func(a *attacker) {
		cookie := make([]byte, 128)
		for range flood {
			a.Tag, cookie[a.random.IntN(len(cookie))] = a.random.Uint32(), byte(a.random.Uint32())
			a.send(a.CookieEcho(cookie))
		}
	}},
	"cookies that were collected": collected(128, func(a *attacker, echoes [][]byte, _ []enginetest.Stranger) {
		for range flood / max(1, len(echoes)) {
			for _, b := range echoes {
				a.send(b)
			}
		}
	}),
	"data that cannot be delivered": collected(64, func(a *attacker, echoes [][]byte, guests []enginetest.Stranger) {
		before := inUse()
		for _, b := range echoes {
			a.send(b)
		}
		body := make([]byte, 4<<10)
		for n := range 300 { // 75 MiB
			for _, g := range guests {
				a.send(g.Data(1+n, body)) // the first one never comes
			}
		}
		assert.Less(a, inUse()-before, 32<<20)
	}),
	"the right tag from another port": {do: func(a *attacker) {
		if a.policy == seal.AlwaysEncrypt {
			return // no tag can be read
		}
		for range flood / 5 {
			for _, a.Tag = range a.onPath.tags(a.To) {
				for _, b := range [][]byte{a.Heartbeat(), a.CookieAck(), a.Data(1, []byte("mine")), a.Shutdown(), a.Abort()} {
					a.send(b)
				}
			}
		}
	}},
}

// collected is an attack with n cookies. Ranks that seal give none.
func collected(n int, use func(a *attacker, echoes [][]byte, guests []enginetest.Stranger)) struct{ begin, do func(*attacker) } {
	var echoes [][]byte
	var guests []enginetest.Stranger
	return struct{ begin, do func(*attacker) }{
		func(a *attacker) {
			echoes, guests = nil, nil
			for i := range n {
				patience := time.Minute
				if a.sealed() {
					patience = time.Millisecond
				}
				require.NoError(a, a.conn.SetReadDeadline(time.Now().Add(patience)))
				a.From = uint16(1000 + i)
				cookie, err := a.Ask(a.conn)
				if a.sealed() {
					require.ErrorIs(a, err, os.ErrDeadlineExceeded, "a stranger is answered")
					continue
				}
				require.NoError(a, err)
				echoes, guests = append(echoes, a.CookieEcho(cookie)), append(guests, a.Stranger)
			}
		},
		func(a *attacker) { use(a, echoes, guests) },
	}
}

// inUse is how many bytes of the heap are in use.
func inUse() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// tap sees the packets of all ranks as a host on the path does.
type tap struct {
	mu      sync.Mutex
	changed *sync.Cond
	seen    map[uint16]map[uint32]bool // tags, by the port that they go to
}

func newTap() *tap {
	w := &tap{seen: make(map[uint16]map[uint32]bool)}
	w.changed = sync.NewCond(&w.mu)
	return w
}

// listen opens the socket of a rank.
func (w *tap) listen(c socket.Config, local []netip.Addr, port uint16) (socket.Core, error) {
	before := 0
	if c.Guard != nil {
		before, _ = c.Guard.Overhead()
	}
	return engine.Open(engine.Config{
		Config: c, Addrs: local, UDPPort: port,
		Network: enginetest.Drop(func(packet []byte) bool {
			w.mu.Lock()
			defer w.mu.Unlock()
			to, tag := enginetest.Receiver(packet[before:])
			if w.seen[to] == nil {
				w.seen[to] = make(map[uint32]bool)
			}
			if tag != 0 {
				w.seen[to][tag] = true
				w.changed.Broadcast()
			}
			return false
		}),
	})
}

// tags are those of the packets to a port, once there is one.
func (w *tap) tags(port uint16) (tags []uint32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.seen[port]) == 0 {
		w.changed.Wait()
	}
	for tag := range w.seen[port] {
		tags = append(tags, tag)
	}
	return tags
}

// The job lives, whatever strangers send: its ranks find each other and talk while an attack lasts, all that they say arrives,
// and the attacker gets nothing of it.
func TestAttacksDoNotEndAJob(t *testing.T) {
	for name, open := range map[string]func(rpi.Config, associations.Options) (transport, error){
		sctprpi.Name: func(cfg rpi.Config, o associations.Options) (transport, error) { return sctprpi.New(cfg, o) },
		pertrc.Name:  func(cfg rpi.Config, o associations.Options) (transport, error) { return pertrc.New(cfg, o) },
	} {
		policies := []seal.Policy{seal.Off, seal.AlwaysAuth}
		if rpitest.Long() {
			policies = append(policies, seal.AlwaysEncrypt) // which tells an attacker less
		}
		for _, policy := range policies {
			for what, attack := range attacks {
				t.Run(name+"/"+policy.String()+"/"+what, func(t *testing.T) {
					w := newTap()
					ranks := rpitest.OpenJob(t, 2, func(cfg rpi.Config) (transport, error) {
						return open(cfg, associations.Options{Listen: w.listen})
					}, func(_ int, cfg *rpi.Config) {
						cfg.Encrypt, cfg.PeerTimeout, cfg.ConnectTimeout = policy, 10*time.Minute, 10*time.Minute
					})
					at := ranks[0].Socket().LocalAddrs()[0]
					conn, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(netip.AddrPortFrom(at.IP, at.UDP)))
					require.NoError(t, err)
					defer conn.Close()
					a := &attacker{TB: t, policy: policy, conn: conn, random: rand.New(rand.NewPCG(1, 2)), onPath: w,
						Stranger: enginetest.Stranger{From: ranks[1].Socket().LocalAddrs()[0].Port, To: at.Port}}
					if attack.begin != nil {
						attack.begin(a)
					}
					talk(t, ranks, func() { attack.do(a) })
					_ = conn.SetReadDeadline(time.Now().Add(time.Millisecond))
					for b := make([]byte, 1<<16); ; {
						n, err := conn.Read(b)
						if err != nil {
							break
						}
						require.False(t, a.sealed(), "a stranger is answered")
						require.NotContains(t, string(b[:n]), secret)
					}
				})
			}
		}
	}
}

// transport is what both designs are.
type transport interface {
	rpi.Transport
	Socket() socket.Core
}

const secret = "not for strangers"

// talk has two ranks exchange messages while something is done, and once more afterwards.
func talk(t *testing.T, ranks []transport, during func()) {
	ended := make(chan struct{})
	go func() { defer close(ended); during() }()
	rounds, worst := 0, time.Duration(0)
	for over := false; !over; rounds++ {
		select {
		case <-ended:
			over = true
		default:
		}
		begin := time.Now()
		body := bytes.Repeat([]byte(secret), 1+rounds%50)
		var all []*rpi.Request
		for rank, tr := range ranks {
			all = append(all,
				rpitest.Start(tr, rpitest.Request(rpi.OpRecv, 1-rank, rounds, make([]byte, len(body)))),
				rpitest.Start(tr, rpitest.Request(rpi.OpSend, 1-rank, rounds, body)))
		}
		for _, r := range all {
			rpitest.Finish(t, r)
			require.True(t, bytes.Equal(body, r.Buf))
		}
		worst = max(worst, time.Since(begin))
	}
	t.Logf("%d rounds, the worst took %v", rounds, worst)
}
