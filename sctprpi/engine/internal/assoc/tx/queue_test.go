package tx

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

const B, E, U, I = wire.FlagBegin, wire.FlagEnd, wire.FlagUnordered, wire.FlagImmediate

func TestLongMessagesAreFragmented(t *testing.T) { // RFC 9260, section 6.9
	r := newRig(t)
	data := bytes.Repeat([]byte("0123456789"), 250)
	list := [][]byte{data[:1], nil, data[1:999], data[999:1000], {}, data[1000:2001], data[2001:]}
	require.NoError(t, r.Queue(0, &socket.Message{Stream: 3, PPID: 7, Immediate: true, Data: list}))
	var got []byte
	for i, want := range []struct {
		flags  wire.DataFlags
		length int
	}{{B, 1000}, {0, 1000}, {E | I, 500}} {
		chunks := r.Next(nil, 0, 0, rigChunk)
		require.Len(t, chunks, 1)
		c := chunks[0]
		assert.Equal(t, want.flags, c.Flags)
		assert.Equal(t, want.length, c.Len())
		assert.Equal(t, wire.TSN(1000+i), c.TSN)
		assert.Equal(t, socket.StreamID(3), c.Stream)
		assert.Equal(t, socket.PPID(7), c.PPID)
		assert.Zero(t, c.SSN, "all have the same")
		got = append(got, payloadOf(&c)...)
	}
	assert.Equal(t, data, got)
}

func TestThePayloadIsNotCopied(t *testing.T) {
	r := newRig(t)
	data := []byte("payload")
	require.NoError(t, r.Queue(0, &socket.Message{Data: [][]byte{data}}))
	c := r.Next(nil, 0, 0, rigChunk)[0]
	assert.Same(t, &data[0], &c.AppendPayload(nil)[0][0])
}

func TestChunksHaveTheWireFormat(t *testing.T) { // RFC 9260, section 3.3.1; RFC 8260, section 2.1
	for _, interleaving := range []bool{false, true} {
		r := newRig(t, func(c *Config) { c.Interleaving = interleaving })
		require.NoError(t, r.Queue(0, &socket.Message{Stream: 2, PPID: 9, Unordered: true, Data: [][]byte{[]byte("abcde")}}))
		c := r.Next(nil, 0, 0, rigChunk)[0]
		raw := append(c.AppendHeader(nil), payloadOf(&c)...)
		raw = append(raw, make([]byte, wire.PaddedLen(len(raw))-len(raw))...)
		assert.Len(t, raw, c.Size())
		assert.Equal(t, interleaving, raw[0] == byte(wire.TypeIData))
		assert.Equal(t, byte(B|E|U), raw[1])
	}
}

func TestSmallMessagesAreBundled(t *testing.T) { // RFC 9260, section 6.10
	r := newRig(t)
	for range 3 {
		require.NoError(t, r.Queue(0, &socket.Message{Data: [][]byte{make([]byte, 400)}}))
	}
	assert.Equal(t, tsns(1000, 1001), r.packet(0), "the third would have to be torn apart")
	assert.Equal(t, tsns(1002, 1002), r.packet(0))
}

func TestLongMessagesFillPacketsButNotWithSlivers(t *testing.T) {
	r := newRig(t)
	for _, n := range []int{600, 5000} {
		require.NoError(t, r.Queue(0, &socket.Message{Data: [][]byte{make([]byte, n)}}))
	}
	chunks := r.Next(nil, 0, 0, rigChunk)
	require.Len(t, chunks, 2)
	assert.Equal(t, rigChunk, chunks[0].Size()+chunks[1].Size())

	r = newRig(t)
	for _, n := range []int{900, 5000} {
		require.NoError(t, r.Queue(0, &socket.Message{Data: [][]byte{make([]byte, n)}}))
	}
	require.Len(t, r.packet(0), 1)
}

func TestOrderedAndUnorderedNumbers(t *testing.T) { // RFC 9260, section 6.6; RFC 8260, section 2.1
	r := newRig(t, func(c *Config) { c.Interleaving = true })
	for i := range 6 {
		require.NoError(t, r.Queue(0, &socket.Message{Unordered: i%2 == 1, Data: [][]byte{{1}}}))
	}
	for i, c := range r.Next(nil, 0, 0, rigChunk) {
		assert.Equal(t, wire.MID(i/2), c.MID)
	}
}

func TestNumbersWrap(t *testing.T) { // RFC 9260, section 1.6
	r := newRig(t, func(c *Config) { c.InitialTSN = 1<<32 - 2 })
	st := r.Sender.queue.streams.use(0)
	st.ssn, st.orderedMID = 1<<16-2, 1<<32-2
	for range 4 {
		require.NoError(t, r.Queue(0, &socket.Message{Data: [][]byte{{1}}}))
	}
	chunks := r.Next(nil, 0, 0, rigChunk)
	require.Len(t, chunks, 4)
	assert.Equal(t, wire.TSN(1), chunks[3].TSN)
	assert.Equal(t, wire.SSN(1), chunks[3].SSN)
	assert.Equal(t, wire.MID(1), chunks[3].MID)
	r.sack(ms, 1<<32-1, 2, 2)
	r.sack(ms, 1)
	assert.True(t, r.Drained())
}

func TestMessagesAreReleasedInOrderWhenCumulativelyAcknowledged(t *testing.T) {
	r := newRig(t)
	for i := range 3 {
		require.NoError(t, r.Queue(0, &socket.Message{Data: [][]byte{make([]byte, 2000)}, Owner: i}))
	}
	r.send(0)
	r.sack(ms, 999, 4, 6)
	assert.Empty(t, r.outcomes(), "the peer may still take gap ack blocks back")
	r.sack(ms, 1001, 2, 4)
	assert.Equal(t, []Release{{0, socket.Acknowledged}}, r.outcomes())
	r.sack(ms, 1005)
	assert.Equal(t, []Release{{1, socket.Acknowledged}, {2, socket.Acknowledged}}, r.outcomes())
	assert.Equal(t, Stats{Messages: 3, Bytes: 6000, Chunks: 6, SACKs: 3}, r.Stats())
}

func TestMessagesExpireBeforeTheyAreSent(t *testing.T) { // RFC 9260, section 11.1.5
	r := newRig(t)
	r.control.window = rigChunk
	for i := range 3 {
		require.NoError(t, r.Queue(0, &socket.Message{Data: [][]byte{make([]byte, 1500)}, Owner: i, Lifetime: time.Duration(i%2) * 10 * ms}))
	}
	require.Len(t, r.send(0), 1)
	r.sack(20*ms, 1000)
	r.control.window = 1 << 20
	chunks := r.Next(nil, 20*ms, 0, rigChunk)
	chunks = r.Next(chunks, 20*ms, 0, rigChunk)
	require.GreaterOrEqual(t, len(chunks), 2)
	assert.Equal(t, wire.SSN(1), chunks[len(chunks)-1].SSN, "the one dropped leaves no hole")
	assert.Equal(t, []Release{{1, socket.Expired}}, r.outcomes())

	r = newRig(t)
	require.NoError(t, r.Queue(0, &socket.Message{Data: [][]byte{make([]byte, 1500)}, Lifetime: ms}))
	require.Len(t, r.packet(0), 1)
	assert.Len(t, r.packet(time.Second), 1, "what was begun is finished")
}

func TestTheSendBufferIsBounded(t *testing.T) {
	r := newRig(t, func(c *Config) { c.SendBuffer = 4 * (1000 + MessageCharge) })
	r.queue(4)
	one := &socket.Message{Data: [][]byte{make([]byte, 1000)}}
	assert.ErrorIs(t, r.Queue(0, one), socket.ErrWouldBlock)
	assert.False(t, r.Writable())
	r.send(0)
	r.sack(ms, 1000)
	assert.True(t, r.Writable())
	assert.False(t, r.Writable(), "told once")
	assert.NoError(t, r.Queue(0, one))

	assert.ErrorIs(t, r.Queue(0, &socket.Message{Data: [][]byte{make([]byte, 4800)}}), socket.ErrTooLong)
	assert.ErrorIs(t, r.Queue(0, &socket.Message{Data: [][]byte{nil, {}}}), socket.ErrEmpty)
	assert.ErrorIs(t, r.Queue(0, &socket.Message{Stream: 4, Data: [][]byte{{1}}}), socket.ErrStream)
	queued, outstanding := r.Buffered()
	assert.Equal(t, []int{1000, 3000}, []int{queued, outstanding}, "errors queue nothing")
}

func TestCloseReleasesEverything(t *testing.T) {
	r := newRig(t)
	r.control.window = rigChunk
	for i := range 3 {
		require.NoError(t, r.Queue(0, &socket.Message{Data: [][]byte{make([]byte, 1000+500*(i%2))}, Owner: i}))
	}
	r.send(0)
	r.sack(ms, 1000)
	r.packet(ms)
	r.outcomes()
	r.Close()
	assert.Equal(t, []Release{{1, socket.Unacknowledged}, {2, socket.Unsent}}, r.outcomes())
	_, running := r.Deadline()
	assert.False(t, running)
	assert.Zero(t, r.buffered)
	requireConsistent(t, r.Sender)
}

func TestAMessageMayFillThePacketToTheLastByte(t *testing.T) {
	r := newRig(t)
	for _, n := range []int{400, 1000 - 400 - wire.DataHeaderSize} {
		require.NoError(t, r.Queue(0, &socket.Message{Data: [][]byte{make([]byte, n)}}))
	}
	assert.Len(t, r.packet(0), 2)
}

func TestWritableWaitsForTheLongestMessageRefused(t *testing.T) {
	r := newRig(t, func(c *Config) { c.SendBuffer = 4 * (1000 + MessageCharge) })
	r.queue(4)
	assert.ErrorIs(t, r.Queue(0, &socket.Message{Data: [][]byte{make([]byte, 3000)}}), socket.ErrWouldBlock)
	assert.ErrorIs(t, r.Queue(0, &socket.Message{Data: [][]byte{make([]byte, 10)}}), socket.ErrWouldBlock)
	r.send(0)
	r.sack(ms, 1001)
	assert.False(t, r.Writable())
	r.sack(ms, 1002)
	assert.True(t, r.Writable())
}
