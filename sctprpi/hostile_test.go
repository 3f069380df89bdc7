package sctprpi

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/handshake/handshaketest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// requireFailed checks that rank 1 has failed for the victim, and no other rank.
func requireFailed(t *testing.T, v *Transport, o *handshaketest.Outsider) {
	t.Helper()
	r, other := receiveFrom(1), receiveFrom(0)
	r.Tag = 9 // of no message
	v.Start(r)
	v.Start(other)
	<-r.Done()
	require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
	require.Regexp(t, "broke|credit", r.Err.Error())
	require.NotEmpty(t, o.RequireCut().Reason)
	require.False(t, other.Completed())
}

// TestBrokenFrames: a member of the job that sends what no correct one does loses its
// association; what waits for it ends with an error that says why.
func TestBrokenFrames(t *testing.T) {
	eager := header.Header{Kind: header.Eager, Length: 4, ElemSize: 1, Type: 1}
	for name, data := range map[string][]byte{
		"unknown kind":                   frame(header.Header{Kind: 99}),
		"half an envelope":               frame(eager)[:20],
		"body too short":                 append(frame(eager), "bod"...),
		"body too long":                  append(frame(eager), "bodyX"...),
		"half an envelope after a frame": append(append(frame(eager), "body"...), frame(eager)[:20]...),
		"half a body after a frame":      append(append(append(frame(eager), "body"...), frame(header.Header{Kind: header.Eager, Length: 4, Seq: 1, ElemSize: 1, Type: 1})...), "bod"...),
		"body of a frame without":        append(frame(header.Header{Kind: header.Ack, SendID: 1}), 1),
		"length beyond reason":           frame(header.Header{Kind: header.RTS, Length: 1 << 60, ElemSize: 1, SendID: 1}),
		"eager without credit":           frame(header.Header{Kind: header.Eager, Length: 1 << 40, ElemSize: 1}),
		"unnamed request":                frame(header.Header{Kind: header.RTS, Length: 8, ElemSize: 1}),
		"CTS for no request":             frame(header.Header{Kind: header.CTS, SendID: 7, RecvID: 1}),
		"ack for nothing":                frame(header.Header{Kind: header.Ack, SendID: 1}),
		"fragment for nothing":           append(frame(header.Header{Kind: header.Body, RecvID: 1, Length: 1}), 1),
		"credit that was not used":       frame(header.Header{Kind: header.Credit, Length: 1}),
		"retracted without being asked":  frame(header.Header{Kind: header.Retracted, SendID: 1}),
		"a farewell":                     frame(header.Header{Kind: header.Bye}),
	} {
		t.Run(name, func(t *testing.T) {
			v := victim(t)
			o := newMember(t, v)
			o.Say(3, data)
			requireFailed(t, v, o)
		})
	}
	t.Run("sequence number twice", func(t *testing.T) {
		v := victim(t)
		o := newMember(t, v)
		v.Start(receiveFrom(1))
		o.Say(3, frame(eager), []byte("body"))
		o.Say(3, frame(eager), []byte("body"))
		requireFailed(t, v, o)
	})
	t.Run("unordered", func(t *testing.T) {
		v := victim(t)
		o := newMember(t, v)
		_, err := o.Send(o.ID, []socket.Message{{Stream: 3, Unordered: true, Data: [][]byte{frame(header.Header{Kind: header.Eager})}}})
		require.NoError(t, err)
		requireFailed(t, v, o)
	})
}

// TestBrokenFragments: fragments of a long message are in order, do not overlap and end
// with the message.
func TestBrokenFragments(t *testing.T) {
	const length = 1000
	type fragment struct {
		stream         socket.StreamID
		offset, length uint64
		other          bool // of another receive
	}
	for name, fragments := range map[string][]fragment{
		"beyond the end":               {{9, 0, length + 1, false}},
		"beyond the end, second":       {{9, 0, 600, false}, {9, 600, 401, false}},
		"far beyond":                   {{9, 1 << 45, 10, false}},
		"overlapping":                  {{9, 0, 600, false}, {9, 500, 500, false}},
		"twice":                        {{9, 0, 400, false}, {9, 0, 400, false}},
		"twice on other streams":       {{9, 0, 400, false}, {10, 0, 400, false}},
		"with a gap":                   {{9, 0, 400, false}, {9, 500, 500, false}},
		"backwards":                    {{9, 500, 500, false}, {9, 0, 500, false}},
		"of no request":                {{9, 0, 400, true}},
		"after the end":                {{9, 0, length, false}, {9, 0, length, false}},
		"without bytes":                {{9, 0, 0, false}},
		"of no request after the half": {{9, 0, 400, false}, {9, 400, 100, true}},
	} {
		t.Run(name, func(t *testing.T) {
			v := victim(t)
			o := newMember(t, v)
			r := receiveFrom(1)
			r.Buf = make([]byte, length, 2*length)
			v.Start(r)
			o.Say(3, frame(header.Header{Kind: header.RTS, Length: length, ElemSize: 1, Type: 1, SendID: 1}))
			var clear header.Header
			require.NoError(t, header.Parse(&clear, o.Hear()))
			require.Equal(t, header.CTS, clear.Kind)
			for _, f := range fragments {
				id := clear.RecvID
				if f.other {
					id += 5
				}
				_, err := o.Send(o.ID, []socket.Message{{Stream: f.stream, Data: [][]byte{
					frame(header.Header{Kind: header.Body, RecvID: id, Offset: f.offset, Length: f.length}),
					make([]byte, min(f.length, 4*length)),
				}}})
				if !errors.Is(err, socket.ErrAssoc) { // the one before may have ended it
					require.NoError(t, err)
				}
			}
			<-r.Done()
			if name != "after the end" {
				require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
			}
			requireFailed(t, v, o)
		})
	}
}
