package pertrc

import (
	"context"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
)

var token = []byte("secret")

// openJob opens the transports of a job of n ranks, all in this process.
func openJob(t testing.TB, n int, o associations.Options, vary func(*rpi.Config)) []*Transport {
	ranks := make([]*Transport, n)
	for rank := range n {
		cfg := rpi.Config{Rank: rank, Size: n, Token: token, Lookup: func(_ context.Context, peer int) (string, error) {
			return ranks[peer].Address(), nil
		}}
		if vary != nil {
			vary(&cfg)
		}
		var err error
		ranks[rank], err = New(cfg, o)
		require.NoError(t, err)
	}
	t.Cleanup(func() {
		var all sync.WaitGroup
		for _, tr := range ranks {
			all.Go(func() { assert.NoError(t, tr.Close(context.Background())) })
		}
		all.Wait()
	})
	return ranks
}

func request(op rpi.Op, peer, tag int, buf []byte) *rpi.Request {
	return &rpi.Request{Op: op, Peer: matching.Rank(peer), Tag: matching.Tag(tag), Type: 1, Elem: 1, Buf: buf}
}

func start(tr *Transport, r *rpi.Request) *rpi.Request {
	tr.Start(r)
	return r
}

// do starts a request and waits for it.
func do(t testing.TB, tr *Transport, r *rpi.Request) *rpi.Request {
	t.Helper()
	return finish(t, start(tr, r))
}

// finish waits for a request.
func finish(t testing.TB, r *rpi.Request) *rpi.Request {
	t.Helper()
	<-r.Done()
	require.NoError(t, r.Err)
	return r
}

// text is a message that tells its number.
func text(i int) []byte { return []byte{byte(i >> 24), byte(i >> 16), byte(i >> 8), byte(i)} }

// count is how much of something a test has: less unless there is time.
func count(short, long int) int {
	if os.Getenv("SCTPMPI_TEST_LONG") != "" {
		return long
	}
	return short
}
