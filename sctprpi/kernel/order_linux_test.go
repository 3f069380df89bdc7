package kernel

import (
	"testing"

	"github.com/ishidawataru/sctp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// reading is an endpoint with an association, 1, of which records are handled.
type reading struct {
	t *testing.T
	*endpoint
}

func newReading(t *testing.T) *reading {
	r := &reading{t, &endpoint{assocs: make(map[socket.AssocID]*association)}}
	r.config.ReceiveBuffer = 50
	r.assocs[1] = &association{id: 1}
	return r
}

// handles handles a piece of a message with the number ssn of a stream.
func (r *reading) handles(stream, ssn uint16, payload string, end bool) {
	r.endpoint.handle(&record{
		rcvInfo: rcvInfo{stream: stream, ssn: ssn, assoc: 1}, end: end, payload: []byte(payload), memory: newSlab(),
	})
}

// requireReceived requires that what has been delivered, since it was last required, is pieces
// with these payloads.
func (r *reading) requireReceived(payloads ...string) {
	r.t.Helper()
	var got []string
	for !r.queue.empty() {
		event, _ := r.queue.pop()
		require.Equal(r.t, socket.Data, event.Kind)
		got = append(got, string(event.Payload))
	}
	require.Equal(r.t, payloads, got)
}

func TestOrder(t *testing.T) {
	t.Run("what comes in order is not kept", func(t *testing.T) {
		r := newReading(t)
		r.handles(0, 0, "a", true)
		r.handles(1, 0, "A", false)
		r.handles(0, 1, "b", true)
		r.handles(1, 0, "B", true)
		r.requireReceived("a", "A", "b", "B")
	})
	t.Run("what has been overtaken comes first", func(t *testing.T) {
		// As Linux has it after message x, which was delivered in part.
		r := newReading(t)
		r.handles(1, 0, "x", false)
		r.handles(1, 0, "x", true)
		r.handles(1, 1, "y", true)
		r.handles(2, 1, "long", false)
		r.handles(2, 1, "er", true)
		r.handles(2, 2, "after", true)
		r.requireReceived("x", "x", "y")
		r.handles(2, 0, "short", true)
		r.handles(0, 0, "z", true)
		r.requireReceived("short", "long", "er", "after", "z")
		assert.Zero(t, r.early.Load())
	})
	t.Run("what is missing when all has been read was given up", func(t *testing.T) {
		r := newReading(t)
		r.handles(2, 7, "c", true)
		r.handles(2, 5, "a", false)
		r.handles(2, 5, "b", true)
		r.handles(3, 1, "d", true)
		r.letAllGo()
		r.requireReceived("a", "b", "c", "d")
		r.handles(2, 8, "e", true)
		r.requireReceived("e")
	})
	t.Run("unless a message is incomplete", func(t *testing.T) {
		r := newReading(t)
		r.handles(1, 0, "x", false)
		r.handles(2, 1, "b", true)
		r.letAllGo()
		r.requireReceived("x")
		r.handles(2, 0, "a", true)
		r.handles(1, 0, "y", true)
		r.requireReceived("a", "b", "y")
	})
	t.Run("numbers go round", func(t *testing.T) {
		r := newReading(t)
		r.assocs[1].order.next = map[uint16]uint16{0: 65535}
		r.handles(0, 0, "b", true)
		r.handles(0, 65535, "a", true)
		r.requireReceived("a", "b")
	})
	t.Run("the end of the association lets all go", func(t *testing.T) {
		r := newReading(t)
		r.handles(2, 1, "b", true)
		r.mu.Lock()
		r.end(r.assocs[1], socket.Event{Kind: socket.Data, Payload: []byte("the end")})
		r.mu.Unlock()
		r.requireReceived("b", "the end")
	})
	t.Run("no more waits than there is room for", func(t *testing.T) {
		r := newReading(t)
		for ssn := range uint16(11) {
			r.handles(2, 1+ssn, "ten bytes.", true)
		}
		assert.Zero(t, r.early.Load())
		assert.Zero(t, r.assocs[1].order.bytes)
		assert.Len(t, r.queue.entries, 11)
	})
	t.Run("unordered messages have no turn", func(t *testing.T) {
		r := newReading(t)
		r.endpoint.handle(&record{rcvInfo: rcvInfo{ssn: 9, assoc: 1, flags: sctp.SCTP_UNORDERED}, end: true, payload: []byte("u"), memory: newSlab()})
		r.requireReceived("u")
	})
}
