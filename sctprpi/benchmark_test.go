package sctprpi

import (
	"context"
	"testing"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// pair is two ranks that one goroutine drives in turn, so that a benchmark measures what a
// message takes of a processor, and not how soon somebody sees it.
type pair struct {
	ranks [2]*Transport
	w     *rpi.Waiter
}

func newPair(b *testing.B) *pair {
	p := &pair{w: rpi.NewWaiter()}
	for rank := range p.ranks {
		var err error
		p.ranks[rank], err = New(rpi.Config{Rank: rank, Size: 2, Lookup: func(_ context.Context, peer int) (string, error) {
			return p.ranks[peer].Address(), nil
		}}, Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(p.ranks[rank].Kill)
	}
	return p
}

func (p *pair) start(rank int, r *rpi.Request, op rpi.Op, buf []byte) {
	r.Reset()
	r.Op, r.Peer, r.Tag, r.Type, r.Elem, r.Buf = op, matching.Rank(1-rank), 1, 1, 1, buf
	p.ranks[rank].Start(r)
}

func (p *pair) complete(b *testing.B, rank int, r *rpi.Request) {
	for !r.Completed() {
		if r.Subscribe(p.w) {
			_ = p.ranks[rank].Await(context.Background(), p.w)
			r.Unsubscribe(p.w)
		}
	}
	if r.Err != nil {
		b.Fatal(r.Err)
	}
}

// BenchmarkExchange is a short message there and one back.
func BenchmarkExchange(b *testing.B) {
	p, s, r := newPair(b), new(rpi.Request), new(rpi.Request)
	out, in := make([]byte, 8), make([]byte, 8)
	for b.Loop() {
		for rank := range 2 {
			p.start(1-rank, r, rpi.OpRecv, in)
			p.start(rank, s, rpi.OpSend, out)
			p.complete(b, 1-rank, r)
			p.complete(b, rank, s)
		}
	}
}

// BenchmarkWindow is 64 short messages one way, and one back.
func BenchmarkWindow(b *testing.B) {
	const window = 64
	p := newPair(b)
	var s, r [window]rpi.Request
	out, in := make([]byte, 8), make([]byte, 8)
	for b.Loop() {
		for i := range window {
			p.start(1, &r[i], rpi.OpRecv, in)
		}
		for i := range window {
			p.start(0, &s[i], rpi.OpSend, out)
		}
		for i := range window {
			p.complete(b, 0, &s[i])
		}
		p.ranks[0].Advance()
		for i := range window {
			p.complete(b, 1, &r[i])
		}
		p.start(0, &r[0], rpi.OpRecv, in)
		p.start(1, &s[0], rpi.OpSend, out)
		p.complete(b, 0, &r[0])
		p.complete(b, 1, &s[0])
	}
}
