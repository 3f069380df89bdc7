package progression

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// joiner is a layer that sends to rank 1, and what it has queued.
type joiner struct {
	t *testing.T
	*Layer
	link sinkhole
}

func newJoiner(t *testing.T, cfg rpi.Config) *joiner {
	j := &joiner{t: t}
	cfg.Size = 2
	j.Layer = New(cfg.WithDefaults(), &j.link)
	return j
}

// send starts the send of n bytes, and requires that it has completed, or not.
func (j *joiner) send(tag matching.Tag, n int, others, completes bool) *rpi.Request {
	j.t.Helper()
	r := &rpi.Request{Op: rpi.OpSend, Peer: 1, Tag: tag, Type: 1, Elem: 1, Buf: bytes.Repeat([]byte{byte(n)}, n)}
	j.Start(r, others)
	require.Equal(j.t, completes, r.Completed())
	return r
}

// messages returns the lengths of the messages in a frame.
func (j *joiner) messages(f *Frame) (lengths []int) {
	b := append(f.Header[:], f.Body...)
	for len(b) > 0 {
		var env matching.Envelope
		require.NoError(j.t, matching.ParseEnvelope(&env, b))
		b = b[matching.EnvelopeSize:]
		n := int(env.Length)
		require.Equal(j.t, bytes.Repeat([]byte{byte(n)}, n), b[:n])
		b = b[n:]
		lengths = append(lengths, n)
	}
	require.Len(j.t, lengths, f.Messages)
	return lengths
}

func TestShortMessagesShareAFrame(t *testing.T) {
	t.Run("if others follow the first", func(t *testing.T) {
		j := newJoiner(t, rpi.Config{})
		j.send(0, 8, false, false)
		assert.Equal(t, []matching.Rank{1}, turns(&j.Agenda))
		j.send(0, 1, true, true)
		j.send(0, 2, true, true)
		assert.Empty(t, turns(&j.Agenda), "they wait for others")
		j.send(0, 3, false, true)
		assert.Equal(t, []matching.Rank{1}, turns(&j.Agenda), "the last need not wait")
		require.Len(t, j.link.frames, 2)
		assert.Equal(t, []int{8}, j.messages(j.link.frames[0]))
		assert.Equal(t, []int{1, 2, 3}, j.messages(j.link.frames[1]))
	})
	t.Run("unless it leaves, or has left", func(t *testing.T) {
		j := newJoiner(t, rpi.Config{})
		j.send(0, 1, true, true)
		j.link.frames[0].Started = true
		j.send(0, 2, true, true)
		j.Sent(j.link.frames[0])
		j.Sent(j.link.frames[1])
		j.send(0, 3, true, true)
		j.send(0, 4, false, true)
		require.Len(t, j.link.frames, 3)
		assert.Equal(t, []int{3, 4}, j.messages(j.link.frames[2]))
	})
	t.Run("that has room for them", func(t *testing.T) {
		j := newJoiner(t, rpi.Config{})
		for range 10 {
			j.send(0, joinable, true, true)
		}
		j.send(0, joinable+1, true, false)
		j.send(0, 1, true, true)
		var all []int
		for _, f := range j.link.frames {
			assert.LessOrEqual(t, f.Len(), jointSize)
			all = append(all, f.Messages)
		}
		assert.Equal(t, []int{3, 3, 3, 1, 1, 1}, all)
	})
	t.Run("and is the last: nobody overtakes", func(t *testing.T) {
		j := newJoiner(t, rpi.Config{})
		j.send(0, 1, true, true)
		j.Bye(1)
		j.send(0, 2, true, true)
		assert.Len(t, j.link.frames, 3)
	})
	t.Run("unless nobody would see to it that it leaves", func(t *testing.T) {
		j := newJoiner(t, rpi.Config{Progress: rpi.Inline})
		j.send(0, 1, true, false)
	})
	t.Run("as long as there are not too many", func(t *testing.T) {
		j := newJoiner(t, rpi.Config{})
		for range 3 {
			for range jointLimit / jointSize {
				j.send(0, 1, true, true)
				j.link.frames[len(j.link.frames)-1].Started = true
			}
			j.send(0, 1, true, false)
			for _, f := range j.link.frames {
				j.Sent(f)
			}
			j.link.frames = nil
		}
	})
	t.Run("which ends with its peer", func(t *testing.T) {
		j := newJoiner(t, rpi.Config{})
		j.send(0, 1, true, true)
		j.Fail(1, rpi.ErrOther)
		j.Dropped(j.link.frames[0])
		require.ErrorIs(t, j.send(0, 1, true, true).Err, rpi.ErrProcFailed)
		assert.Zero(t, j.joint)
	})
}
