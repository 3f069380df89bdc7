package endpoint

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Types of extensions that the engine does not have: congestion notification (RFC 9260, sections
// 3.2 and 3.3.2, reserves them) and stream re-configuration (RFC 6525, section 3.1).
const (
	typeECNE        wire.ChunkType = 12
	typeCWR         wire.ChunkType = 13
	typeReconfig    wire.ChunkType = 0x82
	paramECNCapable wire.ParamType = 0x8000
)

// RFC 9260, section 3.2: the engine does not do ECN, so its chunks are of unknown types. It does
// not offer ECN, does not complain of a peer that does, and does not slow down when it is told to.
func TestECNIsNotSupported(t *testing.T) {
	for _, dials := range []bool{false, true} {
		r := newRig(t, socket.Config{})
		r.offer.Params = param(paramECNCapable)
		if dials {
			r.dialed()
		} else {
			r.accepted()
		}
		for p := range r.said.Params.All() {
			assert.NotEqual(t, paramECNCapable, p.Type)
			assert.NotEqual(t, wire.ParamUnrecognized, p.Type)
		}
		window := func() int {
			status, err := r.Status(r.assoc)
			require.NoError(t, err)
			return status.Paths[0].Window
		}
		before := window()
		ecne, cwr := wire.AppendShutdown(nil, r.said.TSN-1), wire.AppendShutdown(nil, r.tsn)
		ecne[0], cwr[0] = byte(typeECNE), byte(typeCWR) // they too are a TSN each
		for range 1000 {
			require.Empty(t, r.say(ecne))
			require.Empty(t, r.say(cwr))
		}
		assert.Equal(t, before, window())
	}
}
