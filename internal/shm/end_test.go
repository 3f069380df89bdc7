package shm

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/shm/internal/meeting"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// What a peer has written before its end counts, in whatever way the end becomes known: here a message and an acknowledgement, which
// are in the ring, and have not been looked at.
func TestTheEndDoesNotOvertakeWhatWasWritten(t *testing.T) {
	for how, end := range map[string]func(l *Link){
		"its process has ended":    func(l *Link) { l.died(1) },
		"others say that it ended": func(l *Link) { l.GiveUp(1, errors.New("it has ended")) },
	} {
		t.Run(how, func(t *testing.T) {
			a, b := newSide(t, 0), newSide(t, 1)
			ours, theirs, err := a.link.bind(b.link)
			require.NoError(t, err)
			a.use(t, ours)
			b.use(t, theirs)
			acknowledged := a.startRequest(&rpi.Request{Op: rpi.OpSend, Mode: rpi.Synchronous, Tag: 1, Buf: []byte("short")}, false)
			unheard := a.startRequest(&rpi.Request{Op: rpi.OpSend, Mode: rpi.Synchronous, Tag: 2, Buf: []byte("short")}, false)
			taken := b.start(rpi.OpRecv, 1, make([]byte, 5), false)
			require.True(t, b.link.poll(1))
			require.True(t, taken.Completed())
			const many = 3 * recordsInTurn
			for range many {
				b.start(rpi.OpSend, 3, []byte("reply"), false)
			}
			end(a.link)
			require.True(t, acknowledged.Completed())
			require.NoError(t, acknowledged.Err)
			require.True(t, unheard.Completed())
			require.ErrorIs(t, unheard.Err, rpi.ErrProcFailed)
			for range many {
				reply := a.start(rpi.OpRecv, 3, make([]byte, 5), false)
				require.True(t, reply.Completed())
				require.NoError(t, reply.Err)
			}
		})
	}
}

// So does what it has written while this rank has not learned yet that they have met.
func TestTheEndDoesNotOvertakeWhatWasWrittenInAMeeting(t *testing.T) {
	a, b := newSide(t, 0), newSide(t, 1)
	ours, theirs, err := a.link.bind(b.link)
	require.NoError(t, err)
	p := a.meeting()
	b.use(t, theirs) // for the other rank the meeting has ended
	const many = 3 * recordsInTurn
	for range many {
		b.start(rpi.OpSend, 3, []byte("last"), false)
	}
	unsent := a.start(rpi.OpSend, 1, []byte("reply"), false)
	require.True(t, a.link.GiveUp(1, errors.New("it has ended")))
	require.False(t, unsent.Completed())
	require.NoError(t, a.link.attach(p, ours))
	for range many {
		last := a.start(rpi.OpRecv, 3, make([]byte, 4), false)
		require.True(t, last.Completed())
		require.NoError(t, last.Err)
	}
	fails(t, a)
	require.Error(t, a.link.attach(p, ours), "it stays so")
}

// A peer with which nothing has been shared has failed when its meeting has come to nothing, or takes too long.
func TestAPeerThatIsGivenUpInAMeetingFails(t *testing.T) {
	for how, end := range map[string]func(l *Link, p *peer){
		"this rank had begun it":   func(l *Link, p *peer) { l.update(func() { l.dialed(p, meeting.ErrNoAnswer) }) },
		"the peer had begun it":    func(l *Link, p *peer) { p.dialing, p.accepting = false, true; l.update(func() { l.accepted(p) }) },
		"it has not ended in time": func(l *Link, p *peer) { l.failUndecided(p, p.lost) },
		"both had begun, one after": func(l *Link, p *peer) {
			p.accepting = true
			l.update(func() { l.dialed(p, nil) })
			l.update(func() { l.accepted(p) })
		},
	} {
		t.Run(how, func(t *testing.T) {
			a := newSide(t, 0)
			p := a.meeting()
			unsent, waiting := a.start(rpi.OpSend, 1, []byte("reply"), false), a.start(rpi.OpRecv, 1, nil, false)
			require.True(t, a.link.GiveUp(1, errors.New("it has ended")))
			require.False(t, waiting.Completed())
			end(a.link, p)
			for _, r := range []*rpi.Request{unsent, waiting} {
				require.True(t, r.Completed())
			}
			require.ErrorIs(t, waiting.Err, rpi.ErrProcFailed)
			fails(t, a)
		})
	}
}

// meeting has the link meet its peer.
func (s *side) meeting() *peer {
	s.lock.Lock()
	defer s.lock.Unlock()
	p := s.link.peer(1 - s.link.rank())
	p.stage, p.dialing = deciding, true
	return p
}

// fails expects that the peer has failed.
func fails(t *testing.T, s *side) {
	never := s.start(rpi.OpRecv, 9, nil, false)
	require.True(t, never.Completed())
	require.ErrorIs(t, never.Err, rpi.ErrProcFailed)
}
