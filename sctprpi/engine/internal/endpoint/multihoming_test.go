package endpoint

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/simnet"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

var good = simnet.Conditions{Delay: 10 * time.Millisecond}

// stream has a send a message every 5 ms from now on, n in all.
func (p *pair) stream(id socket.AssocID, n int) {
	for i := range n {
		p.net.At(p.net.Now()+time.Duration(i)*5*time.Millisecond, func() {
			p.a.do(func(now time.Duration) {
				_, err := p.a.Send(now, id, []socket.Message{text(socket.StreamID(i%10), strings.Repeat("m", 500))})
				require.NoError(p.t, err)
			})
		})
	}
}

func (p *pair) status(h *host, id socket.AssocID) socket.Status {
	p.t.Helper()
	s, err := h.Status(id)
	require.NoError(p.t, err)
	return s
}

func (p *pair) confirmed(id socket.AssocID) {
	p.until("both paths are confirmed", func() bool {
		a, b := p.status(p.a, id), p.status(p.b, p.seenB[0].Assoc)
		return len(a.Paths) == 2 && a.Paths[1].Confirmed && len(b.Paths) == 2 && b.Paths[1].Confirmed && b.Paths[0].Confirmed
	})
}

// Sections 5.1.2 and 5.4: with one address given, the others are learnt and confirmed.
func TestPathsAreLearntAndConfirmed(t *testing.T) {
	p := newTwoHomed(t, socket.Config{})
	p.a.do(func(now time.Duration) {
		_, err := p.a.Connect(now, p.b.addr()[0])
		require.NoError(t, err)
	})
	p.until("association is up", func() bool { return len(p.seenA) > 0 && len(p.seenB) > 0 })
	p.confirmed(p.seenA[0].Assoc)
	s := p.status(p.a, p.seenA[0].Assoc)
	assert.True(t, s.Paths[0].Primary)
	assert.Equal(t, p.b.addr()[1], s.Paths[1].Addr)
	assert.Equal(t, []socket.Kind{socket.Up}, kinds(p.seenA))
}

// Sections 6.4 and 8.2: when the primary path is cut in mid-transfer, data goes on
// over the other, and comes back when the path does.
func TestFailover(t *testing.T) {
	p := newTwoHomed(t, socket.Config{Heartbeat: time.Second})
	id := p.connect()
	p.confirmed(id)
	const messages = 2000
	p.stream(id, messages)
	p.until("transfer is under way", func() bool { return len(p.dataB) > 300 })

	p.path(0, simnet.Conditions{Down: true})
	cut, gap, last, got := p.net.Now(), time.Duration(0), p.net.Now(), len(p.dataB)
	p.until("path is down", func() bool {
		if len(p.dataB) > got {
			gap, last, got = max(gap, p.net.Now()-last), p.net.Now(), len(p.dataB)
		}
		return len(p.seenA) > 1
	})
	assert.Equal(t, socket.PathDown, p.seenA[1].Kind)
	assert.Equal(t, p.b.addr()[0], p.seenA[1].Addr)
	t.Logf("path is known to be down after %v; the longest time without data was %v", p.net.Now()-cut, gap)
	assert.Less(t, p.net.Now()-cut, 10*time.Second)
	assert.Less(t, gap, 300*time.Millisecond, "the first timeout is enough (RFC 7829)")
	assert.Greater(t, gap, time.Duration(0))

	p.until("all arrives", func() bool { return len(p.dataB) == messages })
	p.path(0, good)
	p.until("path is back", func() bool { return p.seenA[len(p.seenA)-1].Kind == socket.PathUp })
	s := p.status(p.a, id)
	assert.True(t, s.Paths[0].Up && s.Paths[0].Primary)
	flight := 0
	p.send(p.a, id, text(0, strings.Repeat("x", 5000)))
	for _, path := range p.status(p.a, id).Paths {
		if path.Primary {
			flight = path.Flight
		}
	}
	assert.NotZero(t, flight, "data goes over the primary path again")
}

// RFC 7829: data that has left the primary path because of a timeout comes back as soon as
// a heartbeat is answered there, long before the next one that is due.
func TestAShortOutageOfThePrimaryPathIsSoonForgotten(t *testing.T) {
	p := newTwoHomed(t, socket.Config{})
	id := p.connect()
	p.confirmed(id)
	p.stream(id, 1000)
	p.until("transfer is under way", func() bool { return len(p.dataB) > 100 })
	p.path(0, simnet.Conditions{Down: true})
	cut := p.net.Now()
	p.net.At(cut+200*time.Millisecond, func() { p.path(0, good) })
	primaryFlight := func() int { return p.status(p.a, id).Paths[0].Flight }
	p.until("data has left the path", func() bool { return p.net.Now() > cut && primaryFlight() == 0 })
	p.until("data is back", func() bool { return primaryFlight() > 0 })
	t.Logf("data is back on the path after %v", p.net.Now()-cut)
	assert.Less(t, p.net.Now()-cut, 2*time.Second)
	p.until("all arrives", func() bool { return len(p.dataB) == 1000 })
	assert.Equal(t, []socket.Kind{socket.Up}, kinds(p.seenA), "the path was never down")
}

// Section 8.1: when all paths are down the association is lost, in bounded time, and
// what was lent comes back.
func TestAllPathsDown(t *testing.T) {
	p := newTwoHomed(t, socket.Config{Heartbeat: time.Second, RTOMax: 2 * time.Second})
	id := p.connect()
	p.confirmed(id)
	for i := range 2 {
		p.path(i, simnet.Conditions{Down: true})
	}
	cut := p.net.Now()
	p.send(p.a, id, lent(0, "never arrives"))
	p.until("all ends", p.net.Idle)
	t.Logf("lost after %v", p.net.Now()-cut)
	for i, seen := range [][]socket.Event{p.seenA, p.seenB} {
		end := seen[len(seen)-1]
		assert.Equal(t, socket.Lost, end.Kind)
		assert.ErrorIs(t, end.Err, socket.ErrUnreachable)
		if i == 0 {
			assert.Equal(t, socket.Released, seen[len(seen)-2].Kind)
			assert.Equal(t, socket.Unacknowledged, seen[len(seen)-2].Outcome)
		}
	}
	assert.Less(t, p.net.Now()-cut, time.Minute)
	p.gone()
}

// Section 8.1: an association that is idle notices by its heartbeats that the peer has
// vanished.
func TestIdleAssociationNoticesThatThePeerIsGone(t *testing.T) {
	p := newPair(t, socket.Config{})
	p.connect()
	p.net.Run(p.net.Now()+10*time.Minute, func() bool { return false })
	require.Len(t, p.seenA, 1, "it lives as long as the peer does")
	p.link(simnet.Conditions{Down: true})
	cut := p.net.Now()
	p.until("all ends", p.net.Idle)
	assert.Equal(t, []socket.Kind{socket.Up, socket.PathDown, socket.Lost}, kinds(p.seenA))
	assert.Equal(t, []socket.Kind{socket.Up, socket.PathDown, socket.Lost}, kinds(p.seenB))
	t.Logf("lost after %v", p.net.Now()-cut)
	p.gone()
}

// An outage shorter than the limit is survived.
func TestOutageIsSurvived(t *testing.T) {
	p := newPair(t, socket.Config{Heartbeat: -1})
	id := p.connect()
	p.stream(id, 1000)
	p.until("transfer is under way", func() bool { return len(p.dataB) > 100 })
	p.link(simnet.Conditions{Down: true})
	p.net.At(p.net.Now()+5*time.Second, func() { p.link(good) })
	p.until("all arrives", func() bool { return len(p.dataB) == 1000 })
	assert.NotEqual(t, socket.Lost, p.seenA[len(p.seenA)-1].Kind)
	p.a.do(func(now time.Duration) { require.NoError(t, p.a.Shutdown(now, id)) })
	p.until("all ends", p.net.Idle)
	p.gone()
}
