package pertrc

import (
	"math/rand/v2"
	"net"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// in puts a request into a context.
func in(c matching.Context, r *rpi.Request) *rpi.Request {
	r.Context = c
	return r
}

// exchange sends a message in a context from rank 0 to rank 1.
func exchange(t *testing.T, ranks []*Transport, c matching.Context, tag int) {
	r := start(ranks[1], in(c, request(rpi.OpRecv, 0, tag, make([]byte, 3))))
	do(t, ranks[0], in(c, request(rpi.OpSend, 1, tag, text(tag))))
	<-r.Done()
	require.NoError(t, r.Err)
	require.Equal(t, text(tag), r.Buf)
}

// release ends a context in all ranks, and waits until so many connections of rank 0 can be handed on.
func release(t *testing.T, ranks []*Transport, c matching.Context, spare int) {
	for _, tr := range ranks {
		tr.Release(c)
	}
	eventually(t, "connections are not vouched for", func() bool {
		n := 0
		locked(ranks[0], func(*descriptors) {
			for o := range ranks[0].peers[1].kept.All() {
				if o.vouched == o.sent {
					n++
				}
			}
		})
		return n == spare
	})
}

// Communicators that are made and freed use the same connections, whichever tags they have.
func TestConnectionsOfReleasedContextsAreHandedOn(t *testing.T) {
	for what, order := range map[string]matching.Context{"messages": 0, "collective operations": rpi.InOrder} {
		t.Run(what, func(t *testing.T) {
			ranks := pairUp(t)
			for i := range 30 {
				c := matching.Context(2*i+2) | order
				for range 3 {
					exchange(t, ranks, c, i)
				}
				release(t, ranks, c, 1)
			}
			for _, tr := range ranks {
				require.EqualValues(t, 1+1, tr.Counters().Opened)
			}
		})
	}
}

// What has been released and not handed on is bounded.
func TestReleasedConnectionsAreBounded(t *testing.T) {
	ranks := pairUp(t)
	for tag := range 3 * maxKept {
		exchange(t, ranks, 2, tag)
	}
	release(t, ranks, 2, maxKept)
	for _, tr := range ranks {
		eventually(t, "connections remain", func() bool { return tr.Counters().Open == 1+maxKept })
	}
}

// A connection whose messages have not been taken is not handed on, so nothing waits behind them: where the receiver has not released
// the context, and where it has not even received.
func TestConnectionsInUseAreNotHandedOn(t *testing.T) {
	ranks := pairUp(t)
	exchange(t, ranks, 2, 5)
	do(t, ranks[0], in(2, request(rpi.OpSend, 1, 5, text(6)))) // is received at the end
	ranks[0].Release(2)
	exchange(t, ranks, 4, 5)
	require.EqualValues(t, 1+2, ranks[0].Counters().Opened)
	r := do(t, ranks[1], in(2, request(rpi.OpRecv, 0, 5, make([]byte, 3))))
	require.Equal(t, text(6), r.Buf)
	release(t, ranks, 2, 1)
	exchange(t, ranks, 6, 5)
	require.EqualValues(t, 1+2, ranks[0].Counters().Opened)
}

// A receiver may vouch for a connection that its sender goes on using.
func TestSendersGoOnAfterAVoucher(t *testing.T) {
	ranks := pairUp(t)
	exchange(t, ranks, 2, 5)
	ranks[1].Release(2)
	eventually(t, "no voucher", func() (vouched bool) {
		locked(ranks[0], func(*descriptors) {
			for o := range ranks[0].peers[1].outgoing() {
				vouched = o.vouched == 1
			}
		})
		return vouched
	})
	exchange(t, ranks, 2, 5)
	require.EqualValues(t, 1+1, ranks[0].Counters().Opened)
}

// A TRC may have messages on a connection that has ended, and then on one that was another's. It is read in that order.
func TestTheConnectionThatIsHandedOnComesLast(t *testing.T) {
	ranks := pairUp(t)
	v := ranks[0]
	for i := range 2 { // on a connection of its own, and not received yet
		do(t, v, in(4, request(rpi.OpSend, 1, 7, text(i))))
	}
	exchange(t, ranks, 2, 5)
	release(t, ranks, 2, 1)
	locked(v, func(*descriptors) { v.dismiss(v.peers[1].Out[trc.Key{Context: 4, Tag: 7}].Channel.(*outgoing)) })
	for i := range 2 {
		do(t, v, in(4, request(rpi.OpSend, 1, 7, text(2+i))))
	}
	require.EqualValues(t, 1+2, v.Counters().Opened)
	for i := range 4 {
		r := do(t, ranks[1], in(4, request(rpi.OpRecv, 0, 7, make([]byte, 3))))
		require.Equal(t, text(i), r.Buf)
	}
}

// message is one in a context.
func message(c matching.Context, seq matching.Seq, body byte) []byte {
	b := header.Append(nil, &header.Header{Kind: header.Eager, Context: c, Tag: 5, Seq: seq, Length: 1, ElemSize: 1, Type: 1})
	return append(b, body)
}

// vouched returns a victim that has vouched for a connection of rank 1, and both connections with it.
func vouched(t *testing.T) (v *Transport, control, spare net.Conn) {
	v = victim(t, nil)
	control = join(t, v, greeting(forControl, 0))
	h := greeting(forMessages, 5)
	h.Context, h.Number = 2, 7
	spare = join(t, v, h)
	spare.Write(message(2, 0, 'a'))
	do(t, v, in(2, receiveAny(1)))
	v.Release(2)
	require.Equal(t, trc.Note{Kind: trc.Drained, ID: 7, Context: 2, Tag: 5, Seq: 1}, hear(t, control))
	return v, control, spare
}

// expect receives messages of rank 1 in a context.
func expect(t *testing.T, v *Transport, c matching.Context, bodies string) {
	for i := range bodies {
		require.Equal(t, bodies[i], do(t, v, in(c, receiveAny(1))).Buf[0])
	}
}

// The next connection of a TRC may be there before the first message on the one that was handed on to it.
func TestTheNextConnectionWaitsForTheOneThatWasHandedOn(t *testing.T) {
	v, _, spare := vouched(t)
	h := greeting(forMessages, 5)
	h.Context, h.Number, h.After = 4, 8, 7
	next := join(t, v, h)
	next.Write(message(4, 1, 'c'))
	next.Close()
	spare.Write(message(4, 0, 'b'))
	spare.Close()
	expect(t, v, 4, "bc")
}

// A hello may name a connection that has ended, or never was.
func TestConnectionsAfterNone(t *testing.T) {
	v, _, spare := vouched(t)
	spare.Close()
	for i, after := range []uint32{7, 99} {
		h := greeting(forMessages, 5)
		h.Context, h.Number, h.After = matching.Context(4+2*i), 8, after
		join(t, v, h).Write(message(h.Context, 0, 'b'))
		expect(t, v, h.Context, "b")
	}
}

// What a peer has sent on such a connection before it finalized is received, though it is not known yet for which TRC.
func TestMessageOfAFinalizedPeerOnAConnectionThatWasHandedOn(t *testing.T) {
	v, control, spare := vouched(t)
	r := start(v, in(4, receiveAny(1)))
	control.Write((&trc.Note{Kind: trc.Bye}).Append(nil))
	eventually(t, "no farewell", func() (gone bool) {
		locked(v, func(*descriptors) { gone = v.failed(&v.peers[1]) != nil })
		return gone
	})
	require.False(t, r.Completed())
	spare.Write(message(4, 0, 'b'))
	<-r.Done()
	require.NoError(t, r.Err)
	last := start(v, in(4, receiveAny(1)))
	spare.Close()
	<-last.Done()
	require.ErrorIs(t, last.Err, rpi.ErrFinalized)
}

// Peers ask for the end of a connection that no TRC has by its number.
func TestSpareConnectionsAreReclaimed(t *testing.T) {
	ranks := pairUp(t)
	exchange(t, ranks, 2, 5)
	release(t, ranks, 2, 1)
	locked(ranks[1], func(*descriptors) { ranks[1].reclaimIdle() })
	for _, tr := range ranks {
		eventually(t, "the connection remains", func() bool { return tr.Counters().Open == 1 })
	}
	exchange(t, ranks, 4, 5)
}

// A member of the job that sends what no correct one does on such a connection.
func TestBrokenProtocolOnASpareConnection(t *testing.T) {
	whole := message(4, 0, 'b')
	for name, bytes := range map[string][]byte{
		"half an envelope": whole[:10],
		"half a message":   whole[:len(whole)-1],
		"any tag":          header.Append(nil, &header.Header{Kind: header.Eager, Context: 4, Tag: matching.AnyTag, Length: 1, ElemSize: 1}),
		"no message":       header.Append(nil, &header.Header{Kind: header.Credit, Context: 4, Tag: 5, Length: 1}),
		"garbage":          make([]byte, header.Size),
	} {
		t.Run(name, func(t *testing.T) {
			v, _, spare := vouched(t)
			r := start(v, in(4, receiveAny(1)))
			spare.Write(bytes)
			spare.Close()
			<-r.Done()
			require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
		})
	}
}

// A peer may vouch for what this process has not sent, or has closed: that changes nothing.
func TestVouchersForNothing(t *testing.T) {
	c, v, s := called(t)
	nc, visit := c.visited()
	messages := c.accepts(nc, visit)
	c.receives(messages)
	<-s.Done()
	for _, n := range []trc.Note{
		{Kind: trc.Drained, ID: visit.Number, Tag: 5, Seq: 2},
		{Kind: trc.Drained, ID: visit.Number + 1, Tag: 5, Seq: 1},
		{Kind: trc.Drained, ID: visit.Number, Tag: 6, Seq: 1},
		{Kind: trc.Drained, Tag: -1},
	} {
		c.says(n)
	}
	v.Release(0)
	next := start(v, in(2, request(rpi.OpSend, 1, 5, []byte("text"))))
	nc, visit = c.visited()
	require.EqualValues(t, forMessages, visit.Purpose)
	c.receives(c.accepts(nc, visit))
	<-next.Done()
	require.NoError(t, next.Err)
}

// Messages keep their order while contexts come and go, and connections with them, are handed on, and end at any time.
func TestOrderSurvivesHandingOn(t *testing.T) {
	ranks := pairUp(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	type sent struct {
		context matching.Context
		tag, i  int
	}
	var open []matching.Context
	var under []sent // way
	newest := matching.Context(0)
	receive := func(at int) {
		m := under[at]
		for i, other := range under[:at] { // the first of its TRC
			if other.context == m.context && other.tag == m.tag {
				at, m = i, other
				break
			}
		}
		under = slices.Delete(under, at, at+1)
		r := do(t, ranks[1], in(m.context, request(rpi.OpRecv, 0, m.tag, make([]byte, 3))))
		require.Equal(t, text(m.i), r.Buf)
	}
	for i := range 600 {
		switch n := rng.IntN(20); {
		case len(open) < 3 || n == 0 && len(open) < 6:
			newest += 2
			open = append(open, newest)
		case n == 1:
			at := rng.IntN(len(open))
			c := open[at]
			open = slices.Delete(open, at, at+1)
			first := rng.IntN(2)
			ranks[first].Release(c)
			if first == 1 { // with messages under way, which are lost
				under = slices.DeleteFunc(under, func(m sent) bool { return m.context == c })
			}
			for at := len(under) - 1; at >= 0; at-- {
				if at < len(under) && under[at].context == c {
					receive(at)
				}
			}
			ranks[1-first].Release(c)
		case n < 5:
			locked(ranks[0], func(*descriptors) {
				for o := range ranks[0].peers[1].outgoing() {
					if rng.IntN(4) == 0 {
						ranks[0].dismiss(o)
					}
				}
			})
		case n < 12 && len(under) > 0:
			receive(rng.IntN(len(under)))
		default:
			m := sent{open[rng.IntN(len(open))], rng.IntN(3), i}
			do(t, ranks[0], in(m.context, request(rpi.OpSend, 1, m.tag, text(i))))
			under = append(under, m)
		}
	}
	for len(under) > 0 {
		receive(len(under) - 1)
	}
}
