package trc

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// wantedBack is a layer whose peer needs a channel on which messages 0 to 9 have come, and that may put four of them aside.
func wantedBack(t *testing.T) (*crowd, *Incoming) {
	c := newCrowd(t, MaxGaps)
	c.Config.UnexpectedLimit = 8 * asideCharge // half of it is for channels that were not demanded
	c.comes(5, 5, 5, 5, 5, 5, 5, 5, 5, 5)
	in := c.channels[5]
	c.Clear(in)
	c.read()
	require.Zero(t, c.aside, "nothing is waited for")
	return c, in
}

func TestMessagesArePutAsideWhileAReceiveWaits(t *testing.T) {
	c, in := wantedBack(t)
	waits := c.start(rpi.OpRecv, 6)
	require.False(t, in.Hungry(), "more would exceed the limit")
	require.Len(t, c.bytes[5], 5*(header.Size+1)+1)
	require.Equal(t, 4, c.aside)
	for seq := range byte(10) {
		c.receive(5, seq)
	}
	require.Zero(t, c.aside)
	require.Zero(t, c.Held)
	c.comes(6)
	c.got(waits, 10)
}

func TestAProbeHasMessagesPutAside(t *testing.T) {
	c, _ := wantedBack(t)
	c.start(rpi.OpProbe, 6)
	require.Equal(t, 4, c.aside)
}

func TestAChannelThatIsClearedIsLeftAlone(t *testing.T) {
	c, in := wantedBack(t)
	c.Cleared(in)
	c.start(rpi.OpRecv, 6)
	require.Zero(t, c.aside)
	require.Nil(t, c.clearing.First())
	c.Clear(in)
	c.End(in)
	require.Nil(t, c.clearing.First())
}
