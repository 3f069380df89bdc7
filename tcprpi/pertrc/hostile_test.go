package pertrc

import (
	"context"
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake/handshaketest"
)

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

// greeting is the hello of rank 1.
func greeting(purpose uint8, tag matching.Tag) handshake.Hello {
	return handshake.Hello{Purpose: purpose, To: 2, Tag: tag}
}

// initiate tries to connect to the victim as rank 1.
func initiate(t *testing.T, v *Transport, h handshake.Hello) (*handshaketest.Conn, handshake.Result, error) {
	return handshaketest.Initiate(t, handshaketest.Rank(t, v.cfg, handshake.PerTRC, v.Address()), h)
}

// join connects to the victim as rank 1.
func join(t *testing.T, v *Transport, h handshake.Hello) net.Conn {
	t.Helper()
	nc, result, err := initiate(t, v, h)
	require.NoError(t, err)
	require.Equal(t, handshake.Accepted, result)
	return nc
}

func receiveAny(source int) *rpi.Request {
	return request(rpi.OpRecv, source, int(matching.AnyTag), make([]byte, 1<<16))
}

func eager(seq matching.Seq, n uint64) []byte {
	b := header.Append(nil, &header.Header{Kind: header.Eager, Tag: 5, Seq: seq, Length: n, ElemSize: 1, Type: 1})
	return append(b, make([]byte, min(n, 1<<16))...)
}

func TestUnauthenticatedPeersAreCutOff(t *testing.T) {
	v := victim(t, nil)
	handshaketest.Unauthenticated(t, v.cfg, handshake.PerTRC, v.Address(), greeting(forControl, 0))
	handshaketest.Unauthenticated(t, v.cfg, handshake.PerTRC, v.Address(), greeting(forMessages, 5))
	r := start(v, receiveAny(1))
	join(t, v, greeting(forControl, 0))
	join(t, v, greeting(forMessages, 5)).Write(eager(0, 4))
	<-r.Done()
	require.NoError(t, r.Err)
}

func TestConnectionsThatMakeNoSense(t *testing.T) {
	v := victim(t, nil)
	inOrder := greeting(forMessages, 5)
	inOrder.Context = rpi.InOrder
	other := greeting(forControl, 0)
	other.Setting = 1
	for name, h := range map[string]handshake.Hello{
		"messages before there is a control connection": greeting(forMessages, 5),
		"an unknown purpose":                            greeting(9, 0),
		"another setting":                               other,
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := initiate(t, v, h)
			require.ErrorIs(t, err, handshake.ErrMismatch)
		})
	}
	join(t, v, greeting(forControl, 0))
	for name, h := range map[string]handshake.Hello{
		"a second control connection": greeting(forControl, 0),
		"any tag":                     greeting(forMessages, matching.AnyTag),
		"a tag where messages share a connection": inOrder,
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := initiate(t, v, h)
			require.ErrorIs(t, err, handshake.ErrMismatch)
		})
	}
}

// A member of the job that sends what no correct one does loses its
// connections; what waits for it ends with an error that says why.
func TestBrokenProtocol(t *testing.T) {
	say := func(n trc.Note) []byte { return n.Append(nil) }
	envelope := func(e header.Header) []byte { return header.Append(nil, &e) }
	for name, c := range map[string]struct{ messages, control []byte }{
		"unknown kind of frame":          {messages: envelope(header.Header{Kind: 99, Tag: 5})},
		"frame of another protocol":      {messages: envelope(header.Header{Kind: header.Credit, Tag: 5, Length: 1})},
		"another tag":                    {messages: envelope(header.Header{Kind: header.Eager, Tag: 6})},
		"another context":                {messages: envelope(header.Header{Kind: header.Eager, Tag: 5, Context: 2})},
		"length beyond reason":           {messages: envelope(header.Header{Kind: header.Eager, Tag: 5, Length: 1 << 60, ElemSize: 1})},
		"sequence number twice":          {messages: append(eager(0, 4), eager(0, 4)...)},
		"sequence number out of range":   {messages: eager(1<<64-1, 4)},
		"unknown note":                   {control: say(trc.Note{Kind: 99})},
		"acknowledgement of nothing":     {control: say(trc.Note{Kind: trc.Ack, ID: 7})},
		"void of a negative tag":         {control: say(trc.Note{Kind: trc.Void, Tag: -1})},
		"void twice":                     {control: append(say(trc.Note{Kind: trc.Void, Tag: 5, Seq: 1}), say(trc.Note{Kind: trc.Void, Tag: 5, Seq: 1})...)},
		"retraction of a void message":   {control: append(say(trc.Note{Kind: trc.Void, Tag: 5, Seq: 1}), say(trc.Note{Kind: trc.Retract, Tag: 5, Seq: 1})...)},
		"retraction with a negative tag": {control: say(trc.Note{Kind: trc.Retract, Tag: -9})},
		"refusal with a negative tag":    {control: say(trc.Note{Kind: trc.Refusal, Tag: -9})},
		"refusal of what comes in order": {control: say(trc.Note{Kind: trc.Refusal, Context: rpi.InOrder})},
	} {
		t.Run(name, func(t *testing.T) {
			v := victim(t, nil)
			control := join(t, v, greeting(forControl, 0))
			messages := join(t, v, greeting(forMessages, 5))
			if name == "sequence number twice" {
				start(v, receiveAny(1))
			}
			messages.Write(c.messages)
			control.Write(c.control)
			r, other := start(v, receiveAny(1)), start(v, receiveAny(0))
			<-r.Done()
			require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
			require.ErrorContains(t, r.Err, "broke the protocol")
			_, err := io.ReadAll(control)
			if err != nil {
				require.ErrorContains(t, err, "reset")
			}
			require.False(t, other.Completed())
		})
	}
}

// Notes that come late, or concern nothing, do no harm. A retraction of the message that
// comes then would be no such note, whatever its tag.
func TestHarmlessNotes(t *testing.T) {
	v := victim(t, nil)
	control := join(t, v, greeting(forControl, 0))
	for _, n := range []trc.Note{
		{Kind: trc.Retracted, ID: 7}, {Kind: trc.Kept, ID: 7}, {Kind: trc.Reclaim, Tag: 5}, {Kind: trc.Reclaim, Tag: -1}, {Kind: trc.Retract, Tag: 6, Seq: 9},
		{Kind: trc.Refusal, ID: 7, Tag: 6}, {Kind: trc.Understood, Tag: 5},
	} {
		control.Write(n.Append(nil))
	}
	r := start(v, receiveAny(1))
	join(t, v, greeting(forMessages, 5)).Write(eager(0, 4))
	<-r.Done()
	require.NoError(t, r.Err)
}

// A peer refuses no message of which it has got nothing.
func TestRefusalOfWhatHasNotLeft(t *testing.T) {
	v := victim(t, nil) // it does not learn where its peers are
	control := join(t, v, greeting(forControl, 0))
	r := start(v, request(rpi.OpSend, 1, 5, make([]byte, 4)))
	n := trc.Note{Kind: trc.Refusal, Tag: 5}
	control.Write(n.Append(nil))
	<-r.Done()
	require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
	require.ErrorContains(t, r.Err, "broke the protocol: it refused send 0")
}

// What a peer may have forgotten before it came is bounded.
func TestRetractionsAreBounded(t *testing.T) {
	v := victim(t, nil)
	control := join(t, v, greeting(forControl, 0))
	join(t, v, greeting(forMessages, 5))
	const count = trc.MaxRetracted + 100
	var all []byte
	for seq := range matching.Seq(count) {
		n := trc.Note{Kind: trc.Retract, ID: 1, Tag: 5, Seq: 1 + seq}
		all = n.Append(all)
	}
	control.Write(all)
	answer := make([]byte, trc.NoteSize)
	for seq := range matching.Seq(count) {
		_, err := io.ReadFull(control, answer)
		require.NoError(t, err)
		want, n := trc.Note{Kind: trc.Retracted, ID: 1, Tag: 5, Seq: 1 + seq}, trc.Note{}
		if seq >= trc.MaxRetracted {
			want.Kind = trc.Kept
		}
		require.NoError(t, n.Parse(answer))
		require.Equal(t, want, n)
	}
}

// The connection ends within a message: the peer counts as dead.
func TestTruncatedStream(t *testing.T) {
	whole := eager(0, 100)
	for cut := 1; cut < len(whole); cut += 13 {
		for _, posted := range []bool{true, false} {
			v := victim(t, nil)
			r := receiveAny(1)
			if posted {
				start(v, r)
			}
			join(t, v, greeting(forControl, 0))
			messages := join(t, v, greeting(forMessages, 5))
			messages.Write(whole[:cut])
			messages.Close()
			if !posted {
				start(v, r)
			}
			<-r.Done()
			require.ErrorIs(t, r.Err, rpi.ErrProcFailed, "cut after %d bytes", cut)
			v.Kill()
		}
	}
}

// A connection that ends between two messages is no failure.
func TestConnectionsMayEndBetweenMessages(t *testing.T) {
	v := victim(t, nil)
	join(t, v, greeting(forControl, 0))
	for seq := range matching.Seq(5) {
		messages := join(t, v, greeting(forMessages, 5))
		messages.Write(eager(seq, 4))
		messages.Close()
		if seq%2 == 0 {
			continue // the next connection comes before this message is received
		}
		do(t, v, receiveAny(1))
		do(t, v, receiveAny(1))
	}
	do(t, v, receiveAny(1))
}

// Bytes that arrive one at a time make the same messages.
func TestDribble(t *testing.T) {
	v := victim(t, nil)
	join(t, v, greeting(forControl, 0))
	messages := join(t, v, greeting(forMessages, 5))
	var stream []byte
	const count = 20
	for i := range count {
		stream = append(stream, eager(matching.Seq(i), 4)...)
		stream[len(stream)-1] = byte(i)
	}
	for i := range stream {
		_, err := messages.Write(stream[i : i+1])
		require.NoError(t, err)
	}
	for i := range count {
		r := do(t, v, receiveAny(1))
		require.EqualValues(t, 4, r.Status.Length)
		require.Equal(t, byte(i), r.Buf[3])
	}
}

// A peer that takes connections and never answers is given up after the
// connect timeout.
func TestSilentPeer(t *testing.T) {
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer mute.Close()
	v := victim(t, func(cfg *rpi.Config) {
		cfg.ConnectTimeout = 50 * time.Millisecond
		cfg.Lookup = func(context.Context, int) (string, error) { return mute.Addr().String(), nil }
	})
	s := start(v, request(rpi.OpSend, 1, 0, nil))
	<-s.Done()
	require.ErrorIs(t, s.Err, rpi.ErrProcFailed)
	require.ErrorContains(t, s.Err, mute.Addr().String())
	require.ErrorContains(t, s.Err, "rank 2")
}

// A receive that begins while the transport is killed connects to no one: its end is about to come.
func TestNoConnectionIsBegunAtTheEnd(t *testing.T) {
	v := victim(t, nil)
	v.lock.Lock()
	defer v.lock.Unlock()
	v.life.Over = true
	v.contact(&v.peers[1])
	require.False(t, v.peers[1].dialing)
	v.life.Over = false
	v.contact(&v.peers[1])
	require.True(t, v.peers[1].dialing)
}
