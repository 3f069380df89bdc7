package progression

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
)

// coalescer is a layer that sends to rank 1, and what it has queued.
type coalescer struct {
	t *testing.T
	taker
}

func newCoalescer(t *testing.T, cfg rpi.Config) *coalescer {
	c := &coalescer{t: t}
	cfg.Size = 2
	c.Layer = New(cfg.WithDefaults(), monitor.New(nil), InOneOrder, nil)
	return c
}

// send starts the send of n bytes, and requires that it has completed, or not.
func (c *coalescer) send(tag matching.Tag, n int, others, completes bool) *rpi.Request {
	c.t.Helper()
	r := &rpi.Request{Op: rpi.OpSend, Peer: 1, Tag: tag, Type: 1, Elem: 1, Buf: bytes.Repeat([]byte{byte(n)}, n)}
	c.Start(r, others)
	require.Equal(c.t, completes, r.Completed())
	return r
}

// messages returns the lengths of the messages in a frame.
func (c *coalescer) messages(f *Frame) (lengths []int) {
	b := append(f.Header[:], f.Body...)
	for len(b) > 0 {
		var env header.Header
		require.NoError(c.t, header.Parse(&env, b))
		b = b[header.Size:]
		n := int(env.Length)
		require.Equal(c.t, bytes.Repeat([]byte{byte(n)}, n), b[:n])
		b = b[n:]
		lengths = append(lengths, n)
	}
	require.Len(c.t, lengths, f.Messages)
	return lengths
}

func TestShortMessagesAreCoalesced(t *testing.T) {
	t.Run("if others follow the first", func(t *testing.T) {
		c := newCoalescer(t, rpi.Config{})
		c.send(0, 8, false, false)
		assert.Equal(t, []matching.Rank{1}, readyPeers(&c.ready))
		c.send(0, 1, true, true)
		c.send(0, 2, true, true)
		assert.Empty(t, readyPeers(&c.ready), "they wait for others")
		c.send(0, 3, false, true)
		assert.Equal(t, []matching.Rank{1}, readyPeers(&c.ready), "the last need not wait")
		require.Len(t, c.frames(), 2)
		assert.Equal(t, []int{8}, c.messages(c.frames()[0]))
		assert.Equal(t, []int{1, 2, 3}, c.messages(c.frames()[1]))
	})
	t.Run("unless it leaves, or has left", func(t *testing.T) {
		c := newCoalescer(t, rpi.Config{})
		c.send(0, 1, true, true)
		c.frames()[0].Started = true
		c.send(0, 2, true, true)
		c.Sent(c.frames()[0])
		c.Sent(c.frames()[1])
		c.send(0, 3, true, true)
		c.send(0, 4, false, true)
		require.Len(t, c.frames(), 3)
		assert.Equal(t, []int{3, 4}, c.messages(c.frames()[2]))
	})
	t.Run("that has room for them", func(t *testing.T) {
		c := newCoalescer(t, rpi.Config{})
		for range 10 {
			c.send(0, maxCoalesced, true, true)
		}
		c.send(0, maxCoalesced+1, true, false)
		c.send(0, 1, true, true)
		var all []int
		for _, f := range c.frames() {
			assert.LessOrEqual(t, f.Len(), coalescedSize)
			all = append(all, f.Messages)
		}
		assert.Equal(t, []int{3, 3, 3, 1, 1, 1}, all)
	})
	t.Run("and is the last: no message overtakes it", func(t *testing.T) {
		c := newCoalescer(t, rpi.Config{})
		c.send(0, 1, true, true)
		c.Bye(1)
		c.send(0, 2, true, true)
		assert.Len(t, c.frames(), 3)
	})
	t.Run("unless no goroutine would send the frame", func(t *testing.T) {
		c := newCoalescer(t, rpi.Config{Progress: rpi.Inline})
		c.send(0, 1, true, false)
	})
	t.Run("as long as there are not too many", func(t *testing.T) {
		c := newCoalescer(t, rpi.Config{})
		for range 3 {
			for range coalescedLimit / coalescedSize {
				c.send(0, 1, true, true)
				c.frames()[len(c.frames())-1].Started = true
			}
			c.send(0, 1, true, false)
			for _, f := range c.frames() {
				c.Sent(f)
			}
			c.taken = nil
		}
	})
	t.Run("which ends with its peer", func(t *testing.T) {
		c := newCoalescer(t, rpi.Config{})
		c.send(0, 1, true, true)
		c.Fail(1, rpi.ErrOther)
		c.Dropped(c.frames()[0])
		require.ErrorIs(t, c.send(0, 1, true, true).Err, rpi.ErrProcFailed)
		assert.Zero(t, c.coalesced)
	})
}
