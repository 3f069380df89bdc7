package trc

import (
	"errors"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// crowd is a layer that bears few gaps, with a channel from rank 1 for each tag. Of each the bytes that have come wait
// until they are wanted.
type crowd struct {
	*rig
	channels map[matching.Tag]*Incoming
	bytes    map[matching.Tag][]byte
	next     matching.Seq
}

func newCrowd(t *testing.T, gaps int) *crowd {
	c := &crowd{rig: newRig(t), channels: map[matching.Tag]*Incoming{}, bytes: map[matching.Tag][]byte{}}
	c.Match.Gaps = gaps
	return c
}

// comes has messages with these tags come, in the order of sending. The body of each is its sequence number.
func (c *crowd) comes(tags ...matching.Tag) {
	for _, tag := range tags {
		if c.channels[tag] == nil {
			c.channels[tag] = &Incoming{Peer: c.Peer(1), Unnamed: true}
		}
		e := header.Header{Kind: header.Eager, Tag: tag, Seq: c.next, Length: 1, Type: 1, ElemSize: 1}
		c.bytes[tag] = append(header.Append(c.bytes[tag], &e), byte(c.next))
		c.next++
	}
	c.read()
}

// read reads all channels as far as they are wanted.
func (c *crowd) read() {
	for again := true; again; {
		again = false
		for tag, in := range c.channels {
			for len(c.bytes[tag]) > 0 && in.Hungry() {
				place, drop, header := in.Places()
				n := 1
				switch {
				case len(place) > 0:
					place[0] = c.bytes[tag][0]
				case drop == 0:
					n = copy(header, c.bytes[tag])
				}
				c.bytes[tag], again = c.bytes[tag][n:], true
				require.NoError(c.t, c.Advance(in, n))
			}
		}
	}
}

func (c *crowd) start(op rpi.Op, tag matching.Tag) *rpi.Request {
	r := &rpi.Request{Op: op, Peer: 1, Tag: tag, Type: 1, Elem: 1, Buf: make([]byte, 1)}
	c.Start(r, false)
	c.read()
	return r
}

// receive receives the message with a sequence number.
func (c *crowd) receive(tag matching.Tag, seq byte) {
	c.t.Helper()
	c.got(c.start(rpi.OpRecv, tag), seq)
}

func (c *crowd) got(r *rpi.Request, seq byte) {
	c.t.Helper()
	require.True(c.t, r.Completed())
	require.NoError(c.t, r.Err)
	require.Equal(c.t, []byte{seq}, r.Buf)
}

// tell has a note come.
func (c *crowd) tell(kind NoteKind, tag matching.Tag, seq matching.Seq) {
	require.NoError(c.t, c.hear(c.Peer(1), &Note{Kind: kind, ID: 9, Tag: tag, Seq: seq}))
	c.read()
}

// full leaves messages 0, 1, 3, 5 and 7 with tag 5 unread, and has received 2, 4 and 6 with tag 6: as many gaps as c bears.
// Message 8, with tag 6, is postponed.
func full(t *testing.T) *crowd {
	c := newCrowd(t, 3)
	c.comes(5, 5, 6, 5, 6, 5, 6, 5, 6)
	for _, seq := range []byte{2, 4, 6} {
		c.receive(6, seq)
	}
	require.True(t, c.channels[6].postponed)
	require.False(t, c.channels[6].Hungry())
	return c
}

// Nothing fails, nothing more is read of the channel, and the receive gets its message when the gaps are fewer.
func TestAMessageBeyondTheGapsWaits(t *testing.T) {
	c := full(t)
	waits := c.start(rpi.OpRecv, 6)
	probe := c.start(rpi.OpProbe, 6)
	require.False(t, waits.Completed())
	require.False(t, probe.Completed())
	c.receive(5, 0) // so 1 begins to arrive, and the first gap is closed
	c.got(waits, 8)
	require.False(t, probe.Completed())
	c.comes(6)
	require.True(t, probe.Completed())
}

func TestNothingIsPostponedWhereMessagesMayOvertake(t *testing.T) {
	c := full(t)
	waits := c.start(rpi.OpRecv, 6)
	require.False(t, waits.Completed())
	c.AllowOvertaking(0, true)
	c.read()
	c.got(waits, 8)
	for seq := byte(10); seq < 20; seq += 2 {
		c.comes(5, 6)
		c.receive(6, seq)
	}
	c.receive(matching.AnyTag, 0)
	c.receive(matching.AnyTag, 1)
	c.AllowOvertaking(0, false) // what is behind 3 is missing still
	c.comes(6)
	probe := c.start(rpi.OpProbe, 6)
	require.True(t, probe.Completed())
	for _, seq := range []byte{3, 5, 7, 9, 11, 13, 15, 17, 19} {
		c.receive(matching.AnyTag, seq)
	}
}

func TestAReceiveOfAnyTagTakesWhatIsPostponedInItsTurn(t *testing.T) {
	c := full(t)
	for _, seq := range []byte{0, 1, 3, 5, 7, 8} {
		c.receive(matching.AnyTag, seq)
	}
}

// More messages may be received before others than a peer with a message progression layer may send.
func TestManyGapsAreBorne(t *testing.T) {
	if os.Getenv("SCTPMPI_TEST_LONG") == "" {
		t.Skip("this runs with SCTPMPI_TEST_LONG=1 only")
	}
	c := newCrowd(t, MaxGaps)
	const pairs = matching.MaxGaps + 10
	for i := range pairs {
		c.comes(5, 6)
		c.receive(6, byte(2*i+1))
	}
	for i := range pairs {
		c.receive(5, byte(2*i))
	}
}

// The snapshot of a process that hangs names it.
func TestWhatIsPostponedIsPending(t *testing.T) {
	c := full(t)
	s := c.Pending()
	n := 0
	for _, u := range s.Unexpected {
		n += u.Messages
	}
	require.Equal(t, 2, n)
}

func TestWhatIsPostponedCanBeWantedBack(t *testing.T) {
	c := full(t)
	c.comes(6)
	c.tell(Retract, 6, 8)
	require.Equal(t, Retracted, c.carrier.notes[0].Kind)
	for _, seq := range []byte{0, 1, 3, 5, 7, 9} {
		c.receive(matching.AnyTag, seq)
	}
}

// Of numbers without a message twice as many gaps are borne; a message that is wanted back beyond that is kept.
func TestNumbersWithoutMessageBeyondTheGaps(t *testing.T) {
	c := full(t)
	for _, seq := range []matching.Seq{10, 12, 14} {
		c.tell(Void, 7, seq)
	}
	c.tell(Retract, 7, 16)
	require.Equal(t, Kept, c.carrier.notes[0].Kind)
	require.ErrorIs(t, c.hear(c.Peer(1), &Note{Kind: Void, Tag: 7, Seq: 18}), rpi.ErrIntern)
}

func TestWhatIsPostponedOfAPeerThatIsGoneCanBeReceived(t *testing.T) {
	for _, dead := range []bool{false, true} {
		c := full(t)
		waits := c.start(rpi.OpRecv, 6)
		c.Fail(c.Peer(1), errors.New("gone"), dead)
		c.read()
		c.got(waits, 8)
		for _, seq := range []byte{0, 1, 3, 5, 7} {
			c.receive(matching.AnyTag, seq)
		}
	}
}

func TestWhatIsPostponedIsLostWithItsChannel(t *testing.T) {
	c := full(t)
	c.End(c.channels[6])
	require.Empty(t, c.Peer(1).postponed)
	c.channels[6] = &Incoming{Peer: c.Peer(1), Unnamed: true}
	c.receive(5, 0)
}

func TestWhatIsPostponedIsDroppedAtTheEnd(t *testing.T) {
	for name, end := range map[string]func(*crowd){
		"closing": func(c *crowd) { c.StartClosing() },
		"closing, and more comes": func(c *crowd) {
			c.StartClosing()
			c.comes(6, 7, 6)
		},
		"no more receives": func(c *crowd) { c.StopReceiving() },
		"its context":      func(c *crowd) { c.Release(0) },
	} {
		t.Run(name, func(t *testing.T) {
			c := full(t)
			end(c)
			c.read()
			require.Empty(t, c.Peer(1).postponed)
			require.True(t, c.channels[6].Idle())
			require.Empty(t, c.bytes[6])
		})
	}
}

// Whatever comes in whatever order, and is received in whatever order: all is received, each tag in its order, if the
// receives in the end are of any tag.
func TestRandomReceivesBeyondTheGaps(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 1))
		c := newCrowd(t, 1+random.IntN(5))
		var receives []*rpi.Request
		const messages = 100
		last := map[matching.Tag]int{}
		for range messages {
			c.comes(matching.Tag(random.IntN(6)))
			if random.IntN(3) == 0 {
				receives = append(receives, c.start(rpi.OpRecv, matching.Tag(random.IntN(3))))
			}
		}
		for _, r := range receives {
			c.Cancel(r)
			if r.Status.Cancelled {
				receives = receives[1:]
			}
		}
		c.read()
		count := 0
		for range messages {
			if r := c.start(rpi.OpRecv, matching.AnyTag); r.Completed() {
				count++
				before, ok := last[r.Status.Tag]
				require.True(t, !ok || before < int(r.Buf[0]))
				last[r.Status.Tag] = int(r.Buf[0])
			}
		}
		require.Equal(t, messages, count+len(receives), "seed %d", seed)
		require.Empty(t, c.Peer(1).postponed)
	}
}
