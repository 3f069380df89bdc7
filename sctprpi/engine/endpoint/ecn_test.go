package endpoint

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// RFC 9260, appendix A: this end does not do ECN. It does not say that it does, does not
// complain of a peer that does, and is not slowed down by what it has not asked for.
func TestECNIsNotSupported(t *testing.T) {
	for _, dials := range []bool{false, true} {
		r := newRig(t, socket.Config{})
		r.offer.Params = param(wire.ParamECNCapable)
		if dials {
			r.dialed()
		} else {
			r.accepted()
		}
		for p := range r.said.Params.All() {
			assert.NotEqual(t, wire.ParamECNCapable, p.Type)
			assert.NotEqual(t, wire.ParamUnrecognized, p.Type)
		}
		window := func() int {
			status, err := r.Status(r.assoc)
			require.NoError(t, err)
			return status.Paths[0].Window
		}
		before := window()
		for range 1000 {
			require.Empty(t, r.say(wire.AppendECNE(nil, r.said.TSN-1), wire.AppendCWR(nil, r.tsn)))
		}
		assert.Equal(t, before, window())
	}
}
