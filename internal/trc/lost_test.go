package trc

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

var errDied = errors.New("it has died")

// A peer has sent messages 0 to 3 and died. The channel of message 1 is cut, as its body was under way: so 2 and 3, which are whole,
// will not be received either, in whatever order that becomes known.
func TestNothingOvertakesWhatWasLostWithItsSender(t *testing.T) {
	cut := func(c *crowd, tag matching.Tag) {
		c.Fail(c.Peer(1), errDied, true)
		c.End(c.channels[tag])
		delete(c.channels, tag)
	}
	for name, die := range map[string]func(c *crowd){
		"the later ones have come": func(c *crowd) {
			c.comes(4, 5, 6, 7)
			cut(c, 5)
		},
		"the later ones come afterwards": func(c *crowd) {
			c.comes(4, 5)
			cut(c, 5)
			c.comes(6, 7)
		},
		"the later one comes on the next connection of the same TRC": func(c *crowd) {
			c.comes(4, 5)
			next := &Incoming{Peer: c.Peer(1), Key: Key{Tag: 5}}
			require.False(t, c.Add(next))
			c.Fail(c.Peer(1), errDied, true)
			require.Equal(t, next, c.End(c.channels[5]))
			c.channels[5], c.bytes[5] = next, nil
			c.comes(5, 7)
		},
		"the later ones, and then an earlier one": func(c *crowd) {
			c.comes(4, 5, 6, 7, 4)
			c.Fail(c.Peer(1), errDied, true)
			c.End(c.channels[7])
			delete(c.channels, 7)
			c.comes(6)
			cut(c, 5)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCrowd(t, MaxGaps)
			die(c)
			c.read()
			c.receive(4, 0)
			for tag, in := range c.channels {
				require.True(t, in.Idle(), "channel of tag %d", tag)
				c.End(in)
				delete(c.channels, tag)
			}
			for _, tag := range []matching.Tag{matching.AnyTag, 5, 6, 7} {
				r := c.start(rpi.OpRecv, tag)
				c.EndUnreachable()
				require.True(t, r.Completed(), "tag %d", tag)
				require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
			}
		})
	}
}

// What was lost in one context is nothing to another one, and nothing to one that is new under the same name.
func TestWhatIsLostIsLostInItsContext(t *testing.T) {
	c := newCrowd(t, MaxGaps)
	c.dropBehind(c.Peer(1), 7, 0)
	c.comes(5)
	c.receive(5, 0)
	c.Release(7)
	require.Empty(t, c.Peer(1).lost)
}
