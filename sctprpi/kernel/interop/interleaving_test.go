//go:build !race && linux

package interop

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/kernel"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// TestInterleaving proves that the stacks agree on I-DATA and understand each other's,
// as far as Linux goes: messages that fit a packet. It counts the fragments of longer
// ones from 0 where RFC 8260 (section 2.1) has 1, the first being 0.
func TestInterleaving(t *testing.T) {
	c := socket.Config{Interleaving: true}
	interleaving, err := kernel.Listen(kernel.Config{Config: c, Encapsulated: true})
	require.NoError(t, err)
	a, b := newEnd(t, interleaving), newEnd(t, engineStack(t, c, 0, 0, loopback))
	a.connect(b.LocalAddrs()[0])
	a.untilSeen(socket.Up)
	b.untilSeen(socket.Up)
	for _, e := range []*end{a, b} {
		status, err := e.Status(e.id)
		require.NoError(t, err)
		require.True(t, status.Interleaving)
	}
	var want []string
	for i := range 64 {
		a.say(i, strconv.Itoa(i))
		b.say(i, strconv.Itoa(i))
		want = append(want, text(i, strconv.Itoa(i)))
	}
	for _, e := range []*end{a, b} {
		e.until("messages of 64 streams", func() bool { return len(e.messages) >= len(want) })
		require.ElementsMatch(t, want, e.messages)
	}
}
