package endpoint

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// borrow polls the next event, which is of data, and leaves its release to the test.
func (r *rig) borrow() socket.Event {
	r.t.Helper()
	var events [1]socket.Event
	require.Equal(r.t, 1, r.Poll(events[:]))
	require.Equal(r.t, socket.Data, events[0].Kind)
	return events[0]
}

func TestWhatIsPutBackIsHeldAgain(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	r.unread = true
	r.say(r.data(1, 0, "hello"))
	e := r.borrow()
	require.NoError(t, r.PutBack(&e, 2))
	status, err := r.Status(r.assoc)
	require.NoError(t, err)
	assert.Equal(t, 3, status.Held)
	assert.EqualValues(t, 2, status.BytesReceived)
	var events [1]socket.Event
	assert.Zero(t, r.Poll(events[:]), "the stream is on hold")
	require.NoError(t, r.Hold(r.assoc, 1, false))
	e = r.borrow()
	assert.Equal(t, "llo", string(e.Payload))
	e.Release()
	assert.Zero(t, r.pool.Lent())
}

func TestNothingIsPutBackOfAnAssociationThatIsNoMore(t *testing.T) {
	for name, end := range map[string]func(*rig){
		"aborted": func(r *rig) { r.say(wire.AppendAbort(nil, false, nil)) },
		"restarted": func(r *rig) {
			r.forget()
			r.say(wire.AppendCookieEcho(nil, r.cookie()))
		},
		"another": func(*rig) {},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, socket.Config{}).accepted()
			r.unread = true
			r.say(r.data(1, 0, "hello"))
			e := r.borrow()
			end(r)
			if name == "another" {
				e.Assoc++
			}
			assert.ErrorIs(t, r.PutBack(&e, 0), socket.ErrAssoc)
			assert.Equal(t, "hello", string(e.Payload))
			e.Release()
			assert.Zero(t, r.pool.Lent())
		})
	}
}
