package progression

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
)

// flooded is two ranks of which the first has sent the second many short messages, numbered,
// beyond its limit, and then one with tag 1.
func flooded(t *testing.T, limit, messages int) (n *network, sends []*rpi.Request) {
	n = newNetwork(1, 2, rpi.Config{UnexpectedLimit: limit})
	for i := range messages + 1 {
		s := &rpi.Request{Op: rpi.OpSend, Peer: 1, Type: 1, Elem: 1, Buf: binary.BigEndian.AppendUint32(nil, uint32(i))}
		if i == messages {
			s.Tag = 1
		}
		sends = append(sends, s)
		n.layers[0].Start(s, false)
	}
	n.deliverAll()
	requireHeld(t, n, limit)
	return n, sends
}

// deliverAll lets everything arrive that is under way.
func (n *network) deliverAll() {
	for n.step() {
	}
}

// requireHeld checks that rank 1 holds no more messages than its limit has room for.
func requireHeld(t *testing.T, n *network, limit int) {
	_, unexpected := n.layers[1].Match.Depth()
	require.LessOrEqual(t, unexpected, limit/Overhead)
	require.LessOrEqual(t, n.layers[1].peers[0].used, int64(limit))
}

// take receives a message with that tag, and returns its number.
func take(t *testing.T, n *network, tag matching.Tag) int {
	t.Helper()
	r := &rpi.Request{Op: rpi.OpRecv, Peer: matching.AnySource, Tag: tag, Type: 1, Elem: 1, Buf: make([]byte, 4)}
	n.layers[1].Start(r, false)
	n.deliverAll()
	require.True(t, r.Completed())
	require.NoError(t, r.Err)
	return int(binary.BigEndian.Uint32(r.Buf))
}

// TestAnnouncementsTakeCredit: a flood of messages costs their receiver no more than its limit,
// however short they are, and no receive starves because of it.
func TestAnnouncementsTakeCredit(t *testing.T) {
	const limit, messages = 8 << 10, 1000
	for name, tags := range map[string][]matching.Tag{
		"in order":                   {0},
		"with any tag":               {matching.AnyTag},
		"the last first, then all":   {1, 0},
		"the last among the others":  {0, 0, 0, 1, matching.AnyTag},
		"when there is no room left": {matching.AnyTag, 1, 0},
	} {
		t.Run("received "+name, func(t *testing.T) {
			n, sends := flooded(t, limit, messages)
			next := 0
			for i := 0; i < messages; i++ {
				tag := tags[min(i, len(tags)-1)]
				switch got := take(t, n, tag); {
				case tag == 1:
					require.Equal(t, messages, got)
				default:
					require.Equal(t, next, got)
					next++
				}
				requireHeld(t, n, limit)
			}
			n.deliverAll()
			left := 0
			for _, s := range sends {
				if !s.Completed() {
					left++
				}
			}
			require.LessOrEqual(t, left, 1)
		})
	}
	t.Run("with a limit below that of one message", func(t *testing.T) {
		n, _ := flooded(t, Overhead-1, 100)
		require.Equal(t, 100, take(t, n, 1))
		for i := range 100 {
			require.Equal(t, i, take(t, n, 0))
		}
	})
	t.Run("and those that are held can be cancelled", func(t *testing.T) {
		n, sends := flooded(t, limit, messages)
		require.Equal(t, messages, take(t, n, 1))
		for _, s := range sends[messages/2 : messages] {
			n.layers[0].Cancel(s)
			require.True(t, s.Status.Cancelled)
		}
		for i := range messages / 2 {
			require.Equal(t, i, take(t, n, matching.AnyTag))
		}
		_, found, _ := n.layers[1].Iprobe(0, matching.AnySource, matching.AnyTag)
		require.False(t, found)
	})
	t.Run("and end with their receiver", func(t *testing.T) {
		n, sends := flooded(t, limit, messages)
		n.layers[0].Fail(1, rpi.ErrOther)
		n.layers[1].Fail(0, rpi.ErrOther)
		require.ErrorIs(t, sends[messages-1].Err, rpi.ErrProcFailed)
		require.Zero(t, n.layers[0].Requests.Len())
		require.Zero(t, n.layers[1].holders)
	})
	t.Run("and with their sender", func(t *testing.T) {
		n, sends := flooded(t, limit, messages)
		n.layers[0].Close()
		require.ErrorIs(t, sends[messages-1].Err, rpi.ErrClosed)
	})
}

// TestAnnouncementsBeyondTheCreditAreRefused: no peer can take more than its share, not even with
// answers to demands.
func TestAnnouncementsBeyondTheCreditAreRefused(t *testing.T) {
	announce := func(seq int, answer header.Answer) *header.Header {
		return &header.Header{Kind: header.RTS, Seq: matching.Seq(seq), Length: 1, ElemSize: 1, Type: 1, SendID: 1, Answer: answer}
	}
	newVictim := func(t *testing.T) *Layer {
		l := New(rpi.Config{Size: 2, UnexpectedLimit: 4 * Overhead}.WithDefaults(), monitor.New(nil), InOneOrder, nil)
		for seq := range 4 {
			_, err := l.Arrive(1, announce(seq, header.Unasked))
			require.NoError(t, err)
		}
		return l
	}
	for name, env := range map[string]*header.Header{
		"without a demand":         announce(4, header.Unasked),
		"with a demand of its own": announce(4, header.ToTag),
		"with another":             announce(4, header.ToAnyTag),
		"nothing, unasked":         {Kind: header.None},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := newVictim(t).Arrive(1, env)
			require.ErrorContains(t, err, "rank 1 of the job broke the protocol")
		})
	}
	t.Run("a demand is answered once", func(t *testing.T) {
		l := newVictim(t)
		_, err := l.Arrive(1, &header.Header{Kind: header.Held, Tag: 9})
		require.NoError(t, err)
		l.Start(&rpi.Request{Op: rpi.OpRecv, Peer: 1, Tag: 9, Type: 1, Elem: 1, Buf: make([]byte, 1)}, false)
		answer := announce(4, header.ToTag)
		answer.Tag = 9
		_, err = l.Arrive(1, answer)
		require.NoError(t, err)
		answer.Seq++
		_, err = l.Arrive(1, answer)
		require.ErrorContains(t, err, "without credit that was not demanded")
	})
	t.Run("demands are not taken without end", func(t *testing.T) {
		l := newVictim(t)
		for range maxDenied {
			_, err := l.Arrive(1, &header.Header{Kind: header.Demand})
			require.NoError(t, err)
		}
		_, err := l.Arrive(1, &header.Header{Kind: header.Demand})
		require.ErrorContains(t, err, "does not take the answers")
	})
}
