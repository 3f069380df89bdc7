package sctprpi

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// pair is two ranks that one goroutine drives in turn. So a benchmark measures the cost of a
// message, and not how soon a goroutine is woken.
type pair struct {
	ranks [2]*Transport
	w     *rpi.Waiter
}

func newPair(t testing.TB, o Options) *pair {
	p := &pair{w: rpi.NewWaiter()}
	for rank := range p.ranks {
		var err error
		p.ranks[rank], err = New(rpi.Config{Rank: rank, Size: 2, Lookup: func(_ context.Context, peer int) (string, error) {
			return p.ranks[peer].Address(), nil
		}}, o)
		require.NoError(t, err)
		t.Cleanup(p.ranks[rank].Kill)
	}
	return p
}

func (p *pair) start(rank int, r *rpi.Request, op rpi.Op, tag matching.Tag, buf []byte) {
	r.Reset()
	r.Op, r.Peer, r.Tag, r.Type, r.Elem, r.Buf = op, matching.Rank(1-rank), tag, 1, 1, buf
	p.ranks[rank].Start(r)
}

func (p *pair) complete(t testing.TB, rank int, r *rpi.Request) {
	for !r.Completed() {
		if r.Subscribe(p.w) {
			_ = p.ranks[rank].Await(context.Background(), p.w)
			r.Unsubscribe(p.w)
		}
	}
	if r.Err != nil {
		t.Fatal(r.Err)
	}
}

// send sends a message to rank to and completes it at both ends.
func (p *pair) send(t testing.TB, to int, s, r *rpi.Request, tag matching.Tag, out, in []byte) {
	p.start(to, r, rpi.OpRecv, tag, in)
	p.start(1-to, s, rpi.OpSend, tag, out)
	p.complete(t, to, r)
	p.complete(t, 1-to, s)
}
