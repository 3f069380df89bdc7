package enginelink

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/link"
	"github.com/sctpmpi/sctpmpi/cmd/internal/link/linktest"
)

func TestContract(t *testing.T) { linktest.Run(t, Transport{}) }

func TestTheLinkWorksOnBesideIdleLinks(t *testing.T) {
	dialled, listened, addr := linktest.Pair(t, Transport{}, link.Options{})
	var idle io.Closer
	linktest.Both(t, func() (err error) {
		idle, err = Transport{}.DialIdle(addr, concurrent+1)
		return err
	}, func() error { return listened.(link.IdleAcceptor).AcceptIdle(concurrent + 1) })
	defer func() { assert.NoError(t, idle.Close()) }()
	linktest.Both(t, func() error { return dialled.Send(100, 10) }, func() error { return listened.Receive(100, 10) })
}

// A message can come with the one that makes the association, before the program asks for any.
func TestMessagesAreReceivedThatHaveArrivedBefore(t *testing.T) {
	dialled, listened, _ := linktest.Pair(t, Transport{}, link.Options{})
	require.NoError(t, dialled.Send(8, 3))
	for l := listened.(*sctp); l.arrived < 3; {
		require.NoError(t, l.poll())
	}
	require.NoError(t, listened.Receive(8, 3))
	require.NoError(t, dialled.Send(100, 1))
	require.NoError(t, listened.Receive(100, 1), "each call has a size of its own")
}
