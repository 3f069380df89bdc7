package endpoint

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/cookie"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// param makes a parameter of any type.
func param(t wire.ParamType, value ...byte) wire.Params {
	b := binary.BigEndian.AppendUint16(nil, uint16(t))
	b = binary.BigEndian.AppendUint16(b, uint16(4+len(value)))
	return append(b, value...)
}

// unknownParams have, by their two highest bits, all that can be asked for.
var unknownParams = []struct {
	wire.ParamType
	stops, reported bool
}{
	{0x3FFF, true, false}, {0x7FFF, true, true}, {0xBFFF, false, false}, {0xFFFE, false, true},
}

// Section 3.2.1: an unknown parameter of an INIT is skipped, or the rest with it, and
// reported in the INIT ACK, or not.
func TestUnknownParametersOfAnInit(t *testing.T) {
	for _, c := range unknownParams {
		r := newRig(t, socket.Config{Interleaving: true})
		unknown := param(c.ParamType, 1, 2, 3, 4)
		extensions := wire.NumbersOf(wire.TypeIData).Append(wire.TypeIForwardTSN)
		r.offer.Params = append(unknown, wire.Params(nil).AppendSupportedExtensions(extensions)...)
		cookie := r.cookie()
		reported := false
		for p := range r.said.Params.All() {
			reported = reported || p.Type == wire.ParamUnrecognized && bytes.Equal(p.Value(), unknown)
		}
		assert.Equal(t, c.reported, reported, "type %x", uint16(c.ParamType))
		r.say(wire.AppendCookieEcho(nil, cookie))
		r.isUp()
		status, err := r.Status(r.assoc)
		require.NoError(t, err)
		assert.Equal(t, !c.stops, status.Interleaving, "what follows type %x counts", uint16(c.ParamType))
	}
}

// Section 3.2.2: those of an INIT ACK are reported in an ERROR chunk after the COOKIE
// ECHO.
func TestUnknownParametersOfAnInitAck(t *testing.T) {
	for _, c := range unknownParams {
		r := newRig(t, socket.Config{})
		r.dial()
		unknown := param(c.ParamType, 1, 2, 3, 4)
		ack := r.offer
		ack.Params = append(wire.Params(nil).AppendStateCookie(make([]byte, 40)), unknown...)
		sent := r.say(wire.AppendInitAck(nil, &ack))
		if !c.reported {
			assert.Equal(t, [][]wire.ChunkType{{wire.TypeCookieEcho}}, typesOf(sent))
			continue
		}
		require.Equal(t, [][]wire.ChunkType{{wire.TypeCookieEcho, wire.TypeError}}, typesOf(sent))
		assert.Equal(t, []wire.CauseCode{wire.CauseUnrecognizedParameters}, r.causes(sent, wire.TypeError))
		assert.True(t, bytes.Contains(sent[0].raw, unknown))
	}
}

// A peer that reports nothing but rubbish cannot make the INIT ACK long.
func TestReportsOfUnknownParametersAreBounded(t *testing.T) {
	r := newRig(t, socket.Config{})
	bare := len(r.init()[0].raw)
	for range 200 {
		r.offer.Params = append(r.offer.Params, param(0xFFFE, make([]byte, 40)...)...)
	}
	assert.Less(t, len(r.init()[0].raw), bare+500)
}

// Section 3.3.2.1.4: host names are a thing of the past.
func TestHostNameIsRefused(t *testing.T) {
	r := newRig(t, socket.Config{})
	r.offer.Params = param(wire.ParamHostName, []byte("a.example\000")...)
	sent := r.init()
	assert.Equal(t, []wire.CauseCode{wire.CauseUnresolvableAddress}, r.causes(sent, wire.TypeAbort))
	assert.Equal(t, r.offer.Tag, sent[0].Tag)

	r = newRig(t, socket.Config{})
	r.dial()
	r.offer.Params = param(wire.ParamHostName, []byte("a.example\000")...)
	assert.Equal(t, []wire.CauseCode{wire.CauseUnresolvableAddress}, r.causes(r.initAck(), wire.TypeAbort))
	assert.Equal(t, []socket.Kind{socket.Lost}, r.happened())
	r.gone()
}

// A peer may list as many addresses as it likes; this end keeps so many, each once,
// and none that cannot be the peer's.
func TestPeersAddressesAreBounded(t *testing.T) {
	r := newRig(t, socket.Config{})
	for _, a := range []string{"0.0.0.0", "255.255.255.255", "224.0.0.1", "127.0.0.1", "169.254.1.1", "192.0.2.1", "::1", "2001:db8::1"} {
		r.offer.Params = r.offer.Params.AppendAddress(netip.MustParseAddr(a))
	}
	for i := range 100 {
		r.offer.Params = r.offer.Params.AppendAddress(netip.MustParseAddr(fmt.Sprintf("198.51.100.%d", 1+i/2)))
	}
	r.accepted()
	status, err := r.Status(r.assoc)
	require.NoError(t, err)
	require.Len(t, status.Paths, 1+cookie.MaxAddrs)
	for i, p := range status.Paths[1:] {
		assert.Equal(t, fmt.Sprintf("198.51.100.%d", 1+i), p.Addr.IP.String())
		assert.False(t, p.Confirmed)
	}
}

// Section 5.1.2: parameters that are malformed, or wrong in themselves, have the INIT
// refused.
func TestMalformedParametersOfAnInit(t *testing.T) {
	for name, params := range map[string]wire.Params{
		"zero length":         {0, 5, 0, 0},
		"shorter than header": {0, 5, 0, 3},
		"half a header":       {0, 5},
		"beyond the chunk":    {0, 5, 0, 9, 1, 2, 3, 4},
		"short address":       {0, 5, 0, 6, 1, 2, 0, 0},
		"mapped address":      param(wire.ParamIPv6Address, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 1, 2, 3, 4),
	} {
		r := newRig(t, socket.Config{})
		r.offer.Params = params
		assert.Equal(t, []wire.CauseCode{wire.CauseProtocolViolation}, r.causes(r.init(), wire.TypeAbort), name)
		r.gone()
		assert.EqualValues(t, 1, r.Stats().Refused)
	}
}

// The same in an INIT ACK ends the attempt. A zero-length parameter once made stacks
// loop for ever.
func TestMalformedParametersOfAnInitAck(t *testing.T) {
	for name, params := range map[string]wire.Params{
		"zero length":       {0, 5, 0, 0},
		"beyond the chunk":  {0, 5, 0, 9, 1, 2, 3, 4},
		"empty cookie":      {0, 7, 0, 4},
		"no cookie":         {},
		"cookie after stop": append(param(0x3FFF), param(wire.ParamStateCookie, 1, 2, 3, 4)...),
		"endless cookie":    wire.Params(nil).AppendStateCookie(make([]byte, 10_000)),
	} {
		r := newRig(t, socket.Config{})
		r.dial()
		ack := r.offer
		ack.Params = params
		sent := r.say(wire.AppendInitAck(nil, &ack))
		assert.Equal(t, [][]wire.ChunkType{{wire.TypeAbort}}, typesOf(sent), name)
		assert.Equal(t, ack.Tag, sent[0].Tag, name)
		assert.Equal(t, []socket.Kind{socket.Lost}, r.happened(), name)
		r.gone()
	}
}
