package kernel

import (
	"context"
	"encoding/binary"
	"sync"
	"testing"

	"github.com/ishidawataru/sctp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func message(body []byte) socket.Message {
	return socket.Message{Data: [][]byte{body}, ZeroCopy: true, Owner: &body}
}

func TestMessagesBeforeUpAreKeptAndSentInOrder(t *testing.T) {
	e, peer := newStub(t, Config{})
	e.add(stubID)
	for i := range byte(5) {
		_, err := e.Send(stubID, []socket.Message{message([]byte{i})})
		require.NoError(t, err)
	}
	require.Empty(t, receive(t, e), "Released comes after Up")
	notify(e, sctp.SCTP_COMM_UP, 0)
	for i, b := range drain(t, peer, 5) {
		require.Equal(t, []byte{byte(i)}, b)
	}
	events := receive(t, e)
	require.Len(t, events, 6)
	assert.Equal(t, socket.Up, events[0].Kind)
	assert.Equal(t, socket.Released, events[5].Kind)
}

// What is sent after Up, while others still send what has waited for it, goes after that.
func TestMessagesDuringUpAreKeptToo(t *testing.T) {
	e, peer := newStub(t, Config{})
	a := e.add(stubID)
	_, err := e.Send(stubID, []socket.Message{message([]byte{0})})
	require.NoError(t, err)
	a.open, a.up, a.out, a.flushing = true, true, 1, true // a goroutine is about to send it
	_, err = e.Send(stubID, []socket.Message{message([]byte{1})})
	require.NoError(t, err)
	a.flushing = false
	e.mu.Lock()
	e.flush(a)
	e.mu.Unlock()
	_, err = e.Send(stubID, []socket.Message{message([]byte{2})})
	require.NoError(t, err)
	for i, b := range drain(t, peer, 3) {
		require.Equal(t, []byte{byte(i)}, b)
	}
}

func TestWhatIsKeptBeforeUpIsBounded(t *testing.T) {
	e, _ := newStub(t, Config{Config: socket.Config{SendBuffer: 64 << 10}})
	e.add(stubID)
	tiny := make([]socket.Message, 2000)
	for i := range tiny {
		tiny[i] = message([]byte{1})
	}
	n, err := e.Send(stubID, tiny)
	require.ErrorIs(t, err, socket.ErrWouldBlock)
	assert.Equal(t, (64<<10)/(1+keptOverhead), n)
}

func TestUnreceivedReleasedEventsAreBounded(t *testing.T) {
	e, peer := newStub(t, Config{})
	notify(e, sctp.SCTP_COMM_UP, 0)
	sent := 0
	for {
		n, err := e.Send(stubID, []socket.Message{message([]byte{1}), message([]byte{2})})
		sent += n
		drain(t, peer, n)
		if err != nil {
			require.ErrorIs(t, err, socket.ErrWouldBlock)
			break
		}
	}
	assert.Equal(t, maxReleases, sent)
	events := receive(t, e)
	require.Len(t, events, 1+maxReleases+1)
	assert.Equal(t, socket.Writable, events[len(events)-1].Kind)
}

func TestNeverUpGivesBackUnsent(t *testing.T) {
	e, _ := newStub(t, Config{})
	e.add(stubID)
	_, err := e.Send(stubID, []socket.Message{message([]byte{1})})
	require.NoError(t, err)
	notify(e, sctp.SCTP_CANT_STR_ASSOC, 0)
	events := receive(t, e)
	require.Len(t, events, 2)
	assert.Equal(t, socket.Unsent, events[0].Outcome)
	assert.Equal(t, socket.Lost, events[1].Kind)
	assert.ErrorIs(t, events[1].Err, socket.ErrUnreachable)
}

func TestAMessageForAStreamThatIsNotOfferedAborts(t *testing.T) {
	e, peer := newStub(t, Config{})
	e.add(stubID)
	_, err := e.Send(stubID, []socket.Message{{Stream: 10, Data: [][]byte{{1}}}})
	require.NoError(t, err)
	notify(e, sctp.SCTP_COMM_UP, 0) // with streams 0 to 9
	require.Contains(t, string(drain(t, peer, 1)[0]), "stream")
}

// TestManySendersThroughAFullBuffer proves that all is sent once, each sender's in order,
// while the buffer is full most of the time. It is there for the race detector.
func TestManySendersThroughAFullBuffer(t *testing.T) {
	const senders, each = 4, 300
	e, peer := newStub(t, Config{})
	loop := startLoop(t, e)
	notify(e, sctp.SCTP_COMM_UP, 0)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var writable gate
	var all, receiving sync.WaitGroup
	for s := range senders {
		all.Go(func() {
			for i := 0; i < each; {
				wait := writable.wait()
				body := binary.BigEndian.AppendUint16([]byte{byte(s)}, uint16(i))
				n, err := e.Send(stubID, []socket.Message{message(append(body, make([]byte, 500)...))})
				if i += n; err != nil {
					assert.ErrorIs(t, err, socket.ErrWouldBlock)
					<-wait
				}
			}
		})
	}
	receiving.Go(func() {
		events := make([]socket.Event, 8)
		for loop.Wait(ctx) == nil {
			n, err := e.Receive(events)
			assert.NoError(t, err)
			for _, event := range events[:n] {
				if event.Kind == socket.Writable {
					writable.open()
				}
			}
		}
	})
	var next [senders]int
	for _, b := range drain(t, peer, senders*each) {
		require.EqualValues(t, next[b[0]], binary.BigEndian.Uint16(b[1:]), "sender %d", b[0])
		next[b[0]]++
	}
	all.Wait()
	cancel()
	receiving.Wait()
}

// TestConcurrentReceivesGetEachPieceOnce is there for the race detector.
func TestConcurrentReceivesGetEachPieceOnce(t *testing.T) {
	const receivers, pieces = 4, 2000
	e, peer := newStub(t, Config{})
	loop := startLoop(t, e)
	notify(e, sctp.SCTP_COMM_UP, 0)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var got [pieces]int
	var mu sync.Mutex
	var all sync.WaitGroup
	left := pieces
	for range receivers {
		all.Go(func() {
			events := make([]socket.Event, 8)
			for loop.Wait(ctx) == nil {
				n, err := e.Receive(events)
				assert.NoError(t, err)
				mu.Lock()
				for i := range events[:n] {
					if events[i].Kind == socket.Data {
						got[binary.BigEndian.Uint32(events[i].Payload)]++
						left--
					}
					events[i].Release()
				}
				if left == 0 {
					cancel()
				}
				mu.Unlock()
			}
		})
	}
	for i := range pieces {
		require.NoError(t, unix.Sendmsg(peer, binary.BigEndian.AppendUint32(nil, uint32(i)), nil, nil, unix.MSG_EOR))
	}
	all.Wait()
	for i, n := range got {
		require.Equal(t, 1, n, "piece %d", i)
	}
}
