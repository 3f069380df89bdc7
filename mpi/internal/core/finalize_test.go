package core_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/transports"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// A rank that gives up a broadcast sends an alarm to each rank to which it does not pass the message on. If there is no
// connection with that rank yet, the alarm is still to be sent when this one finalizes. It is no request of the program's, and so
// Finalize does not say that one is open.
func TestFinalizeDoesNotNameAlarms(t *testing.T) {
	const root, inner, leaf = 0, 2, 3 // of the tree of a broadcast to 4 ranks: the leaf gets it from the inner rank
	late := new(lateAlarms)
	transports.All = append(transports.All, transports.Transport{Name: "late-alarms", Open: late.open})
	t.Cleanup(func() { transports.All = transports.All[:len(transports.All)-1] })
	jobOver(t, "late-alarms", 4, func(world core.View) {
		word := core.Of(core.Basic(datatype.Uint8), []byte{0})
		bcast := func(ctx context.Context) error {
			view := world.Comm.View(ctx)
			_, err := view.Bcast(core.Blocking, word, root)
			return err
		}
		switch me := world.Rank(); me {
		case inner, leaf:
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			late.waits[me] = cancel
			require.ErrorIs(t, bcast(ctx), context.Canceled)
			require.NoError(t, world.Send("MPI_Send", rpi.Standard, word, root, 0))
			return
		case root:
			for _, from := range []int{inner, leaf} {
				_, err := world.Recv("MPI_Recv", word, from, 0)
				require.NoError(t, err)
			}
		}
		require.NoError(t, bcast(t.Context()))
	})
	require.Equal(t, 1, late.shown, "alarms that were still to be sent in Finalize")
}

// lateAlarms are transports that have no connection for alarms until they have been asked what is open, as Finalize asks them.
type lateAlarms struct {
	waits [4]func() // of each rank, called when a collective operation starts a receive
	shown int
}

func (l *lateAlarms) open(cfg rpi.Config) (rpi.Transport, error) {
	_, open, err := transports.Find("tcp-perpair")
	if err != nil {
		return nil, err
	}
	t, err := open(cfg)
	return &lateTransport{Transport: t, alarms: l, rank: cfg.Rank}, err
}

// lateTransport is that of one rank.
type lateTransport struct {
	rpi.Transport
	alarms *lateAlarms
	rank   int
	mu     sync.Mutex
	late   []*rpi.Request
}

func (t *lateTransport) Start(r *rpi.Request) {
	if r.Context&(rpi.InOrder|rpi.Internal) == rpi.InOrder {
		if wait := t.alarms.waits[t.rank]; wait != nil && r.Op == rpi.OpRecv {
			wait()
		}
		if r.Op == rpi.OpSend && collective.IsAlarm(r.Type) {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.late = append(t.late, r)
			return
		}
	}
	t.Transport.Start(r)
}

func (t *lateTransport) Pending() rpi.Snapshot {
	s := t.Transport.Pending()
	t.mu.Lock()
	late := t.late
	t.late = nil
	t.mu.Unlock()
	for _, r := range late {
		t.alarms.shown++
		s.Add(r, rpi.Connecting)
		t.Transport.Start(r)
	}
	return s
}
