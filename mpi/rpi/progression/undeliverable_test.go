package progression

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
)

// returned returns the ids of the sends whose messages a layer has returned.
func (t *taker) returned() (ids []uint32) {
	for _, f := range t.frames() {
		var env header.Header
		if header.Parse(&env, f.Header[:]) == nil && env.Kind == header.Undeliverable {
			ids = append(ids, env.SendID)
		}
	}
	return ids
}

// A message that a receive may take once those before it have arrived is returned only when that receive
// has another one, or none.
func TestWhatAReceiveMayTakeIsNotReturnedYet(t *testing.T) {
	for name, leave := range map[string]func(t *testing.T, l *Layer, r *rpi.Request){
		"it takes another": func(t *testing.T, l *Layer, r *rpi.Request) {
			_, err := l.Arrive(1, &header.Header{Kind: header.Eager, Tag: 4, Type: 1})
			require.NoError(t, err)
			require.EqualValues(t, 4, r.Status.Tag)
		},
		"it is cancelled": func(t *testing.T, l *Layer, r *rpi.Request) {
			l.Cancel(r)
			require.True(t, r.Status.Cancelled)
		},
		"it takes one that is arriving": func(t *testing.T, l *Layer, r *rpi.Request) {
			s, err := l.Arrive(1, &header.Header{Kind: header.Eager, Tag: 4, Length: 8, ElemSize: 1, Type: 1})
			require.NoError(t, err)
			l.Arrived(&s)
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := &taker{Layer: New(rpi.Config{Size: 3}.WithDefaults(), monitor.New(nil), InOneOrder, nil)}
			r := &rpi.Request{Op: rpi.OpRecv, Peer: matching.AnySource, Tag: matching.AnyTag, Type: 1, Elem: 1}
			r.Buf = make([]byte, 8)
			l.Start(r, false)
			l.StopReceiving()
			for i, env := range []header.Header{
				{Kind: header.RTS, Tag: 5, Seq: 1, SendID: 7, Length: 8, ElemSize: 1, Type: 1},
				{Kind: header.Eager, Sync: true, Tag: 6, Seq: 2, SendID: 8, Type: 1},
			} {
				_, err := l.Arrive(1, &env)
				require.NoError(t, err)
				require.Empty(t, l.returned(), "message %d", i)
			}
			leave(t, l.Layer, r)
			require.True(t, r.Completed())
			require.Equal(t, []uint32{7, 8}, l.returned())
			s := l.Pending()
			require.Empty(t, s.Unexpected)
			require.Len(t, s.Undeliverable, 2)
		})
	}
}

// A message that is returned while its body arrives goes nowhere, and its credit is free again.
func TestBodiesOfReturnedMessagesAreDropped(t *testing.T) {
	for name, first := range map[string]bool{"that come": true, "that are arriving": false} {
		t.Run(name, func(t *testing.T) {
			l := &taker{Layer: New(rpi.Config{Size: 2}.WithDefaults(), monitor.New(nil), InOneOrder, nil)}
			if first {
				l.StopReceiving()
			}
			env := header.Header{Kind: header.Eager, Sync: true, SendID: 3, Length: 100, ElemSize: 1, Type: 1}
			sink, err := l.Arrive(1, &env)
			require.NoError(t, err)
			l.StopReceiving()
			require.Equal(t, []uint32{3}, l.returned())
			require.EqualValues(t, 100, sink.length)
			l.Arrived(&sink)
			require.Zero(t, l.Requests.Len())
			require.Zero(t, l.peers[1].used)
		})
	}
}

// Sends that wait for credit when their receiver stops receiving, or later, fail. What needs the process all the same, in
// its collective operations, is left to wait for them.
func TestWhatWaitsForCreditIsReturned(t *testing.T) {
	const limit, messages = 8 << 10, 200
	for name, first := range map[string]bool{"before": false, "after": true} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(20) {
				n := newNetwork(seed, 2, rpi.Config{UnexpectedLimit: limit})
				if first {
					n.layers[1].StopReceiving()
				}
				var sends []*rpi.Request
				for i := range messages {
					sends = append(sends, n.send(matching.Context(i%3*4), matching.Tag(i%5)))
				}
				var inOrder []*rpi.Request
				for range messages {
					inOrder = append(inOrder, n.send(rpi.InOrder, 1))
				}
				n.deliverAll()
				n.layers[1].StopReceiving()
				n.deliverAll()
				requireEnds(t, sends, limit)
				arrived := slices.IndexFunc(inOrder, func(r *rpi.Request) bool { return !r.Completed() })
				require.Positive(t, arrived, "the others wait for credit")
				requireHeld(t, n, limit)
				s := n.layers[1].Pending()
				require.Equal(t, messages+arrived, s.Messages())

				for _, s := range inOrder {
					r := &rpi.Request{Op: rpi.OpRecv, Context: rpi.InOrder, Tag: 1, Type: 1, Elem: 1, Buf: make([]byte, 4)}
					n.layers[1].Start(r, false)
					n.deliverAll()
					require.True(t, r.Completed())
					require.NoError(t, r.Err)
					require.NoError(t, s.Err)
				}
			}
		})
	}
}

// requireEnds checks that sends have ended: as many as there was room for, and the others as undeliverable.
func requireEnds(t *testing.T, sends []*rpi.Request, limit int) {
	t.Helper()
	taken := 0
	for _, s := range sends {
		require.True(t, s.Completed())
		if s.Err == nil {
			taken++
			continue
		}
		require.Equal(t, &rpi.UndeliverableError{Peer: 1}, s.Err)
	}
	require.LessOrEqual(t, taken, limit/Overhead)
}

// send starts a short send from rank 0 to rank 1.
func (n *network) send(c matching.Context, tag matching.Tag) *rpi.Request {
	r := &rpi.Request{Op: rpi.OpSend, Context: c, Peer: 1, Tag: tag, Type: 1, Elem: 1, Buf: make([]byte, 4)}
	n.layers[0].Start(r, false)
	return r
}

// A send that is cancelled while its message is being returned ends with either.
func TestCancellingWhatIsReturned(t *testing.T) {
	outcomes := make(map[bool]int)
	for seed := range uint64(100) {
		n := newNetwork(seed, 2, rpi.Config{})
		r := &rpi.Request{Op: rpi.OpSend, Mode: rpi.Synchronous, Peer: 1, Type: 1, Elem: 1, Buf: make([]byte, 4)}
		n.layers[0].Start(r, false)
		if seed%2 == 0 {
			n.step()
		}
		n.layers[1].StopReceiving()
		for range seed % 5 {
			n.step()
		}
		n.layers[0].Cancel(r)
		n.deliverAll()
		require.True(t, r.Completed())
		require.Equal(t, r.Status.Cancelled, r.Err == nil)
		outcomes[r.Status.Cancelled]++
	}
	require.Len(t, outcomes, 2)
}

// A dead peer's messages are not returned, because it cannot be told.
func TestNothingIsReturnedToDeadPeers(t *testing.T) {
	l := &taker{Layer: New(rpi.Config{Size: 2}.WithDefaults(), monitor.New(nil), InOneOrder, nil)}
	_, err := l.Arrive(1, &header.Header{Kind: header.Eager, Sync: true, SendID: 3, Type: 1})
	require.NoError(t, err)
	l.Fail(1, rpi.ErrOther)
	l.StopReceiving()
	require.Empty(t, l.returned())
	s := l.Pending()
	require.Len(t, s.Unexpected, 1)
	require.Empty(t, s.Undeliverable)
}

// The frame of a short synchronous send is in a system call when its peer fails, and leaves entirely: no answer comes, and the send ends with
// the failure.
func TestASynchronousSendThatLeavesWhileItsPeerFails(t *testing.T) {
	l := &taker{Layer: New(rpi.Config{Size: 2}.WithDefaults(), monitor.New(nil), InOneOrder, nil)}
	r := &rpi.Request{Op: rpi.OpSend, Mode: rpi.Synchronous, Peer: 1, Type: 1, Elem: 1, Buf: make([]byte, 16)}
	l.Start(r, false)
	frames := l.frames()
	require.Len(t, frames, 1)
	l.Fail(1, rpi.ErrOther)
	require.False(t, r.Completed(), "its memory is still read")
	l.Sent(frames[0])
	require.True(t, r.Completed())
	require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
}
