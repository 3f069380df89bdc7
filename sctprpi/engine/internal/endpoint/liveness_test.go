package endpoint

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/simnet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// patience is how long the peers of these tests may be silent.
const patience = time.Minute

func patient() socket.Config {
	return socket.Config{
		PeerTimeout: patience, RTOInitial: 200 * time.Millisecond, RTOMax: 2 * time.Second, Heartbeat: 5 * time.Second,
		AssocRetransmissions: 8, PathRetransmissions: 4,
	}
}

func (p *pair) last(events []socket.Event) socket.Event {
	require.NotEmpty(p.t, events)
	return events[len(events)-1]
}

// pass lets time pass.
func (p *pair) pass(d time.Duration) { p.net.Run(p.net.Now()+d, func() bool { return false }) }

// Config.PeerTimeout: a dead peer is noticed after that time, however many timeouts fall into
// it, whether something was being sent or not.
func TestSilenceIsCountedInTime(t *testing.T) {
	for name, busy := range map[string]bool{"idle": false, "busy": true} {
		t.Run(name, func(t *testing.T) {
			p := newPair(t, patient())
			id := p.connect()
			p.pass(7 * time.Minute)
			if busy {
				p.stream(id, 10)
			}
			p.link(simnet.Conditions{Down: true})
			died := p.net.Now()
			p.until("the peer is given up", func() bool { return p.last(p.seenA).Kind == socket.Lost })
			after := p.net.Now() - died
			assert.GreaterOrEqual(t, after, patience-8*time.Second) // since the last heartbeat
			assert.Less(t, after, patience+4*time.Second)
			assert.ErrorIs(t, p.last(p.seenA).Err, socket.ErrSilent)
			assert.ErrorIs(t, p.last(p.seenA).Err, socket.ErrUnreachable)
		})
	}
}

// What the network cannot carry for less than that is only late.
func TestAnOutageThatIsShorterThanThePeerTimeout(t *testing.T) {
	p := newPair(t, patient())
	id := p.connect()
	p.link(simnet.Conditions{Down: true})
	p.stream(id, 10)
	p.net.At(p.net.Now()+patience-5*time.Second, func() { p.link(good) })
	p.until("all arrives", func() bool { return len(p.dataB) == 10 })
	assert.NotContains(t, kinds(p.seenA), socket.Lost)
}

// A process that was stopped for less than the time-out goes on as if nothing had been.
func TestAProcessThatIsStoppedForAWhile(t *testing.T) {
	p := newPair(t, patient())
	id := p.connect()
	p.stream(id, 10)
	p.send(p.b, p.seenB[0].Assoc, text(0, "back"))
	p.b.stop(patience - 5*time.Second)
	p.until("all arrives", func() bool { return len(p.dataB) == 10 && len(p.dataA) == 1 })
	p.pass(5 * time.Minute)
	assert.NotContains(t, kinds(p.seenA), socket.Lost)
	assert.Equal(t, []socket.Kind{socket.Up}, kinds(p.seenB))
}

// Status.Silence: how long a peer has not answered, 0 once it has.
func TestStatusTellsHowLongThePeerIsSilent(t *testing.T) {
	p := newPair(t, patient())
	id := p.connect()
	silence := func() time.Duration {
		s, err := p.a.Status(id)
		require.NoError(t, err)
		return s.Silence
	}
	p.pass(time.Minute)
	assert.Zero(t, silence(), "an idle peer answers heartbeats")
	p.link(simnet.Conditions{Down: true})
	p.pass(patience / 2)
	assert.InDelta(t, (patience / 2).Seconds(), silence().Seconds(), 9) // since the last heartbeat, until the last one
	p.link(good)
	p.pass(9 * time.Second)
	assert.Zero(t, silence())
}

// One that was stopped for longer is told that its peer has given it up, and does not take
// the silence of its own sleep for the peer's.
func TestAProcessThatIsStoppedForTooLongIsTold(t *testing.T) {
	for name, busy := range map[string]bool{"idle": false, "busy": true} {
		t.Run(name, func(t *testing.T) {
			p := newPair(t, patient())
			id := p.connect()
			p.pass(time.Minute)
			if busy {
				p.stream(id, 10)
				p.send(p.b, p.seenB[0].Assoc, text(0, strings.Repeat("back", 10_000)))
			}
			p.b.stop(2 * patience)
			p.until("it is given up", func() bool { return p.last(p.seenA).Kind == socket.Lost })
			p.until("it is told", func() bool { return len(p.seenB) > 1 })
			assert.Equal(t, []socket.Kind{socket.Up, socket.Aborted}, kinds(p.seenB))
			var abort *socket.AbortError
			require.ErrorAs(t, p.seenB[1].Err, &abort)
			assert.True(t, abort.Silence())
			assert.Equal(t, "nothing was heard from the peer for 1m0s", abort.Reason)
		})
	}
}

// Time in which this process did not run is no silence of the peer's.
func TestOnesOwnSleepIsNoSilenceOfThePeer(t *testing.T) {
	p := newPair(t, patient())
	p.a.host.Config.PeerTimeout = time.Hour // it does not give up
	id := p.connect()
	p.link(simnet.Conditions{Down: true}) // nothing of this arrives
	p.send(p.b, p.seenB[0].Assoc, text(0, "back"))
	p.stream(id, 10)
	p.pass(time.Second)
	p.b.stop(10 * patience)
	p.pass(10*patience - time.Second)
	status, err := p.b.Status(p.seenB[0].Assoc)
	require.NoError(t, err)
	assert.Less(t, status.Silence, 2*time.Second)
	p.link(good)
	p.until("all arrives", func() bool { return len(p.dataB) == 10 && len(p.dataA) == 1 })
	assert.NotContains(t, kinds(p.seenB), socket.Lost)
}

// Section 6.1, rule A: a peer that takes no data, but answers probes of its window, lives,
// even if many probes and answers are lost.
func TestAClosedWindowIsNoSilence(t *testing.T) {
	c := patient()
	c.ReceiveBuffer = 64 << 10
	p := newPair(t, c)
	id := p.connect()
	p.b.on = nil // reads nothing
	for range 10 {
		p.send(p.a, id, text(0, strings.Repeat("x", 20_000)))
	}
	p.link(simnet.Conditions{Delay: 10 * time.Millisecond, Loss: 0.4})
	p.a.filter = func(b []byte) bool { return !carries(b, wire.TypeHeartbeat) } // nor any other sign
	p.pass(30 * time.Minute)
	assert.NotContains(t, kinds(p.seenA), socket.Lost)
	p.a.filter = nil
	p.link(good)
	p.b.on = record(&p.seenB, &p.dataB)
	p.b.do(func(time.Duration) {})
	p.until("all arrives", func() bool { return len(p.dataB) == 10 })
}

// With several paths one that fails is left long before the peer counts as gone.
func TestPathsFailBeforeThePeerDoes(t *testing.T) {
	p := newTwoHomed(t, patient())
	id := p.connect()
	p.confirmed(id)
	p.path(0, simnet.Conditions{Down: true})
	p.stream(id, 10)
	cut := p.net.Now()
	p.until("all arrives", func() bool { return len(p.dataB) == 10 })
	assert.Less(t, p.net.Now()-cut, 2*time.Second)
	p.until("the path is down", func() bool { return p.last(p.seenA).Kind == socket.PathDown })
	assert.Less(t, p.net.Now()-cut, patience/2)
	p.pass(10 * patience)
	assert.NotContains(t, kinds(p.seenA), socket.Lost)
}

// PeerTimeout does not delay the reaction to a report that the port is unreachable.
func TestUnreachablePortDoesNotWaitForThePeerTimeout(t *testing.T) {
	p := newPair(t, patient())
	id := p.connect()
	killed := p.net.Now()
	p.link(simnet.Conditions{Down: true})
	p.reportUnreachable(p.peerTag(id), 0, 5*time.Second)
	p.until("association is lost", func() bool { return p.last(p.seenA).Kind == socket.Lost })
	assert.Less(t, p.net.Now()-killed, time.Second)
	assert.NotErrorIs(t, p.last(p.seenA).Err, socket.ErrSilent)
}

// A shutdown waits for a peer as long as anything else does.
func TestAShutdownWaitsForAStoppedPeer(t *testing.T) {
	p := newPair(t, patient())
	id := p.connect()
	p.b.stop(patience - 5*time.Second)
	p.a.do(func(now time.Duration) { require.NoError(t, p.a.Shutdown(now, id)) })
	p.until("both have closed", func() bool {
		return p.last(p.seenA).Kind == socket.Closed && p.last(p.seenB).Kind == socket.Closed
	})
}
