package endpoint

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

const (
	begin = wire.FlagBegin
	end   = wire.FlagEnd
)

// Section 6.5: DATA for a stream that does not exist is acknowledged, and reported.
func TestDataForAStreamThatDoesNotExist(t *testing.T) {
	r := newRig(t, socket.Config{Streams: 5}).accepted()
	sent := r.say(r.data(5, 0, "x"), r.data(65535, 0, "y"), r.data(4, 0, "good"))
	causes, err := wire.ParseError(r.chunk(sent, wire.TypeError))
	require.NoError(t, err)
	for c := range causes.All() {
		id, err := c.InvalidStream()
		require.NoError(t, err)
		assert.EqualValues(t, 5, id)
	}
	s, err := wire.ParseSACK(r.chunk(sent, wire.TypeSACK))
	require.NoError(t, err)
	assert.Equal(t, r.tsn-1, s.CumulativeTSN)
	assert.Equal(t, "good", string(r.lastEvent().Payload))
	assert.Equal(t, []socket.Kind{socket.Up}, r.happened())
}

// Sections 3.3.1 and 6.9, RFC 8260, section 2.2: what cannot be put together ends the
// association.
func TestDataThatCannotBe(t *testing.T) {
	for name, c := range map[string]struct {
		cause wire.CauseCode
		make  func(r *rig) [][]byte
	}{
		"no user data":        {wire.CauseNoUserData, func(r *rig) [][]byte { return [][]byte{r.data(0, 0, "")} }},
		"shorter than header": {wire.CauseProtocolViolation, func(*rig) [][]byte { return [][]byte{{0, 3, 0, 8, 1, 2, 3, 4}} }},
		"I-DATA not agreed on": {wire.CauseProtocolViolation, func(r *rig) [][]byte {
			return [][]byte{append(wire.AppendIDataHeader(nil, &wire.IData{Flags: 3, TSN: r.tsn}, 4), "data"...)}
		}},
		"fragments of two messages": {wire.CauseProtocolViolation, func(r *rig) [][]byte {
			return [][]byte{r.piece(begin, 0, 0, "a"), r.piece(end, 0, 1, "b")}
		}},
		"begin after begin": {wire.CauseProtocolViolation, func(r *rig) [][]byte {
			return [][]byte{r.piece(begin, 0, 0, "a"), r.piece(begin, 0, 0, "b")}
		}},
		"end without begin": {wire.CauseProtocolViolation, func(r *rig) [][]byte {
			return [][]byte{r.data(0, 0, "a"), r.piece(end, 0, 1, "b")}
		}},
		"message that is over": {wire.CauseProtocolViolation, func(r *rig) [][]byte {
			return [][]byte{r.data(0, 0, "a"), r.data(0, 0, "b")}
		}},
	} {
		// Without FORWARD-TSN, which makes some of these possible.
		r := newRig(t, socket.Config{}).accepted()
		sent := r.say(c.make(r)...)
		assert.Equal(t, []wire.CauseCode{c.cause}, r.causes(sent, wire.TypeAbort), name)
		assert.Equal(t, socket.Aborted, r.lastEvent().Kind, name)
		assert.Empty(t, r.advance(time.Hour), name)
		r.gone()
	}
}

// RFC 8260, section 2: the same with I-DATA.
func TestIDataThatCannotBe(t *testing.T) {
	for name, make := range map[string]func(r *rig) [][]byte{
		"DATA":             func(r *rig) [][]byte { return [][]byte{r.data(0, 0, "x")} },
		"no begin at 0":    func(r *rig) [][]byte { return [][]byte{r.ipiece(end, 0, 0, 0, "x")} },
		"fragment twice":   func(r *rig) [][]byte { return [][]byte{r.ipiece(begin, 0, 0, 0, "x"), r.ipiece(begin, 0, 0, 0, "x")} },
		"fragment far off": func(r *rig) [][]byte { return [][]byte{r.ipiece(0, 0, 0, 1<<31, "x")} },
		"after the end":    func(r *rig) [][]byte { return [][]byte{r.ipiece(end, 0, 0, 3, "x"), r.ipiece(0, 0, 0, 4, "x")} },
		"message half the numbers ahead": func(r *rig) [][]byte {
			return [][]byte{r.ipiece(begin|end, 0, 1<<31, 0, "x")}
		},
	} {
		r := newRig(t, socket.Config{Interleaving: true})
		r.offer.Params = r.offer.Params.AppendSupportedExtensions(wire.NumbersOf(wire.TypeIData))
		r.accepted()
		sent := r.say(make(r)...)
		assert.Equal(t, []wire.CauseCode{wire.CauseProtocolViolation}, r.causes(sent, wire.TypeAbort), name)
		r.gone()
	}
}

// ipiece is piece for I-DATA.
func (r *rig) ipiece(flags wire.DataFlags, stream socket.StreamID, mid wire.MID, fsn wire.FSN, payload string) []byte {
	d := wire.IData{Flags: flags, TSN: r.tsn, Stream: stream, MID: mid, FSN: fsn}
	r.tsn++
	b := append(wire.AppendIDataHeader(nil, &d, len(payload)), payload...)
	return wire.AppendPadding(b, len(payload))
}

// RFC 3758, section 3.6: a FORWARD-TSN over what cannot have been sent is not
// believed; an old one is only answered.
func TestForwardTSN(t *testing.T) {
	for _, c := range []struct {
		jump wire.TSN
		ends bool
	}{{0, false}, {1 << 31, false}, {100, false}, {65_535, false}, {65_536, true}, {1 << 30, true}} {
		r := newRig(t, socket.Config{})
		r.offer.Params = r.offer.Params.AppendForwardTSNSupported()
		r.accepted()
		sent := r.say(wire.AppendForwardTSN(nil, &wire.ForwardTSN{CumulativeTSN: r.offer.TSN - 1 + c.jump}))
		if c.ends {
			assert.Equal(t, []wire.CauseCode{wire.CauseProtocolViolation}, r.causes(sent, wire.TypeAbort), c.jump)
			continue
		}
		s, err := wire.ParseSACK(r.chunk(sent, wire.TypeSACK))
		require.NoError(t, err)
		if c.jump < 1<<31 {
			assert.Equal(t, r.offer.TSN-1+c.jump, s.CumulativeTSN)
		}
	}
	// One that was not agreed on does nothing.
	r := newRig(t, socket.Config{}).accepted()
	assert.Empty(t, r.say(wire.AppendForwardTSN(nil, &wire.ForwardTSN{CumulativeTSN: r.tsn + 10})))
	r.chunk(r.say(r.data(0, 0, "next")), wire.TypeSACK)
	assert.Equal(t, "next", string(r.lastEvent().Payload))
}

// A TSN that is further ahead than any peer could have outstanding is dropped.
func TestDataFarAheadIsDropped(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	r.tsn += 65_536
	sent := r.say(r.data(0, 0, "far"))
	s, err := wire.ParseSACK(r.chunk(sent, wire.TypeSACK))
	require.NoError(t, err)
	assert.Zero(t, s.GapBlocks.Len())
	assert.Equal(t, r.offer.TSN-1, s.CumulativeTSN)
}

// Whatever a peer sends that never completes a message, what is held of it is bounded
// by the receive buffer and a chunk more.
func TestReassemblyIsBounded(t *testing.T) {
	const buffer = 64 << 10
	for name, make := range map[string]func(r *rig, n int) []byte{
		"one message without end, its begin missing": func(r *rig, n int) []byte {
			if n == 0 {
				r.tsn++
			}
			return r.piece(0, 0, 0, strings.Repeat("x", 1000))
		},
		"every second TSN": func(r *rig, n int) []byte {
			r.tsn++
			return r.piece(wire.FlagUnordered, 0, 0, "x")
		},
		"ordered messages before the first": func(r *rig, n int) []byte {
			r.tsn++
			return r.data(socket.StreamID(n%10), wire.SSN(1+n/10), strings.Repeat("x", n%1000+1))
		},
		"unread": func(r *rig, n int) []byte {
			r.unread = true
			return r.data(socket.StreamID(n%10), wire.SSN(n/10), strings.Repeat("x", 1000))
		},
	} {
		r := newRig(t, socket.Config{ReceiveBuffer: buffer}).accepted()
		most := 0
		for n := range 5000 {
			r.say(make(r, n))
			status, err := r.Status(r.assoc)
			if err != nil {
				break // the endpoint has had enough
			}
			most = max(most, status.Held)
		}
		assert.LessOrEqual(t, most, buffer+1000, name)
		t.Logf("%s: %d bytes held at most, %d buffers lent", name, most, r.pool.Lent())
		assert.LessOrEqual(t, r.pool.Lent(), buffer/256+2, name)
		require.NoError(t, r.Abort(r.assoc, ""))
		r.unread = false
		r.run()
		r.gone()
	}
}
