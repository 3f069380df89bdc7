package endpoint

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/simnet"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// long is a pair of which a sends a message of 16 times its send buffer, without a copy.
type long struct {
	*pair
	id       socket.AssocID
	data     []byte
	released []socket.Outcome // at a
	got      []byte           // of the long message, at b
	short    []string         // at b
	between  int              // short messages that came before the end of the long one
}

const longStream, shortStream = socket.StreamID(1), socket.StreamID(2)

func newLong(t *testing.T) *long {
	l := &long{
		pair: newPair(t, socket.Config{
			Interleaving: true, Scheduler: socket.RoundRobin, Heartbeat: -1, SendBuffer: 64 << 10,
		}),
		data: make([]byte, 1<<20),
	}
	for i := range l.data {
		l.data[i] = byte(i % 251)
	}
	l.id = l.connect()
	l.link(simnet.Conditions{Delay: 10 * time.Millisecond, Rate: 100e6, Loss: 0.001})
	l.a.on = func(e *socket.Event) {
		if e.Kind == socket.Released {
			l.released = append(l.released, e.Outcome)
		}
	}
	l.b.on = func(e *socket.Event) {
		switch {
		case e.Stream == longStream:
			l.got = append(l.got, e.Payload...)
		case e.Kind == socket.Data:
			l.short = append(l.short, string(e.Payload))
			if len(l.got) < len(l.data) {
				l.between++
			}
		}
	}
	m := socket.Message{Stream: longStream, Data: [][]byte{l.data[:1000], l.data[1000:]}, ZeroCopy: true, Owner: l}
	l.send(l.a, l.id, m)
	return l
}

func (l *long) status() socket.Status {
	status, err := l.a.Status(l.id)
	require.NoError(l.t, err)
	return status
}

func TestShortMessagesPassALongOne(t *testing.T) {
	l := newLong(t)
	status := l.status()
	assert.Equal(t, len(l.data), status.Queued+status.Outstanding)
	var want []string
	for i := range 20 {
		want = append(want, string(rune('a'+i)))
		l.send(l.a, l.id, text(shortStream, want[i]))
		l.until("it arrives", func() bool { return len(l.short) == i+1 })
	}
	assert.Equal(t, want, l.short)
	assert.GreaterOrEqual(t, l.between, 4, "the long one takes several round trips")
	l.until("the long one arrives", func() bool { return len(l.released) > 0 })
	assert.Equal(t, l.data, l.got)
	assert.Equal(t, []socket.Outcome{socket.Acknowledged}, l.released)
	l.until("all is acknowledged", func() bool {
		status := l.status()
		return status.Queued+status.Outstanding == 0
	})
}

func TestALongMessageEndsWithItsAssociation(t *testing.T) {
	for name, end := range map[string]func(*long) error{
		"aborted": func(l *long) error { return l.a.Abort(l.id, "") },
		"by peer": func(l *long) error { return l.b.Abort(l.seenB[0].Assoc, "") },
	} {
		t.Run(name, func(t *testing.T) {
			l := newLong(t)
			l.until("some has arrived", func() bool { return len(l.got) > 100_000 })
			l.a.do(func(time.Duration) { require.NoError(t, end(l)) })
			l.b.do(func(time.Duration) {})
			l.until("all ends", l.net.Idle)
			assert.Equal(t, []socket.Outcome{socket.Unacknowledged}, l.released)
			assert.Zero(t, l.a.Associations()+l.b.Associations())
			assert.Zero(t, l.a.pool.Lent()+l.b.pool.Lent())
		})
	}
}

// A graceful end waits for all of it.
func TestShutdownWaitsForALongMessage(t *testing.T) {
	l := newLong(t)
	l.a.do(func(now time.Duration) { require.NoError(t, l.a.Shutdown(now, l.id)) })
	l.until("all ends", l.net.Idle)
	assert.Equal(t, l.data, l.got)
	assert.Equal(t, []socket.Outcome{socket.Acknowledged}, l.released)
}
