package kernel

import (
	"errors"
	"testing"
	"time"

	"github.com/ishidawataru/sctp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func last(t *testing.T, e *endpoint) socket.Event {
	t.Helper()
	events := receive(t, e)
	require.NotEmpty(t, events)
	return events[len(events)-1]
}

func TestAnAbortOfThePeerSaysWhy(t *testing.T) {
	for name, c := range map[string]struct {
		causes []byte
		want   socket.AbortError
	}{
		"with a reason":            {[]byte("\x00\x0c\x00\x07why"), socket.AbortError{Remote: true, Cause: 12, Reason: "why"}},
		"without":                  {[]byte("\x00\x0c\x00\x04"), socket.AbortError{Remote: true, Cause: 12}},
		"of a length that is none": {[]byte("\x00\x0c\x00\xffwhy"), socket.AbortError{Remote: true, Cause: 12}},
	} {
		t.Run(name, func(t *testing.T) {
			e, _ := newStub(t, Config{})
			notify(e, sctp.SCTP_COMM_UP, 0)
			notify(e, sctp.SCTP_COMM_LOST, 12, c.causes...)
			end := last(t, e)
			require.Equal(t, socket.Aborted, end.Kind)
			assert.Equal(t, &c.want, end.Err)
		})
	}
}

// What Linux says when it has counted enough retransmissions is said in our words.
func TestTheSilenceOfAPeerIsSaidToBe(t *testing.T) {
	e, _ := newStub(t, Config{})
	notify(e, sctp.SCTP_COMM_UP, 0)
	notify(e, sctp.SCTP_COMM_LOST, 13, []byte("\x00\x0d\x00\x2eAssociation exceeded its max_retrans count\x00")...)
	var abort *socket.AbortError
	require.ErrorAs(t, last(t, e).Err, &abort)
	assert.True(t, abort.Silence())

	for _, down := range []bool{true, false} {
		e, _ = newStub(t, Config{Config: socket.Config{PeerTimeout: time.Minute}})
		notify(e, sctp.SCTP_COMM_UP, 0)
		for _, a := range e.assocs {
			a.silent = down
		}
		notify(e, sctp.SCTP_COMM_LOST, 0)
		end := last(t, e)
		require.Equal(t, socket.Lost, end.Kind)
		require.ErrorIs(t, end.Err, socket.ErrUnreachable)
		assert.Equal(t, down, errors.Is(end.Err, socket.ErrSilent))
	}
}

func TestARestartForgetsWhatWasUnderWay(t *testing.T) {
	e, _ := newStub(t, Config{})
	notify(e, sctp.SCTP_COMM_UP, 0)
	handle(e, record{payload: []byte("some"), memory: newSlab()})
	notify(e, sctp.SCTP_RESTART, 0)
	handle(e, record{payload: []byte("new"), memory: newSlab(), end: true})
	event := last(t, e)
	assert.True(t, event.Begin && event.End)
	assert.Equal(t, "new", string(event.Payload))
}

func TestWholeMessagesArePutTogether(t *testing.T) {
	e, _ := newStub(t, Config{Config: socket.Config{WholeMessages: true}})
	notify(e, sctp.SCTP_COMM_UP, 0)
	receive(t, e)
	handle(e, record{payload: []byte("some, "), memory: newSlab()})
	require.Empty(t, receive(t, e))
	handle(e, record{payload: []byte("and the rest"), memory: newSlab(), end: true})
	event := last(t, e)
	assert.True(t, event.Begin && event.End)
	assert.Equal(t, "some, and the rest", string(event.Payload))
	event.Release()
}

func TestMessagesInPartThatFillTheReceiveBufferEndTheAssociation(t *testing.T) {
	e, _ := newStub(t, Config{Config: socket.Config{WholeMessages: true, ReceiveBuffer: 1000}})
	notify(e, sctp.SCTP_COMM_UP, 0)
	handle(e, record{payload: make([]byte, 1001), memory: newSlab()})
	require.Len(t, e.reader.refused, 1)
	notify(e, sctp.SCTP_COMM_LOST, 12)
	end := last(t, e)
	assert.Equal(t, socket.Aborted, end.Kind)
	assert.ErrorContains(t, end.Err, "receive buffer")
}

func TestAMessageThatIsBrokenOffIsSaidToBe(t *testing.T) {
	e, _ := newStub(t, Config{})
	notify(e, sctp.SCTP_COMM_UP, 0)
	handle(e, record{payload: []byte("some"), memory: newSlab()})
	handle(e, record{notification: true, end: true, payload: encode(partialDelivery{
		NotificationHeader: sctp.NotificationHeader{Type: uint16(sctp.SCTP_PARTIAL_DELIVERY_EVENT)}, Assoc: stubID,
	})})
	event := last(t, e)
	assert.True(t, event.Broken)
	assert.Empty(t, event.Payload)
}

func TestTheRestOfALongNotificationIsSkipped(t *testing.T) {
	e, _ := newStub(t, Config{})
	handle(e, record{notification: true, payload: make([]byte, 20)})
	handle(e, record{notification: true, end: true, payload: []byte("the rest of it, which means nothing")})
	require.Empty(t, receive(t, e))
	notify(e, sctp.SCTP_COMM_UP, 0)
	assert.Equal(t, socket.Up, last(t, e).Kind)
}
