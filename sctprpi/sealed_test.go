package sctprpi

import (
	"bytes"
	"context"
	"net"
	"net/netip"
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
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// The other tests authenticate what they send, as is the default over loopback.
func TestEncryptedTransport(t *testing.T) {
	rpitest.RunVariant(t, func(cfg rpi.Config) (rpi.Transport, error) {
		cfg.Encrypt = seal.AlwaysEncrypt
		return New(cfg, Options{})
	})
}

// wiretap sees all that sockets send.
type wiretap struct {
	mu      sync.Mutex
	packets [][]byte
}

// listen opens a socket whose packets the wiretap sees.
func (w *wiretap) listen(c socket.Config, local netip.Addr, port uint16) (socket.Core, error) {
	return engine.Open(engine.Config{
		Config: c, Addrs: []netip.Addr{local}, UDPPort: port,
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
func tapped(t *testing.T, policy seal.Policy, text string) (w *wiretap, ranks [2]*Transport) {
	w = new(wiretap)
	for rank := range ranks {
		var err error
		ranks[rank], err = New(rpi.Config{
			Rank: rank, Size: 2, Token: []byte("the job's secret"), Encrypt: policy,
			Lookup: func(_ context.Context, peer int) (string, error) { return ranks[peer].Address(), nil },
		}, Options{Listen: w.listen})
		require.NoError(t, err)
		t.Cleanup(ranks[rank].Kill)
	}
	body := bytes.Repeat([]byte(text), 10_000)
	got := make([]byte, len(body))
	receive := &rpi.Request{Op: rpi.OpRecv, Peer: 0, Type: 1, Elem: 1, Buf: got}
	ranks[1].Start(receive)
	send := &rpi.Request{Op: rpi.OpSend, Peer: 1, Type: 1, Elem: 1, Buf: body}
	ranks[0].Start(send)
	rpitest.Finish(t, receive)
	rpitest.Finish(t, send)
	require.Equal(t, body, got)
	return w, ranks
}

// TestWhatCanBeRead on the way of a message: with encryption neither the message nor what ranks say to each other before.
func TestWhatCanBeRead(t *testing.T) {
	const text = "attack at dawn; "
	const magic = "SCTPRPI" // of the hello
	for policy, readable := range map[seal.Policy]bool{seal.Off: true, seal.Auto: true, seal.AlwaysAuth: true, seal.AlwaysEncrypt: false} {
		t.Run(policy.String(), func(t *testing.T) {
			w, _ := tapped(t, policy, text)
			assert.Equal(t, readable, w.shows(text))
			assert.Equal(t, readable, w.shows(magic))
		})
	}
}

// TestStrangersGetSilence: those that do not know the token, and those that repeat what they have seen.
func TestStrangersGetSilence(t *testing.T) {
	plain, _ := tapped(t, seal.Off, "of another job")
	foreign, _ := tapped(t, seal.AlwaysAuth, "of a job with the same token")
	w, ranks := tapped(t, seal.AlwaysAuth, "of this job")
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
