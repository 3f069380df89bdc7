package failure

import (
	"encoding/binary"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/agree"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// query is a notice of rank 1 that asks for an agreement of two ranks.
func query(about matching.Context, number uint32) notice {
	return notice{from: 1, about: about, number: number, body: agree.Append(nil, &agree.Message{Kind: agree.Query}, 2)}
}

// agreed has a process alone of two, the other of which is dead, open a communicator, agree and release it.
func agreed(p *process, context matching.Context) {
	for _, step := range []op{opens(context), agrees(context, 0), closes(context)} {
		p.run(step)
	}
}

// What was agreed on is known for a while after the release of the communicator. Then it is forgotten, and what
// comes for it is kept like any notice of a communicator that is not there yet.
func TestAgreementsAreForgottenAfterAWhile(t *testing.T) {
	p := alone(t, 2)
	p.at("loses 1", func() { p.Gone(1, errEnded) })
	for i := range matching.Context(maxClosed + 1) {
		agreed(p, 8*(i+1))
	}
	require.Len(t, p.Process.states, maxClosed)
	p.take(query(16, 1))
	require.Empty(t, p.early)
	p.take(query(8, 1))
	require.Len(t, p.early, 1)
	for range maxEarly {
		p.take(query(8, 2))
	}
	require.Len(t, p.early, maxEarly)
	require.EqualValues(t, 2, p.early[0].number, "the oldest is dropped")
	p.run(opens(99))
	p.states[99].Close()
	require.Len(t, p.Process.states, maxClosed, "without an agreement nothing is kept")
}

// silent is a transport whose messages arrive nowhere.
type silent struct{ Transport }

func (silent) Start(r *rpi.Request) { r.Complete(nil) }

// While a communicator is released and forgotten, notices about it may be under way.
func TestNoticesOfACommunicatorThatIsReleasedJustThen(t *testing.T) {
	p := &Process{Size: 2, Transport: silent{}}
	done := make(chan bool)
	var all sync.WaitGroup
	for g := range uint32(2) {
		all.Go(func() {
			for r := rand.New(rand.NewPCG(uint64(g), 0)); ; {
				select {
				case <-done:
					return
				default:
					p.take(query(8*matching.Context(1+r.IntN(2*maxClosed)), r.Uint32N(3)))
				}
			}
		})
	}
	two := group.First(2)
	for i := range matching.Context(20 * maxClosed) {
		s := new(State)
		p.Open(s, 8*(1+i%(2*maxClosed)), two, two, func() {})
		s.mu.Lock()
		s.agreement(1)
		s.mu.Unlock()
		s.Close()
	}
	close(done)
	all.Wait()
}

// What no process of this library sends does no harm.
func TestWrongNoticesAreIgnored(t *testing.T) {
	p := alone(t, 2)
	for _, step := range []op{opens(8), agrees(8, 0)} {
		p.run(step)
	}
	before := len(p.queues[1])
	header := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint64(nil, 8), 1)
	for _, body := range [][]byte{nil, header[:noticeHeader-1], header, append(header, 1, 2, 3)} {
		p.at("hears 1", func() { p.hear(1, body) })
	}
	strange := query(8, 1)
	strange.from = 7
	p.take(strange)
	p.take(query(8, 9))
	require.Len(t, p.queues[1], before)
	require.NotNil(t, p.receive, "it goes on to listen")
	require.False(t, p.states[8].Revoked())
}

// Ranks that call different operations get an error, all of them.
func TestAgreementsOfDifferentKinds(t *testing.T) {
	j := newJob(t, rand.New(rand.NewPCG(0, 0)), 3)
	for rank, p := range j.processes {
		p.program = []op{opens(8), {what: "begins", do: func(p *process) {
			a := p.states[8].Agreement("op", []uint32{ForFlags, ForShrink}[rank/2], 1, 0, func(*Agreement) error { return nil })
			p.open = append(p.open, &agreement{Agreement: a})
			a.Begin()
		}}}
	}
	j.play(0, 1, func() {})
	for _, p := range j.processes {
		require.ErrorContains(t, p.open[0].Err(), "other ranks called another of Agree, Shrink and Finalize")
	}
}

// A process believes another that it takes for living: who is dead, itself too. It does not listen to one that it takes for dead.
func TestWhoIsBelievedAboutTheDead(t *testing.T) {
	for _, dead := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			p := alone(t, 4)
			p.run(opens(8))
			if dead {
				p.Report(1)
			}
			says := func(rank int) {
				m := agree.Message{Kind: agree.Query, Value: agree.Value{Failed: agree.SetOf(rank)}}
				p.at("hears 1", func() { p.take(notice{from: 1, about: 8, number: 1, body: agree.Append(nil, &m, 4)}) })
				synctest.Wait()
			}
			says(2)
			require.Equal(t, !dead, p.deaths.isGone(2))
			require.False(t, p.Expelled())
			says(0)
			require.Equal(t, !dead, p.Expelled())
			require.Equal(t, !dead, p.killed.Load())
		})
	}
}

// If all die that a process has told of a revocation it tells those behind them, and each once.
func TestARevocationGoesRoundTheDead(t *testing.T) {
	p := alone(t, 9)
	p.run(opens(8))
	p.run(revokes(8))
	for rank, q := range p.queues {
		require.Len(t, q, []int{0, 1, 1, 0, 1, 1, 0, 1, 1}[rank])
	}
	for _, neighbour := range []matching.Rank{1, 8, 2, 7, 4, 5} {
		p.at("loses a neighbour", func() { p.Gone(neighbour, errEnded) })
	}
	for _, q := range p.queues[1:] {
		require.Len(t, q, 1)
	}
}
