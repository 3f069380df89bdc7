package rpitest

import (
	"context"
	"fmt"
	"testing"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Benchmark measures a transport between two processes in one: half the round
// trip of a message, and the flow of messages in one direction with a window
// of 64. It reports allocations: in steady state there should be none.
func Benchmark(b *testing.B, open rpi.Open) {
	for _, n := range []int{8, 1 << 10, 64 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("latency/%d", n), func(b *testing.B) { benchmarkLatency(b, open, n) })
	}
	for _, n := range []int{8, 1 << 10, 64 << 10, 1 << 20, 4 << 20} {
		b.Run(fmt.Sprintf("window64/%d", n), func(b *testing.B) { benchmarkWindow(b, open, n) })
	}
}

// pair opens two processes for a benchmark.
func pair(b *testing.B, open rpi.Open) [2]rpi.Transport {
	var ranks [2]rpi.Transport
	for rank := range ranks {
		t, err := open(rpi.Config{Rank: rank, Size: 2, Lookup: func(_ context.Context, peer int) (string, error) {
			return ranks[peer].Address(), nil
		}})
		if err != nil {
			b.Fatal(err)
		}
		ranks[rank] = t
		b.Cleanup(t.Kill)
	}
	return ranks
}

// complete waits for r and makes it ready for another use.
func complete(b *testing.B, t rpi.Transport, w *rpi.Waiter, r *rpi.Request) {
	if r.Subscribe(w) {
		for !r.Completed() {
			if err := t.Await(context.Background(), w); err != nil {
				b.Error(err)
				return
			}
		}
	}
	if r.Err != nil {
		b.Error(r.Err)
	}
}

func set(r *rpi.Request, op rpi.Op, peer int, buf []byte) *rpi.Request {
	r.Reset()
	r.Op, r.Peer, r.Type, r.Elem, r.Buf = op, matching.Rank(peer), 1, 1, buf
	return r
}

func benchmarkLatency(b *testing.B, open rpi.Open, n int) {
	ranks := pair(b, open)
	pingpong := func(rank, rounds int) {
		t, w, r, buf := ranks[rank], rpi.NewWaiter(), new(rpi.Request), make([]byte, n)
		do := func(op rpi.Op) {
			t.Start(set(r, op, 1-rank, buf))
			complete(b, t, w, r)
		}
		for range rounds {
			if rank == 0 {
				do(rpi.OpSend)
				do(rpi.OpRecv)
			} else {
				do(rpi.OpRecv)
				do(rpi.OpSend)
			}
		}
	}
	both(pingpong, 10)
	b.ReportAllocs()
	b.ResetTimer()
	both(pingpong, b.N)
	b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N)/2, "µs/half-rtt")
}

func benchmarkWindow(b *testing.B, open rpi.Open, n int) {
	const window = 64
	ranks := pair(b, open)
	flow := func(rank, rounds int) {
		t, w, buf := ranks[rank], rpi.NewWaiter(), make([]byte, n)
		op := rpi.OpSend
		if rank == 1 {
			op = rpi.OpRecv
		}
		var rs [window]rpi.Request
		ack := new(rpi.Request)
		for done := 0; done < rounds; done += window {
			for i := range rs {
				t.Start(set(&rs[i], op, 1-rank, buf))
			}
			for i := range rs {
				complete(b, t, w, &rs[i])
			}
			if rank == 0 {
				t.Start(set(ack, rpi.OpRecv, 1, nil))
			} else {
				t.Start(set(ack, rpi.OpSend, 0, nil))
			}
			complete(b, t, w, ack)
		}
	}
	both(flow, window)
	b.SetBytes(int64(n))
	b.ReportAllocs()
	b.ResetTimer()
	both(flow, b.N)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "msg/s")
}

// both runs f as two ranks at once.
func both(f func(rank, rounds int), rounds int) {
	done := make(chan struct{})
	go func() {
		f(1, rounds)
		close(done)
	}()
	f(0, rounds)
	<-done
}
