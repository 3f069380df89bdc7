package collective

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// still is a transport that starts receives and completes none.
type still struct {
	rpi.Transport
	receives []*rpi.Request
}

func (s *still) Start(r *rpi.Request) {
	if r.Op == rpi.OpSend {
		r.Complete(nil)
		return
	}
	s.receives = append(s.receives, r)
}

func (s *still) Cancel(r *rpi.Request) {
	if i := slices.Index(s.receives, r); i >= 0 {
		s.receives = slices.Delete(s.receives, i, i+1)
		r.Status.Cancelled = true
		r.Complete(nil)
	}
}

func (*still) Discard(matching.Context, matching.Tag) {}

// next returns the first receive in a context.
func (s *still) next(c matching.Context) *rpi.Request {
	i := slices.IndexFunc(s.receives, func(r *rpi.Request) bool { return r.Context == c })
	r := s.receives[i]
	s.receives = slices.Delete(s.receives, i, i+1)
	return r
}

// pair is a communicator of two ranks.
type pair struct{ Communicator }

func (pair) JobRank(rank int) matching.Rank { return matching.Rank(rank) }
func (pair) RankOf(job matching.Rank) int   { return int(job) }
func (pair) Revoked() bool                  { return false }

func (pair) PeerName(job matching.Rank) string { return fmt.Sprint("rank ", job) }

func (pair) Failure(op string, r *rpi.Request) *mpierr.Error { return mpierr.Wrap(op, r.Err) }

func (pair) Elsewhere(op string, class mpierr.Class, origin, _ matching.Rank) *mpierr.Error {
	return mpierr.Invalid(op, class, "failed at rank %d", origin)
}

type bytesType struct{}

func (bytesType) Name() string { return "byte" }

// A rank fails in a call, tells the others, and goes. They have heard why when they learn that it is gone.
func TestWhatARankHasSaidBeforeItWentCounts(t *testing.T) {
	const context = matching.Context(0)
	alarmed := alarm | (&terms{routine: Bcast, sig: 5}).mark()&^hashMask
	for _, c := range []struct {
		name string
		said func(s *still)
	}{
		{"to all", func(s *still) {
			r := s.next(context | Notices)
			r.Status = rpi.Status{Source: 1, Elem: uint16(rpi.ErrCount)}
			r.Complete(&rpi.TypeError{Sent: alarmed})
		}},
		{"in place of a message", func(s *still) {
			r := s.next(context | Messages)
			r.Status = rpi.Status{Source: 1, Elem: uint16(rpi.ErrCount)}
			r.Complete(&rpi.TypeError{Sent: alarmed})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &still{}
			p := &Process{Transport: s, Continuations: rpi.NewContinuations()}
			o, err := p.Open(pair{}, context, 0, 2).Begin(Bcast, Elements{Sig: 5, Exact: 5, Size: 1, Type: bytesType{}}, Nonblocking)
			require.NoError(t, err)
			require.True(t, o.Agree(1, 4, 0))
			o.Out = make([]byte, 4)
			b := o.Builder()
			b.Recv(1, schedule.Part{Buffer: schedule.Out, Offset: 0, Length: 2})
			b.Recv(1, schedule.Part{Buffer: schedule.Out, Offset: 2, Length: 2})
			whole := o.Start()
			p.Continuations.Enter()
			c.said(s)
			s.next(context | Messages).Complete(&rpi.PeerError{Peer: 1, Cause: rpi.ErrFinalized})
			p.Continuations.Leave(false)
			require.True(t, whole.Completed())
			require.ErrorIs(t, o.Outcome(), rpi.ErrCount)
			require.ErrorContains(t, o.Outcome(), "failed at rank 1")
		})
	}
}

// A rank that knows that the communicator is revoked has tried a barrier on it, and this one, which frees it, has not.
func TestRanksNeedNotAgreeOnceACommunicatorIsRevoked(t *testing.T) {
	const context = matching.Context(0)
	s := &still{}
	p := &Process{Transport: s, Continuations: rpi.NewContinuations()}
	o, err := p.Open(pair{}, context, 0, 2).Begin(Free, Elements{}, Nonblocking)
	require.NoError(t, err)
	require.True(t, o.Agree(0, 0, 0))
	o.Builder().Recv(1, schedule.Part{})
	whole := o.Start()
	p.Continuations.Enter()
	r := s.next(context | Notices)
	r.Status = rpi.Status{Source: 1, Elem: uint16(rpi.ErrRevoked)}
	r.Complete(&rpi.TypeError{Sent: alarm | (&terms{routine: Barrier}).mark()&^hashMask})
	s.next(context | Messages).Complete(&rpi.PeerError{Peer: 1, Cause: rpi.ErrFinalized})
	p.Continuations.Leave(false)
	require.True(t, whole.Completed())
	require.ErrorIs(t, o.Outcome(), rpi.ErrRevoked)
}
