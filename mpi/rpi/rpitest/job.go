package rpitest

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// OpenJob opens the transports of a job of n processes, all in the process of the test, and closes them together at its
// end, as a job does. vary, which may be nil, changes the configuration of a rank.
func OpenJob[T rpi.Transport](t testing.TB, n int, open func(rpi.Config) (T, error), vary func(rank int, cfg *rpi.Config)) []T {
	ranks, addresses := make([]T, n), make([]string, n)
	ready := make(chan struct{})
	for rank := range n {
		cfg := rpi.Config{
			Rank: rank, Size: n, Token: []byte("the job's secret"),
			Lookup: func(ctx context.Context, peer int) (string, error) {
				select {
				case <-ready:
					return addresses[peer], nil
				case <-ctx.Done():
					return "", ctx.Err()
				}
			},
		}
		if vary != nil {
			vary(rank, &cfg)
		}
		var err error
		ranks[rank], err = open(cfg)
		require.NoError(t, err)
		addresses[rank] = ranks[rank].Address()
	}
	close(ready)
	t.Cleanup(func() { closeTogether(t, ranks) })
	return ranks
}

// closeTogether closes all ranks of a job.
func closeTogether[T rpi.Transport](t testing.TB, ranks []T) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var all sync.WaitGroup
	for _, rank := range ranks {
		all.Go(func() { assert.NoError(t, rank.Close(ctx)) })
	}
	all.Wait()
}

// Request returns a request for one byte elements in context 0.
func Request(op rpi.Op, peer, tag int, buf []byte) *rpi.Request {
	return &rpi.Request{Op: op, Peer: matching.Rank(peer), Tag: matching.Tag(tag), Type: 1, Elem: 1, Buf: buf}
}

// Start starts a request and returns it.
func Start(at rpi.Transport, r *rpi.Request) *rpi.Request {
	at.Start(r)
	return r
}

// Finish waits for a request without the help of a call (rpi.Transport.Await), requires success, and returns it.
func Finish(t testing.TB, r *rpi.Request) *rpi.Request {
	t.Helper()
	<-r.Done()
	require.NoError(t, r.Err)
	return r
}

// Do is Start and Finish.
func Do(t testing.TB, at rpi.Transport, r *rpi.Request) *rpi.Request {
	t.Helper()
	return Finish(t, Start(at, r))
}
