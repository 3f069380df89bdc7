package wire

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var reconfigCodec = codec[Params]{
	parse:  ParseReconfig,
	append: AppendReconfig,
	bytes:  "82 00 0022 0010 000c 01020304 00000001 000d 0012 00000005 00000006 00000007 0001 0000",
	value: Params{}.AppendReconfigResponse(&ReconfigResponse{Response: 0x01020304, Result: ResultPerformed}).
		AppendOutgoingReset(&OutgoingReset{5, 6, 7, NumbersOf[StreamID](1)}),
	// The response alone, and what a padded end may be.
	valid: func(n int) bool { return n == 16 || n == 35 || n == 36 },
	random: func(r *rand.Rand) Params {
		l := Params{}.AppendReconfigResponse(&ReconfigResponse{Response: RequestSeq(r.Uint32())})
		if r.IntN(2) == 0 {
			l = l.AppendReconfigResponse(&ReconfigResponse{Response: RequestSeq(r.Uint32())})
		}
		return l
	},
}

func TestReconfig(t *testing.T) { reconfigCodec.test(t) }
func FuzzReconfig(f *testing.F) { reconfigCodec.fuzz(f) }

// RFC 6525, section 3.1.
func TestReconfigTakesTheTenCombinations(t *testing.T) {
	const out, in, assoc, response, addOut, addIn = ParamOutgoingReset, ParamIncomingReset, ParamAssociationReset,
		ParamReconfigResponse, ParamAddOutgoing, ParamAddIncoming
	allowed := map[[2]ParamType]bool{
		{out, 0}: true, {in, 0}: true, {out, in}: true, {assoc, 0}: true, {addOut, 0}: true, {addIn, 0}: true,
		{addOut, addIn}: true, {response, 0}: true, {response, out}: true, {response, response}: true,
	}
	types := []ParamType{0, out, in, assoc, response, addOut, addIn, ParamPadding}
	for _, a := range types {
		for _, b := range types {
			l := Params{}
			for _, p := range []ParamType{a, b} {
				if p != 0 {
					l = l.append(p, nil)
				}
			}
			_, err := ParseReconfig(chunkOf(t, TypeReconfig, l))
			if allowed[[2]ParamType{a, b}] || allowed[[2]ParamType{b, a}] {
				assert.NoError(t, err, "%v and %v", a, b)
			} else {
				assert.ErrorIs(t, err, errReconfigParams, "%v and %v", a, b)
			}
		}
	}
	three := Params{}.append(out, nil).append(in, nil).append(response, nil)
	_, err := ParseReconfig(chunkOf(t, TypeReconfig, three))
	assert.ErrorIs(t, err, errReconfigParams)
	_, err = ParseReconfig(chunkOf(t, TypeReconfig, unhex(t, "000d 0004 0000 0004")))
	assert.ErrorIs(t, err, errReconfigParams, "a parameter of type 0 is one too")
}

// RFC 6525, section 4.
func TestReconfigParameters(t *testing.T) {
	decoded := func(v any, err error) any {
		require.NoError(t, err)
		return v
	}
	out := OutgoingReset{Request: 1, Response: 2, LastTSN: 3, Streams: NumbersOf[StreamID](4, 5, 6)}
	in := IncomingReset{Request: 1, Streams: NumbersOf[StreamID](4)}
	add := AddStreams{Request: 1, Count: 0x0203}
	short := ReconfigResponse{Response: 1, Result: ResultInProgress}
	long := ReconfigResponse{Response: 1, Result: ResultPerformed, HasTSNs: true, SenderNextTSN: 2, ReceiverNextTSN: 3}
	for _, c := range []struct {
		bytes  string
		params Params
		decode func(Param) any
		value  any
	}{
		{
			"000d 0016 00000001 00000002 00000003 0004 0005 0006", Params{}.AppendOutgoingReset(&out),
			func(p Param) any { return decoded(p.OutgoingReset()) }, out,
		},
		{
			"000e 000a 00000001 0004", Params{}.AppendIncomingReset(&in),
			func(p Param) any { return decoded(p.IncomingReset()) }, in,
		},
		{
			"000f 0008 00000001", Params{}.AppendAssociationReset(1),
			func(p Param) any { return decoded(p.AssociationReset()) }, RequestSeq(1),
		},
		{
			"0010 000c 00000001 00000006", Params{}.AppendReconfigResponse(&short),
			func(p Param) any { return decoded(p.ReconfigResponse()) }, short,
		},
		{
			"0010 0014 00000001 00000001 00000002 00000003", Params{}.AppendReconfigResponse(&long),
			func(p Param) any { return decoded(p.ReconfigResponse()) }, long,
		},
		{
			"0011 000c 00000001 0203 0000", Params{}.AppendAddOutgoing(add),
			func(p Param) any { return decoded(p.AddStreams()) }, add,
		},
		{
			"0012 000c 00000001 0203 0000", Params{}.AppendAddIncoming(add),
			func(p Param) any { return decoded(p.AddStreams()) }, add,
		},
	} {
		assert.Equal(t, Params(unhex(t, c.bytes)), c.params, c.bytes)
		assert.Equal(t, c.value, c.decode(paramOf(t, c.bytes)), c.bytes)
	}
}

// Each length of each re-configuration parameter: real stacks have read TSNs
// behind the end of short responses.
func TestReconfigParametersHaveNoOtherLength(t *testing.T) {
	zeros := make([]byte, 30)
	for n := range len(zeros) {
		p := Param{raw: closeItem(append(openItem(nil, 0), zeros[:n]...), 0)}
		length := itemHeaderSize + n

		_, err := p.OutgoingReset()
		assert.Equal(t, length >= 16 && length%2 == 0, err == nil, "outgoing reset of %d bytes", length)
		_, err = p.IncomingReset()
		assert.Equal(t, length >= 8 && length%2 == 0, err == nil, "incoming reset of %d bytes", length)
		_, err = p.AssociationReset()
		assert.Equal(t, length == 8, err == nil, "association reset of %d bytes", length)
		_, err = p.ReconfigResponse()
		assert.Equal(t, length == 12 || length == 20, err == nil, "response of %d bytes", length)
		_, err = p.AddStreams()
		assert.Equal(t, length == 12, err == nil, "add streams of %d bytes", length)
	}
}
