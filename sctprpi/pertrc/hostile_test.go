package pertrc

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/handshake/handshaketest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// victim is rank 2 of a job of three, to which no other rank can be found; the test plays the others.
func victim(t testing.TB) *Transport {
	v, err := New(rpi.Config{Rank: 2, Size: 3, Token: token, Encrypt: seal.Off, Lookup: func(ctx context.Context, _ int) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}}, associations.Options{Streams: 100})
	require.NoError(t, err)
	t.Cleanup(v.Kill)
	return v
}

// newMember is rank 1 of the victim's job, and does what it likes.
func newMember(t testing.TB, v *Transport, c socket.Config) *handshaketest.Outsider {
	o := handshaketest.DialWith(t, c, v.Address())
	o.Join(handshake.Terms{Protocol: protocol, Rank: 1, Size: 3, Token: token}, 2)
	return o
}

// interleaving is what the sockets of members have.
var interleaving = socket.Config{Interleaving: true}

// frame encodes a message of tag 5, n bytes long.
func frame(seq matching.Seq, n int) []byte {
	e := header.Header{Kind: header.Eager, Tag: 5, Seq: seq, Length: uint64(n), ElemSize: 1, Type: 1}
	return append(envelope(e), make([]byte, n)...)
}

func envelope(e header.Header) []byte { return header.Append(nil, &e) }

func note(n trc.Note) []byte { return n.Append(nil) }

func receiveAny(source int) *rpi.Request {
	return request(rpi.OpRecv, source, int(matching.AnyTag), make([]byte, 1<<16))
}

// requireFailed checks that rank 1 has failed for the victim, and no other rank.
func requireFailed(t *testing.T, v *Transport, o *handshaketest.Outsider) {
	t.Helper()
	r, other := start(v, request(rpi.OpRecv, 1, 9, nil)), start(v, receiveAny(0)) // tag 9: of no message
	<-r.Done()
	require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
	var peer *rpi.PeerError
	require.ErrorAs(t, r.Err, &peer)
	require.EqualValues(t, 1, peer.Peer)
	require.ErrorContains(t, r.Err, "broke the protocol")
	require.NotEmpty(t, o.RequireCut().Reason)
	require.False(t, other.Completed())
}

// said is what a member says: a message on a stream.
type said struct {
	stream socket.StreamID
	data   []byte
}

// TestBrokenProtocol: a member of the job that sends what no correct one does loses its association; what waits for it
// ends with an error that says why.
func TestBrokenProtocol(t *testing.T) {
	eager := func(change func(*header.Header)) []byte {
		e := header.Header{Kind: header.Eager, Tag: 5, ElemSize: 1, Type: 1}
		change(&e)
		return envelope(e)
	}
	for name, all := range map[string][]said{
		"no envelope":                    {{1, []byte{1}}},
		"half an envelope":               {{1, frame(0, 4)[:20]}},
		"an envelope without its body":   {{1, frame(0, 4)[:header.Size]}},
		"a byte behind a message":        {{1, append(frame(0, 0), 1)}},
		"half a message behind another":  {{1, append(frame(0, 0), frame(1, 9)[:40]...)}},
		"unknown kind":                   {{1, eager(func(e *header.Header) { e.Kind = 99 })}},
		"a kind of another protocol":     {{1, eager(func(e *header.Header) { e.Kind = header.RTS; e.Length = 9; e.SendID = 1 })}},
		"a negative tag":                 {{1, eager(func(e *header.Header) { e.Tag = -1 })}},
		"length beyond reason":           {{1, eager(func(e *header.Header) { e.Length = 1 << 60 })}},
		"sequence number out of range":   {{1, frame(1<<64-1, 0)}},
		"two streams for a TRC":          {{1, frame(0, 0)}, {2, frame(1, 0)}},
		"another tag on the stream":      {{1, frame(0, 0)}, {1, eager(func(e *header.Header) { e.Tag, e.Seq = 6, 1 })}},
		"another context on the stream":  {{1, frame(0, 0)}, {1, eager(func(e *header.Header) { e.Context = 2 })}},
		"sequence number twice":          {{1, frame(0, 0)}, {1, frame(0, 0)}},
		"sequence numbers that go back":  {{1, frame(7, 0)}, {1, frame(6, 0)}},
		"unknown note":                   {{0, note(trc.Note{Kind: 99})}},
		"note of kind 0":                 {{0, make([]byte, trc.NoteSize)}},
		"acknowledgement of nothing":     {{0, note(trc.Note{Kind: trc.Ack, ID: 7})}},
		"void of a negative tag":         {{0, note(trc.Note{Kind: trc.Void, Tag: -1})}},
		"void twice":                     {{0, note(trc.Note{Kind: trc.Void, Tag: 5, Seq: 1})}, {0, note(trc.Note{Kind: trc.Void, Tag: 5, Seq: 1})}},
		"retraction with a negative tag": {{0, note(trc.Note{Kind: trc.Retract, Tag: -9})}},
		"refusal with a negative tag":    {{0, note(trc.Note{Kind: trc.Refusal, Tag: -9})}},
		"refusal of what comes in order": {{0, note(trc.Note{Kind: trc.Refusal, Context: rpi.InOrder})}},
		"drained unasked":                {{0, note(trc.Note{Kind: trc.Drained, ID: 1})}},
		"drained, no such stream":        {{0, note(trc.Note{Kind: trc.Drained, ID: 1 << 31})}},
		"question about the control":     {{0, note(trc.Note{Kind: trc.Reclaim})}},
		"question about no stream":       {{0, note(trc.Note{Kind: trc.Reclaim, ID: 100})}},
		"a TRC that cannot be is short":  {{0, note(trc.Note{Kind: trc.Short, Tag: -1})}},
		"a farewell":                     {{0, note(trc.Note{Kind: trc.Bye})}},
		"a sign of life":                 {{0, note(trc.Note{Kind: trc.Alive})}},
		"a last note":                    {{0, note(trc.Note{Kind: trc.GaveUp})}},
	} {
		t.Run(name, func(t *testing.T) {
			v := victim(t)
			o := newMember(t, v, interleaving)
			// Those that a receive takes leave the way free to what is behind.
			for range all {
				r := receiveAny(1)
				r.Tag = 5
				start(v, r)
			}
			for _, s := range all {
				sayAnyway(t, o, socket.Message{Stream: s.stream, Data: [][]byte{s.data}})
			}
			requireFailed(t, v, o)
		})
	}
	t.Run("unordered", func(t *testing.T) {
		v := victim(t)
		o := newMember(t, v, interleaving)
		sayAnyway(t, o, socket.Message{Stream: 3, Unordered: true, Data: [][]byte{frame(0, 4)}})
		requireFailed(t, v, o)
	})
	t.Run("no interleaving", func(t *testing.T) {
		v := victim(t)
		o := newMember(t, v, socket.Config{})
		sayAnyway(t, o, socket.Message{Stream: 3, Data: [][]byte{frame(0, 4)}})
		requireFailed(t, v, o)
	})
}

// sayAnyway sends a message on an association that the one before may have ended.
func sayAnyway(t *testing.T, o *handshaketest.Outsider, m socket.Message) {
	t.Helper()
	if _, err := o.Send(o.ID, []socket.Message{m}); !errors.Is(err, socket.ErrAssoc) {
		require.NoError(t, err)
	}
}

// TestMessagesThatEndEarly break the protocol when a receive comes upon their end, wherever that is.
func TestMessagesThatEndEarly(t *testing.T) {
	whole := frame(0, 100)
	for cut := 1; cut < len(whole); cut += 9 {
		for _, posted := range []bool{true, false} {
			v := victim(t)
			o := newMember(t, v, interleaving)
			r := receiveAny(1)
			if posted {
				start(v, r)
			}
			o.Say(1, whole[:cut])
			if !posted {
				start(v, r)
			}
			<-r.Done()
			require.ErrorContains(t, r.Err, "broke the protocol", "cut after %d bytes, posted: %v", cut, posted)
			v.Kill()
		}
	}
}

// TestHarmlessNotes come late, or concern nothing.
func TestHarmlessNotes(t *testing.T) {
	v := victim(t)
	o := newMember(t, v, interleaving)
	o.Say(1, frame(0, 4))
	do(t, v, receiveAny(1))
	for _, n := range []trc.Note{
		{Kind: trc.Retracted, ID: 7}, {Kind: trc.Kept, ID: 7}, {Kind: trc.Retract, Tag: 6, Seq: 0},
		{Kind: trc.Refusal, ID: 7, Tag: 6}, {Kind: trc.Understood, Tag: 5}, {Kind: trc.Reclaim, ID: 9, Seq: 3},
	} {
		o.Say(0, note(n))
	}
	o.Say(1, frame(1, 4))
	do(t, v, receiveAny(1))
}

// TestAMessageThatIsWantedBackNeverComes, under whatever tag.
func TestAMessageThatIsWantedBackNeverComes(t *testing.T) {
	v := victim(t)
	o := newMember(t, v, interleaving)
	o.Say(0, note(trc.Note{Kind: trc.Retract, ID: 7, Tag: 6, Seq: 0}))
	var n trc.Note
	require.NoError(t, n.Parse(o.Hear()))
	require.Equal(t, trc.Retracted, n.Kind)
	o.Say(1, frame(0, 4))
	requireFailed(t, v, o)
}

// TestNotesInPieces: how notes are cut into messages says nothing.
func TestNotesInPieces(t *testing.T) {
	v := victim(t)
	o := newMember(t, v, interleaving)
	for _, b := range note(trc.Note{Kind: trc.Reclaim, ID: 9}) {
		o.Say(0, []byte{b})
	}
	var n trc.Note
	require.NoError(t, n.Parse(o.Hear()))
	require.Equal(t, trc.Note{Kind: trc.Drained, ID: 9}, n)
}

// TestQuestionsAreAnswered, though messages overtake them, or they overtake messages. Both ends then count anew.
func TestQuestionsAreAnswered(t *testing.T) {
	v := victim(t)
	o := newMember(t, v, interleaving)
	ask := func(stream uint32, count matching.Seq) {
		o.Say(0, note(trc.Note{Kind: trc.Reclaim, ID: stream, Seq: count}))
	}
	answered := func(stream uint32, count matching.Seq) {
		t.Helper()
		var n trc.Note
		require.NoError(t, n.Parse(o.Hear()))
		require.Equal(t, trc.Note{Kind: trc.Drained, ID: stream, Seq: count}, n)
	}
	for seq := range matching.Seq(5) {
		o.Say(1, frame(seq, 4))
	}
	do(t, v, receiveAny(1))
	ask(2, 0) // after what has been read
	answered(2, 0)
	ask(1, 1) // four more are under way
	answered(1, 1)
	ask(1, 4)
	for range 4 {
		do(t, v, receiveAny(1))
	}
	answered(1, 4)

	ask(1, 2) // about two that come later
	o.Say(1, frame(5, 4))
	o.Say(1, frame(6, 4))
	do(t, v, receiveAny(1))
	do(t, v, receiveAny(1))
	answered(1, 2)
	o.Say(1, envelope(header.Header{Kind: header.Eager, Tag: 8, Seq: 7, ElemSize: 1, Type: 1})) // it is another TRC's
	require.EqualValues(t, 8, do(t, v, receiveAny(1)).Status.Tag)
}

// TestNotesAreBounded: a peer that does not take them is failed, even if some of them are being handed to the socket when
// the bound is reached.
func TestNotesAreBounded(t *testing.T) {
	ranks := openJob(t, 2, associations.Options{}, nil)
	sent := start(ranks[0], request(rpi.OpSend, 1, 1, nil))
	do(t, ranks[1], request(rpi.OpRecv, 0, 1, nil))
	<-sent.Done()
	r := start(ranks[0], request(rpi.OpRecv, 1, 1, nil))
	tr := ranks[0]
	tr.lock.Lock()
	p := tr.peer(1)
	p.notes = make([]byte, maxNotes)
	b := &batch{peer: p}
	b.addNotes(p.notes)
	p.Begin()
	for range 3 {
		carrier{tr}.Tell(1, trc.Note{Kind: trc.Void})
	}
	assert.LessOrEqual(t, len(p.notes), maxNotes+trc.NoteSize)
	tr.handed(b, 1, nil)
	p.Block() // these are no notes for a peer
	tr.lock.Unlock()
	<-r.Done()
	require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
	require.ErrorContains(t, r.Err, "does not take what it is told")
}

// TestRetractionsAreBounded: what a peer may have forgotten before it came is.
func TestRetractionsAreBounded(t *testing.T) {
	v := victim(t)
	o := newMember(t, v, interleaving)
	o.Say(1, frame(0, 0))
	do(t, v, receiveAny(1))
	const count = trc.MaxRetracted + 100
	for seq := range matching.Seq(count) {
		o.Say(0, note(trc.Note{Kind: trc.Retract, ID: 1, Tag: 5, Seq: 1 + seq}))
	}
	var heard []byte
	for seq := range matching.Seq(count) {
		for len(heard) < trc.NoteSize {
			heard = append(heard, o.Hear()...)
		}
		want, n := trc.Note{Kind: trc.Retracted, ID: 1, Tag: 5, Seq: 1 + seq}, trc.Note{}
		if seq >= trc.MaxRetracted {
			want.Kind = trc.Kept
		}
		require.NoError(t, n.Parse(heard))
		require.Equal(t, want, n)
		heard = heard[trc.NoteSize:]
	}
}

// TestStrangersAreCutOff: without the token a message is none.
func TestStrangersAreCutOff(t *testing.T) {
	v := victim(t)
	for _, stream := range []socket.StreamID{0, 1} {
		o := handshaketest.Dial(t, v.Address())
		o.Say(stream, frame(0, 4))
		o.RequireCut()
	}
	o := newMember(t, v, interleaving)
	o.Say(1, frame(0, 4))
	do(t, v, receiveAny(1))
	assert.EqualValues(t, 2, v.Rejected())
}
