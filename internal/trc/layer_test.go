package trc

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// listener is a carrier that notes what is said to the peer, and what the peer says to carriers.
type listener struct{ notes, heard []Note }

func (*listener) Open(*Outgoing)                 {}
func (*listener) Send(*Outgoing)                 {}
func (*listener) Dismiss(*Outgoing)              {}
func (*listener) Read(*Incoming)                 {}
func (l *listener) Tell(_ matching.Rank, n Note) { l.notes = append(l.notes, n) }
func (l *listener) Hear(_ *Peer, n Note) error   { l.heard = append(l.heard, n); return nil }
func (*listener) Reach(matching.Rank)            {}
func (*listener) Connected(matching.Rank) bool   { return true }
func (*listener) Moving(*Outgoing) bool          { return true }

// rig is a layer with a channel from rank 1.
type rig struct {
	*Layer
	t       *testing.T
	carrier listener
	channel Incoming
}

func newRig(t *testing.T) *rig {
	r := &rig{t: t}
	r.Layer = New(rpi.Config{Rank: 0, Size: 2}.WithDefaults(), &r.carrier, 1)
	r.channel = Incoming{Peer: r.Peer(1), Unnamed: true}
	return r
}

// comes has bytes come on the channel, as far as they are wanted. It returns how many are left.
func (r *rig) comes(b []byte) int {
	for len(b) > 0 && r.channel.Hungry() {
		place, drop, header := r.channel.Places()
		n := 0
		switch {
		case len(place) > 0:
			n = copy(place, b)
		case drop > 0:
			n = int(min(drop, uint64(len(b))))
		default:
			n = copy(header, b)
		}
		require.NoError(r.t, r.Advance(&r.channel, n))
		b = b[n:]
	}
	return len(b)
}

// envelope is that of a message of the collective operation with that tag.
func envelope(tag matching.Tag, seq matching.Seq, length int) []byte {
	return header.Append(nil, &header.Header{
		Kind: header.Eager, Context: rpi.InOrder, Tag: tag, Seq: seq, Length: uint64(length), Type: 1, ElemSize: 1,
	})
}

func (r *rig) receives(tag matching.Tag, length int) *rpi.Request {
	req := &rpi.Request{Op: rpi.OpRecv, Context: rpi.InOrder, Peer: 1, Tag: tag, Type: 1, Elem: 1, Buf: make([]byte, length)}
	r.Start(req, false)
	return req
}

// A receive waits for a later collective operation, so the message at the head is taken out of the way. Its sender wants it
// back when half of it has come.
func TestAMessageIsWantedBackWhileItIsTakenOut(t *testing.T) {
	r := newRig(t)
	require.Zero(t, r.comes(envelope(1, 0, 8)))
	later := r.receives(2, 4)
	require.Zero(t, r.comes([]byte("half")))
	require.NoError(t, r.hear(r.Peer(1), &Note{Kind: Retract, ID: 7, Context: rpi.InOrder, Tag: 0, Seq: 0}))
	require.Equal(t, []Note{{Kind: Retracted, ID: 7, Context: rpi.InOrder, Tag: 0, Seq: 0}}, r.carrier.notes)
	require.Zero(t, r.comes([]byte("rest")))
	require.True(t, r.channel.Idle())
	require.Zero(t, r.comes(append(envelope(2, 1, 4), "next"...)))
	require.True(t, later.Completed())
	require.NoError(t, later.Err)
	require.Equal(t, "next", string(later.Buf))
	require.Zero(t, r.Held)
}

// What is said of a message may overtake its first byte, on another stream.
func TestAMessageIsWantedBackBeforeItComes(t *testing.T) {
	r := newRig(t)
	retract := func(seq matching.Seq) NoteKind {
		require.NoError(t, r.hear(r.Peer(1), &Note{Kind: Retract, ID: 7, Context: rpi.InOrder, Tag: 0, Seq: seq}))
		return r.carrier.notes[len(r.carrier.notes)-1].Kind
	}
	require.Equal(t, Retracted, retract(0))
	require.Zero(t, r.comes(append(envelope(1, 0, 4), "gone"...)))
	next := r.receives(2, 4)
	require.Zero(t, r.comes(append(envelope(2, 1, 4), "next"...)))
	require.True(t, next.Completed())
	require.Equal(t, "next", string(next.Buf))
	require.Equal(t, Kept, retract(1), "it has been received")
}

// What a peer says comes in pieces of any length.
func TestNotesAreHeardAPartAtATime(t *testing.T) {
	said := []Note{{Kind: Alive}, {Kind: Void, Seq: 3}, {Kind: Reclaim, ID: 5, Tag: -1}}
	var all []byte
	for _, n := range said {
		all = n.Append(all)
	}
	for _, size := range []int{1, NoteSize - 1, NoteSize, len(all)} {
		r := newRig(t)
		var have []byte
		for b := range slices.Chunk(all, size) {
			part, err := r.Hear(r.Peer(1), append(have, b...))
			require.NoError(t, err)
			have = slices.Clone(part)
		}
		require.Empty(t, have)
		require.Equal(t, []Note{said[0], said[2]}, r.carrier.heard)
		require.EqualValues(t, len(said), r.Pending().Received)
	}
	_, err := newRig(t).Hear(&Peer{Rank: 1}, make([]byte, NoteSize))
	require.ErrorIs(t, err, rpi.ErrIntern)
}

func TestPendingSaysWhatThereWasBeforeTheEnd(t *testing.T) {
	r := newRig(t)
	require.Zero(t, r.comes(envelope(1, 0, 0)))
	open := r.receives(2, 4)
	r.Close(func() { r.End(&r.channel) })
	require.ErrorIs(t, open.Err, rpi.ErrClosed)
	for range 2 {
		s := r.Pending()
		require.Len(t, append(s.Waits, s.Open...), 1)
		require.Len(t, s.Unexpected, 1)
		clear(s.Open) // which is the caller's
	}
}
