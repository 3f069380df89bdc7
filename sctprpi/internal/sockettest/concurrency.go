package sockettest

import (
	"context"
	"errors"
	"sync"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

var concurrencyTests = []test{
	{rule: "many goroutines send and receive on one socket", run: func(s *suite) {
		// The endpoints' account of events is not kept here, for several
		// receivers cannot tell in which order they have received.
		const workers, each = 4, 400
		c := socket.Config{SendBuffer: 64 << 10, ReceiveBuffer: 64 << 10, WholeMessages: true}
		a, b := s.pair(c, c)
		a.credit, b.credit = workers*each, workers*each
		ctx, cancel := context.WithTimeout(context.Background(), s.patience)
		defer cancel()
		var ends [2]*traffic
		var all []func() error
		for i, end := range []*assoc{a, b} {
			c := newTraffic(ctx, end, workers*each)
			ends[i] = c
			for w := range workers {
				all = append(all, func() error { return c.send(w*each, each) }, c.receive)
			}
		}
		s.together(all...)
		for _, c := range ends {
			for i := range c.got {
				require.EqualValues(s, 1, c.got[i].Load(), "times that message %d was received", i)
			}
			require.Zero(s, c.open.Load())
			c.full()
		}
	}},
	{rule: "all methods may be called at any time", run: func(s *suite) {
		// What they return is not of interest, the race detector is.
		x, y, z := s.open(socket.Config{}), s.open(socket.Config{}), s.open(socket.Config{})
		ctx, cancel := context.WithTimeout(context.Background(), s.patience)
		defer cancel()
		var all sync.WaitGroup
		for _, e := range []*endpoint{x, y, z} {
			for _, peer := range []*endpoint{x, y, z} {
				if e != peer {
					all.Go(func() { chaos(ctx, e.Socket, peer.LocalAddrs()) })
				}
			}
		}
		all.Wait()
		for _, e := range []*endpoint{x, y, z} {
			e.close()
		}
	}},
	{rule: "Close comes between any two calls", run: func(s *suite) {
		for range 10 {
			a, b := s.pair(socket.Config{}, socket.Config{})
			ctx, cancel := context.WithTimeout(context.Background(), s.patience)
			var all sync.WaitGroup
			for range 2 {
				all.Go(func() {
					batch := make([]socket.Event, 8)
					for {
						if _, err := a.e.Send(a.id, copies(series(0, 1, 1000))); errors.Is(err, socket.ErrClosed) {
							return
						}
						n, err := a.e.Receive(batch)
						for i := range n {
							batch[i].Release()
						}
						if err != nil || ctx.Err() != nil {
							return
						}
					}
				})
			}
			b.untilReceived(20)
			a.e.close()
			all.Wait()
			require.NoError(s, ctx.Err(), "waited in vain for ErrClosed")
			cancel()
			requireAborted(s, b)
		}
	}},
}

// chaos calls everything in turn.
func chaos(ctx context.Context, sock socket.Socket, peer []socket.Addr) {
	batch := make([]socket.Event, 4)
	for i := range 300 {
		id, err := sock.Connect(peer...)
		if err != nil || ctx.Err() != nil {
			return
		}
		_, _ = sock.Send(id, copies(series(0, 3, 500)))
		_, _ = sock.Send(id, loans(series(1, 1, 500)))
		n, _ := sock.Receive(batch)
		for i := range n {
			batch[i].Release()
		}
		_, _ = sock.Status(id)
		_ = sock.LocalAddrs()
		switch i % 50 {
		case 20:
			_ = sock.Shutdown(id)
		case 40:
			_ = sock.Abort(id, "chaos")
		}
	}
}
