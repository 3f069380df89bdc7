package sctprpi

import (
	"bytes"
	"context"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// A sealed message may be longer than the receive buffer usually is.
func TestLongestSealedMessages(t *testing.T) {
	for _, policy := range []seal.Policy{seal.AlwaysAuth, seal.AlwaysEncrypt} {
		for _, size := range []int{0, 1, 60 << 10, 200 << 10, 20 << 20} {
			cfg := rpi.Config{EagerLimit: 20 << 20, UnexpectedLimit: 64 << 20, Encrypt: policy}
			ranks := join(t, cfg, records(associations.ListenEngine))
			pass(t, ranks, bytes.Repeat([]byte{7}, size))
		}
	}
}

// wiretap sees all that sockets send.
type wiretap struct {
	mu      sync.Mutex
	packets [][]byte
}

// listen opens a socket whose packets the wiretap sees.
func (w *wiretap) listen(c socket.Config, local []netip.Addr, port uint16) (socket.Core, error) {
	return engine.Open(engine.Config{
		Config: c, Addrs: local, UDPPort: port,
		Network: enginetest.Drop(func(packet []byte) bool {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.packets = append(w.packets, bytes.Clone(packet))
			return false
		}),
	})
}

// shows reports whether some packet has a text in it.
func (w *wiretap) shows(text string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.packets {
		if bytes.Contains(p, []byte(text)) {
			return true
		}
	}
	return false
}

// tapped are the two ranks of a job that has sent a text many times.
func tapped(t *testing.T, policy seal.Policy, sealsMessages bool, text string) (w *wiretap, ranks [2]*Transport) {
	w = new(wiretap)
	o := Options{Listen: w.listen}
	if sealsMessages {
		o = records(w.listen)
	}
	ranks = join(t, rpi.Config{Encrypt: policy}, o)
	pass(t, ranks, bytes.Repeat([]byte(text), 10_000))
	return w, ranks
}

// join makes the two ranks of a job.
func join(t *testing.T, cfg rpi.Config, o Options) (ranks [2]*Transport) {
	cfg.Size, cfg.Token = 2, []byte("the job's secret")
	cfg.Lookup = func(_ context.Context, peer int) (string, error) { return ranks[peer].Address(), nil }
	for rank := range ranks {
		var err error
		cfg.Rank = rank
		ranks[rank], err = New(cfg, o)
		require.NoError(t, err)
		t.Cleanup(ranks[rank].Kill)
	}
	return ranks
}

// Two jobs have one token, by mistake, and rank 1 of the second one has taken over the address of that of the first.
func TestARankOfAnotherJobIsNotTakenForOne(t *testing.T) {
	cfg := rpi.Config{Encrypt: seal.AlwaysEncrypt, ConnectTimeout: time.Minute}
	o := records(associations.ListenEngine)
	ranks := join(t, cfg, o)
	stale := ranks[1].Address()
	cfg.PortLow = ranks[1].Socket().LocalAddrs()[0].UDP
	cfg.PortHigh = cfg.PortLow
	ranks[1].Kill()
	cfg.Rank, cfg.Size, cfg.Token = 1, 2, []byte("the job's secret")
	cfg.Lookup = func(ctx context.Context, _ int) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}
	others, err := New(cfg, o)
	require.NoError(t, err)
	t.Cleanup(others.Kill)
	require.Equal(t, addresses(stale), addresses(others.Address()))

	cfg.Rank, cfg.PortLow, cfg.PortHigh = 0, 0, 0
	cfg.Lookup = func(context.Context, int) (string, error) { return stale, nil }
	first, err := New(cfg, o)
	require.NoError(t, err)
	t.Cleanup(first.Kill)
	err = first.Connect(t.Context())
	require.ErrorContains(t, err, "not known to be of this job")
	require.EqualValues(t, 1, others.Rejected())
}

// addresses is what a process has published, without its identity.
func addresses(published string) string {
	text, _, _ := strings.Cut(published, "#")
	return text
}

// pass has rank 0 send a message to rank 1.
func pass(t *testing.T, ranks [2]*Transport, body []byte) {
	got := make([]byte, len(body))
	receive := &rpi.Request{Op: rpi.OpRecv, Peer: 0, Type: 1, Elem: 1, Buf: got}
	ranks[1].Start(receive)
	send := &rpi.Request{Op: rpi.OpSend, Peer: 1, Type: 1, Elem: 1, Buf: body}
	ranks[0].Start(send)
	rpitest.Finish(t, receive)
	rpitest.Finish(t, send)
	require.True(t, bytes.Equal(body, got))
}

// TestWhatCanBeRead on the way of a message: with encryption neither the message nor, where datagrams are sealed, what ranks say
// to each other before.
func TestWhatCanBeRead(t *testing.T) {
	const text = "attack at dawn; "
	const magic = "SCTPRPI" // of the hello
	for policy, readable := range map[seal.Policy]bool{seal.Off: true, seal.Auto: false, seal.AlwaysAuth: true, seal.AlwaysEncrypt: false} {
		t.Run(policy.String(), func(t *testing.T) {
			w, _ := tapped(t, policy, false, text)
			assert.Equal(t, readable, w.shows(text))
			assert.Equal(t, readable, w.shows(magic))
		})
		t.Run(policy.String()+", sealed messages", func(t *testing.T) {
			w, _ := tapped(t, policy, true, text)
			assert.Equal(t, readable, w.shows(text))
			assert.True(t, w.shows(magic))
		})
	}
}

// TestStrangersGetSilence: those that do not know the token, and those that repeat what they have seen.
func TestStrangersGetSilence(t *testing.T) {
	plain, _ := tapped(t, seal.Off, false, "of another job")
	foreign, _ := tapped(t, seal.AlwaysAuth, false, "of a job with the same token")
	w, ranks := tapped(t, seal.AlwaysAuth, false, "of this job")
	at := ranks[0].Socket().LocalAddrs()[0]
	conn, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(netip.AddrPortFrom(at.IP, at.UDP)))
	require.NoError(t, err)
	defer conn.Close()
	for _, packets := range [][][]byte{plain.packets, foreign.packets, w.packets} { // the last are replays
		for _, p := range packets {
			_, err := conn.Write(p)
			require.NoError(t, err)
		}
	}
	// The job goes on, and so the rank has read all of that.
	r := &rpi.Request{Op: rpi.OpRecv, Peer: 1, Type: 1, Elem: 1, Buf: make([]byte, 1)}
	ranks[0].Start(r)
	s := &rpi.Request{Op: rpi.OpSend, Peer: 0, Type: 1, Elem: 1, Buf: []byte{1}}
	ranks[1].Start(s)
	rpitest.Finish(t, r)
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(10*time.Millisecond)))
	_, err = conn.Read(make([]byte, 1<<16))
	require.Error(t, err, "a stranger is answered")
}
