package perpair

import (
	"context"
	"fmt"
	"io"
	"net"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake/handshaketest"
)

var token = []byte("secret")

// victim is rank 2 of a job of three; the test plays the others.
func victim(t *testing.T, vary func(*rpi.Config)) *Transport {
	cfg := rpi.Config{Rank: 2, Size: 3, Token: token, Lookup: func(ctx context.Context, _ int) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}}
	if vary != nil {
		vary(&cfg)
	}
	tr, err := Open(cfg)
	require.NoError(t, err)
	t.Cleanup(tr.Kill)
	return tr.(*Transport)
}

// member connects to the victim as rank 1, which knows the token.
func member(t *testing.T, v *Transport) net.Conn {
	nc, result, err := handshaketest.Initiate(t, handshaketest.Rank(t, v.cfg, handshake.PerPair, v.Address()), hello(v.cfg, 2))
	require.NoError(t, err)
	require.Equal(t, handshake.Accepted, result)
	return nc
}

func receiveFrom(source int) *rpi.Request {
	return &rpi.Request{Op: rpi.OpRecv, Peer: matching.Rank(source), Tag: matching.AnyTag, Buf: make([]byte, 1<<16), Type: 1, Elem: 1}
}

func TestUnauthenticatedPeersAreCutOff(t *testing.T) {
	v := victim(t, nil)
	handshaketest.Unauthenticated(t, v.cfg, handshake.PerPair, v.Address(), hello(v.cfg, 2))
	t.Run("the job does not notice", func(t *testing.T) {
		r := receiveFrom(1)
		v.Start(r)
		nc := member(t, v)
		nc.Write(header.Append(nil, &header.Header{Kind: header.Eager, Type: 1}))
		<-r.Done()
		require.NoError(t, r.Err)
	})
}

func TestSettingsMustBeAlike(t *testing.T) {
	v := victim(t, nil)
	cfg := v.cfg
	cfg.UnexpectedLimit *= 2
	_, _, err := handshaketest.Initiate(t, handshaketest.Rank(t, cfg, handshake.PerPair, v.Address()), hello(cfg, 2))
	require.ErrorIs(t, err, handshake.ErrMismatch)
}

// TestDialerThatDoesNotKnow that its connection was accepted makes another one.
func TestDialerThatDoesNotKnow(t *testing.T) {
	for what, breaks := range handshaketest.Breaks {
		for _, dials := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, the acceptor dials too: %v", what, dials), func(t *testing.T) {
				v := victim(t, nil)
				r := receiveFrom(1)
				v.Start(r)
				s := &rpi.Request{Op: rpi.OpSend, Peer: 1}
				if dials { // in vain, as the address of the peer is not known
					v.Start(s)
				}
				self := handshaketest.Rank(t, v.cfg, handshake.PerPair, v.Address())
				breaks(t, self, hello(v.cfg, 2), func(nc *net.TCPConn) {
					pending := handshake.NewGate(100).Enter(t.Context(), nc)
					v.server().Receive(nc, pending)
				})
				require.False(t, r.Completed())
				nc := member(t, v)
				nc.Write(header.Append(nil, &header.Header{Kind: header.Eager, Type: 1}))
				<-r.Done()
				require.NoError(t, r.Err)
				if dials {
					<-s.Done()
					require.NoError(t, s.Err)
				}
			})
		}
	}
}

// TestBrokenFrames: a member of the job that sends what no correct one does
// loses its connection; what waits for it ends with an error that says why.
func TestBrokenFrames(t *testing.T) {
	frame := func(e header.Header) []byte { return header.Append(nil, &e) }
	eager := header.Header{Kind: header.Eager, Length: 4, ElemSize: 1, Type: 1}
	for name, bytes := range map[string][]byte{
		"unknown kind":                  frame(header.Header{Kind: 99}),
		"sequence number twice":         append(append(frame(eager), "body"...), append(frame(eager), "body"...)...),
		"length beyond reason":          frame(header.Header{Kind: header.RTS, Length: 1 << 60, ElemSize: 1, SendID: 1}),
		"eager without credit":          frame(header.Header{Kind: header.Eager, Length: 1 << 40, ElemSize: 1}),
		"unnamed request":               frame(header.Header{Kind: header.RTS, Length: 8, ElemSize: 1}),
		"CTS for no request":            frame(header.Header{Kind: header.CTS, SendID: 7, RecvID: 1}),
		"ack for nothing":               frame(header.Header{Kind: header.Ack, SendID: 1}),
		"body for nothing":              frame(header.Header{Kind: header.Body, RecvID: 1, Length: 10}),
		"credit that was not used":      frame(header.Header{Kind: header.Credit, Length: 1}),
		"credit beyond all bounds":      frame(header.Header{Kind: header.Credit, Length: 1 << 45}),
		"retracted without being asked": frame(header.Header{Kind: header.Retracted, SendID: 1}),
	} {
		t.Run(name, func(t *testing.T) {
			v := victim(t, nil)
			nc := member(t, v)
			if name == "sequence number twice" {
				first := receiveFrom(1)
				v.Start(first)
			}
			nc.Write(bytes)
			r := receiveFrom(1)
			v.Start(r)
			other := receiveFrom(0)
			v.Start(other)
			<-r.Done()
			require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
			require.Regexp(t, "broke|credit", r.Err.Error())
			handshaketest.RequireCut(t, nc)
			require.False(t, other.Completed())
		})
	}
}

// TestTruncatedStream: the connection ends in the middle of a message.
func TestTruncatedStream(t *testing.T) {
	whole := append(header.Append(nil, &header.Header{Kind: header.Eager, Length: 100, ElemSize: 1, Type: 1}), make([]byte, 100)...)
	for cut := 1; cut < len(whole); cut += 13 {
		for _, posted := range []bool{true, false} {
			v := victim(t, nil)
			r := receiveFrom(1)
			if posted {
				v.Start(r)
			}
			nc := member(t, v)
			nc.Write(whole[:cut])
			nc.Close()
			if !posted {
				v.Start(r)
			}
			<-r.Done()
			require.ErrorIs(t, r.Err, rpi.ErrProcFailed, "cut after %d bytes", cut)
			v.Kill()
		}
	}
}

// TestDribble: bytes that arrive one at a time make the same messages.
func TestDribble(t *testing.T) {
	v := victim(t, nil)
	nc := member(t, v)
	var stream []byte
	const count = 20
	for i := range count {
		stream = header.Append(stream, &header.Header{
			Kind: header.Eager, Seq: matching.Seq(i), Length: 5, ElemSize: 1, Type: 1,
		})
		stream = append(stream, "body "[:4]...)
		stream = append(stream, byte(i))
	}
	for i := range stream {
		_, err := nc.Write(stream[i : i+1])
		require.NoError(t, err)
	}
	for i := range count {
		r := receiveFrom(1)
		v.Start(r)
		<-r.Done()
		require.NoError(t, r.Err)
		require.Equal(t, append([]byte("body"), byte(i)), r.Buf[:5])
	}
}

// TestSilentPeer: a peer that takes connections and never answers is given up
// after the connect timeout.
func TestSilentPeer(t *testing.T) {
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer mute.Close()
	v := victim(t, func(cfg *rpi.Config) {
		cfg.ConnectTimeout = 50 * time.Millisecond
		cfg.Lookup = func(context.Context, int) (string, error) { return mute.Addr().String(), nil }
	})
	s := &rpi.Request{Op: rpi.OpSend, Peer: 1}
	v.Start(s)
	<-s.Done()
	require.ErrorIs(t, s.Err, rpi.ErrProcFailed)
	require.ErrorContains(t, s.Err, mute.Addr().String())
	require.ErrorContains(t, s.Err, "rank 2")
}

// TestStalledReader: a peer that stops reading delays its own messages and no others.
func TestStalledReader(t *testing.T) {
	v := victim(t, func(cfg *rpi.Config) { cfg.EagerLimit = 1 << 20; cfg.UnexpectedLimit = 1 << 30 })
	stalled := member(t, v)
	var blocked []*rpi.Request
	for range 64 { // more than any socket buffer holds
		s := &rpi.Request{Op: rpi.OpSend, Peer: 1, Type: 1, Elem: 1, Buf: make([]byte, 1<<20)}
		blocked = append(blocked, s)
		v.Start(s)
	}
	last := blocked[len(blocked)-1]
	require.False(t, last.Completed())

	self := &rpi.Request{Op: rpi.OpSend, Peer: 2}
	v.Start(self)
	<-self.Done()

	go io.Copy(io.Discard, stalled)
	<-last.Done()
	require.NoError(t, last.Err)
}

// TestGoroutines: the number of goroutines does not depend on that of the
// connections.
func TestGoroutines(t *testing.T) {
	const n = 24
	ranks := make([]rpi.Transport, n)
	for rank := range n {
		tr, err := Open(rpi.Config{Rank: rank, Size: n, Lookup: func(_ context.Context, peer int) (string, error) {
			return ranks[peer].Address(), nil
		}})
		require.NoError(t, err)
		ranks[rank] = tr
		t.Cleanup(tr.Kill)
	}
	before := runtime.NumGoroutine()
	var all sync.WaitGroup
	for _, tr := range ranks {
		all.Go(func() { assert.NoError(t, tr.Connect(t.Context())) })
	}
	all.Wait()
	// What made the connections ends by itself.
	for end := time.Now().Add(time.Minute); runtime.NumGoroutine() > before; runtime.Gosched() {
		require.True(t, time.Now().Before(end), "%d goroutines, %d before the connections were made", runtime.NumGoroutine(), before)
	}
}
