package sctprpi

import (
	"context"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// simulation is a job of two processes on a simulated network, whose time passes in run
// only.
type simulation struct {
	t     *testing.T
	world *enginetest.World
	ranks [2]*Transport
	at    [2]netip.Addr
}

// simulate starts a job and connects its processes, whose sockets tune may change.
func simulate(t *testing.T, o Options, c enginetest.Conditions, tune ...func(*socket.Config)) *simulation {
	s := &simulation{t: t, world: enginetest.New(1)}
	o.Listen = func(c socket.Config, local netip.Addr, port uint16) (socket.Core, error) {
		for _, change := range tune {
			change(&c)
		}
		return s.world.Listen(c, local, port)
	}
	s.at = [2]netip.Addr{netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("10.0.0.2")}
	s.world.Duplex(s.at[0], s.at[1], c)
	for rank := range s.ranks {
		var err error
		s.ranks[rank], err = New(rpi.Config{
			Rank: rank, Size: 2, Token: []byte("secret"), Bind: s.at[rank],
			Lookup: func(_ context.Context, peer int) (string, error) { return s.ranks[peer].Address(), nil },
		}, o)
		require.NoError(t, err)
	}
	s.together(func(ctx context.Context, r *Transport) error { return r.Connect(ctx) })
	s.pass(0) // an event loop may still be about to send the last message of the handshake
	t.Cleanup(func() {
		s.world.Filter(nil)
		s.together(func(ctx context.Context, r *Transport) error { return r.Close(ctx) })
	})
	return s
}

// together has both ranks do something for which time must pass.
func (s *simulation) together(do func(context.Context, *Transport) error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	driven, stop := context.WithCancel(ctx)
	var driver, all sync.WaitGroup
	driver.Go(func() { s.world.Drive(driven) })
	var errs [2]error
	for i, r := range s.ranks {
		all.Go(func() { errs[i] = do(ctx, r) })
	}
	all.Wait()
	stop()
	driver.Wait()
	require.NoError(s.t, errs[0])
	require.NoError(s.t, errs[1])
}

// start starts a request at a rank, not to wait for others, and returns it.
func (s *simulation) start(rank int, r *rpi.Request) *rpi.Request {
	s.ranks[rank].Start(r)
	user{s.ranks[rank]}.Release()
	return r
}

func message(op rpi.Op, tag matching.Tag, body []byte) *rpi.Request {
	return &rpi.Request{Op: op, Tag: tag, Type: 1, Elem: 1, Buf: body}
}

// send starts a send from rank 0 to rank 1.
func (s *simulation) send(tag matching.Tag, body []byte) *rpi.Request {
	r := message(rpi.OpSend, tag, body)
	r.Peer = 1
	return s.start(0, r)
}

// post starts a receive, or a probe, of rank 0's messages at rank 1.
func (s *simulation) post(op rpi.Op, tag matching.Tag, buf []byte) *rpi.Request {
	return s.start(1, message(op, tag, buf))
}

// run lets time pass until requests have completed.
func (s *simulation) run(rs ...*rpi.Request) {
	s.t.Helper()
	require.True(s.t, s.world.Run(s.world.Now()+time.Hour, func() bool {
		for _, r := range rs {
			if !r.Completed() {
				return false
			}
		}
		return true
	}), "the requests never complete")
	for _, r := range rs {
		require.NoError(s.t, r.Err)
	}
}

// pass lets a time pass, and before that the event loops do what they have to do.
func (s *simulation) pass(d time.Duration) {
	s.world.Run(s.world.Now()+d, func() bool { return false })
}

// loseNext loses the next packet that rank 0 sends.
func (s *simulation) loseNext() {
	lost := false
	from := s.at[0]
	s.world.Filter(func(source, _ netip.AddrPort, _ []byte) bool {
		pass := lost || source.Addr() != from
		lost = lost || source.Addr() == from
		return pass
	})
}

// apart returns two tags whose messages take different streams if there are several.
func (s *simulation) apart() (a, b matching.Tag) {
	layout := s.ranks[0].peers[1].streams
	stream := func(tag matching.Tag) socket.StreamID {
		return layout.of(matching.Eager, tag, 0)
	}
	for b = 1; b < 100 && stream(b) == stream(a); {
		b++
	}
	return a, b
}
