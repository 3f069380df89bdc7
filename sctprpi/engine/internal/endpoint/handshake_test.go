package endpoint

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// init gives the Endpoint the peer's INIT chunk and returns the answer.
func (r *rig) init() []sentPacket {
	return r.give(r.from, r.pack(0, wire.AppendInit(nil, &r.offer)))
}

// cookie sends the peer's INIT chunk and returns the cookie that answers it.
func (r *rig) cookie() []byte {
	r.t.Helper()
	said, cookie, err := wire.ParseInitAck(r.chunk(r.init(), wire.TypeInitAck))
	require.NoError(r.t, err)
	r.said = said
	return cookie
}

// accepted has the peer set up an association.
func (r *rig) accepted() *rig {
	r.t.Helper()
	r.chunk(r.say(wire.AppendCookieEcho(nil, r.cookie())), wire.TypeCookieAck)
	r.isUp()
	return r
}

func (r *rig) isUp() {
	r.t.Helper()
	if r.unread {
		var e [1]socket.Event
		require.Equal(r.t, 1, r.Poll(e[:]))
		r.events = append(r.events, e[0])
	}
	require.Equal(r.t, socket.Up, r.lastEvent().Kind)
	r.assoc = r.lastEvent().Assoc
}

// dial has the Endpoint begin an association and returns its INIT packet.
func (r *rig) dial() []sentPacket {
	r.t.Helper()
	var err error
	r.assoc, err = r.Connect(r.now, socket.Addr{IP: r.from.Addr(), Port: r.port, UDP: r.from.Port()})
	require.NoError(r.t, err)
	sent := r.run()
	r.said, err = wire.ParseInit(r.chunk(sent, wire.TypeInit))
	require.NoError(r.t, err)
	return sent
}

var testCookie = []byte("a cookie of the test's, opaque to the endpoint")

// initAck answers the Endpoint's INIT chunk.
func (r *rig) initAck() []sentPacket {
	ack := r.offer
	ack.Params = append(wire.Params(nil), ack.Params...).AppendStateCookie(testCookie)
	return r.say(wire.AppendInitAck(nil, &ack))
}

// dialed has the Endpoint set up an association, whose path has a round trip of 10 ms.
func (r *rig) dialed() *rig {
	r.t.Helper()
	r.dial()
	r.now += 10 * time.Millisecond
	r.chunk(r.initAck(), wire.TypeCookieEcho)
	r.now += 10 * time.Millisecond
	r.say(wire.AppendCookieAck(nil))
	r.isUp()
	return r
}

// data makes a DATA chunk with the peer's next TSN: a whole message.
func (r *rig) data(stream socket.StreamID, ssn wire.SSN, payload string) []byte {
	return r.piece(wire.FlagBegin|wire.FlagEnd, stream, ssn, payload)
}

// piece is data for a fragment.
func (r *rig) piece(flags wire.DataFlags, stream socket.StreamID, ssn wire.SSN, payload string) []byte {
	d := wire.Data{Flags: flags, TSN: r.tsn, Stream: stream, SSN: ssn}
	r.tsn++
	return dataChunk(&d, payload)
}

func dataChunk(d *wire.Data, payload string) []byte {
	b := wire.AppendDataHeader(nil, d, len(payload))
	b = append(b, payload...)
	return wire.AppendPadding(b, len(payload))
}

// sack makes a SACK chunk.
func sack(cumulative wire.TSN, window uint32, gaps ...wire.GapBlock) []byte {
	var blocks wire.GapBlocks
	for _, g := range gaps {
		blocks = blocks.Append(g)
	}
	return wire.AppendSACK(nil, &wire.SACK{CumulativeTSN: cumulative, Window: window, GapBlocks: blocks})
}

// send has the Endpoint's user send messages of a byte each and returns the packets.
func (r *rig) send(messages ...socket.Message) []sentPacket {
	r.t.Helper()
	n, err := r.Send(r.now, r.assoc, messages)
	require.NoError(r.t, err)
	require.Len(r.t, messages, n)
	return r.run()
}

// causes returns the error causes of an ABORT or ERROR chunk.
func (r *rig) causes(packets []sentPacket, t wire.ChunkType) (codes []wire.CauseCode) {
	r.t.Helper()
	c := r.chunk(packets, t)
	causes, err := wire.ParseAbort(c)
	if t == wire.TypeError {
		causes, err = wire.ParseError(c)
	}
	require.NoError(r.t, err)
	for cause := range causes.All() {
		codes = append(codes, cause.Code)
	}
	return codes
}

// gone demands that nothing is left of any association.
func (r *rig) gone() {
	r.t.Helper()
	require.Zero(r.t, r.Associations())
	require.Empty(r.t, r.byTag)
	require.Empty(r.t, r.byPeer)
	require.Empty(r.t, r.timers)
	require.Zero(r.t, r.pool.Lent())
}
