package endpoint

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// interleaved lets a peer that interleaves messages set up an association.
func interleaved(t *testing.T, c socket.Config) *rig {
	c.Interleaving = true
	r := newRig(t, c)
	r.offer.Params = r.offer.Params.AppendSupportedExtensions(wire.NumbersOf(wire.TypeIData).Append(wire.TypeIForwardTSN)).
		AppendForwardTSNSupported()
	return r.accepted()
}

// With interleaving a peer can begin any number of messages. Those that never end take
// no more than the receive buffer, or end the association.
func TestInterleavedReassemblyIsBounded(t *testing.T) {
	const buffer = 64 << 10
	long := strings.Repeat("x", 1000)
	for name, make := range map[string]func(r *rig, n int) []byte{
		"messages begun, ordered": func(r *rig, n int) []byte { return r.ipiece(begin, socket.StreamID(n%10), wire.MID(n/10), 0, long) },
		"messages begun, unordered": func(r *rig, n int) []byte {
			return r.ipiece(begin|wire.FlagUnordered, socket.StreamID(n%10), wire.MID(n/10), 0, "x")
		},
		"last fragments": func(r *rig, n int) []byte { return r.ipiece(end|wire.FlagUnordered, 0, wire.MID(n), 7, "x") },
		"every second fragment": func(r *rig, n int) []byte {
			return r.ipiece(wire.FlagUnordered, 0, 0, wire.FSN(1+2*n), long)
		},
		"numbers far apart": func(r *rig, n int) []byte { return r.ipiece(begin|end, 0, wire.MID(1+1000*n), 0, "x") },
	} {
		for _, whole := range []bool{false, true} {
			r := interleaved(t, socket.Config{ReceiveBuffer: buffer, WholeMessages: whole})
			most, lent := 0, 0
			for n := range 3000 {
				r.say(make(r, n))
				status, err := r.Status(r.assoc)
				if err != nil {
					break // the endpoint has had enough
				}
				most, lent = max(most, status.Held), max(lent, r.pool.Lent())
			}
			assert.LessOrEqual(t, most, buffer+1000, name)
			assert.LessOrEqual(t, lent, buffer/256+2, name)
			if r.Associations() > 0 {
				require.NoError(t, r.Abort(r.assoc, ""))
				r.run()
			}
			r.gone()
		}
	}
}

// RFC 3758, section 3.6, and RFC 8260, section 2.3.1: streams that do not exist are
// reported, those that do may be named as often as the peer likes, and the
// chunk that does not go with what has been agreed on ends the association.
func TestForwardTSNWithAbsurdStreams(t *testing.T) {
	r := newRig(t, socket.Config{})
	r.offer.Params = r.offer.Params.AppendForwardTSNSupported()
	r.accepted()
	f := wire.ForwardTSN{CumulativeTSN: r.tsn}
	for i := range 300 {
		f.Skipped = f.Skipped.Append(wire.SkippedSSN{Stream: 3, SSN: wire.SSN(i * 211)})
	}
	r.chunk(r.say(wire.AppendForwardTSN(nil, &f)), wire.TypeSACK)
	f.CumulativeTSN++
	f.Skipped = f.Skipped[:0].Append(wire.SkippedSSN{Stream: 10}).Append(wire.SkippedSSN{Stream: 65_535})
	r.chunk(r.say(wire.AppendForwardTSN(nil, &f)), wire.TypeError)
	i := wire.IForwardTSN{CumulativeTSN: r.tsn + 9}
	assert.Equal(t, []wire.CauseCode{wire.CauseProtocolViolation}, r.causes(r.say(wire.AppendIForwardTSN(nil, &i)), wire.TypeAbort))
	r.gone()

	r = interleaved(t, socket.Config{})
	i = wire.IForwardTSN{CumulativeTSN: r.tsn}
	for n := range 300 {
		i.Skipped = i.Skipped.Append(wire.SkippedMID{Stream: 3, Unordered: n%2 == 0, MID: wire.MID(n * 0x01234567)})
	}
	r.chunk(r.say(wire.AppendIForwardTSN(nil, &i)), wire.TypeSACK)
	f.CumulativeTSN = r.tsn + 9
	assert.Equal(t, []wire.CauseCode{wire.CauseProtocolViolation}, r.causes(r.say(wire.AppendForwardTSN(nil, &f)), wire.TypeAbort))
	r.gone()
}
