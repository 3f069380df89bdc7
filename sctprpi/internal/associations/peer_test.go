package associations

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// While a peer that has forgotten the association is asked whether it counts this process as dead, what is left to do with its streams fails in
// the socket, as that association has ended.
func TestAPeerThatIsAskedHasItsFormerAssociation(t *testing.T) {
	p := &Peer{phase: open, assoc: &association{id: 7, outbound: 3, inbound: 4, interleaves: true}}
	p.ask(errors.New("it has ended"))
	require.False(t, p.Open())
	require.False(t, p.Gone())
	require.EqualValues(t, 7, p.Assoc())
	outbound, inbound := p.Streams()
	require.Equal(t, []int{3, 4}, []int{outbound, inbound})
	require.True(t, p.Interleaves())
	require.NotPanics(t, func() { p.Outlet() })
}
