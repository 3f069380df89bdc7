package tcprpi_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
	"github.com/sctpmpi/sctpmpi/tcprpi/perpair"
	"github.com/sctpmpi/sctpmpi/tcprpi/pertrc"
)

// counted is a transport that counts.
type counted interface {
	rpi.Transport
	Counters() socket.Counters
}

// BenchmarkTags sends short messages to and fro over a growing number of
// tags, and reports the sockets of a process and the system calls that a
// message takes at both ends together.
func BenchmarkTags(b *testing.B) {
	for _, transport := range []struct {
		name string
		open rpi.Open
	}{{perpair.Name, perpair.Open}, {pertrc.Name, pertrc.Open}} {
		for _, tags := range []int{1, 16, 256, 2048} {
			b.Run(fmt.Sprintf("%s/%d", transport.name, tags), func(b *testing.B) { benchmarkTags(b, transport.open, tags) })
		}
	}
}

func benchmarkTags(b *testing.B, open rpi.Open, tags int) {
	var ranks [2]counted
	for rank := range ranks {
		t, err := open(rpi.Config{Rank: rank, Size: 2, Lookup: func(_ context.Context, peer int) (string, error) {
			return ranks[peer].Address(), nil
		}})
		if err != nil {
			b.Fatal(err)
		}
		ranks[rank] = t.(counted)
		b.Cleanup(t.Kill)
	}
	s, r, w, body := new(rpi.Request), new(rpi.Request), rpi.NewWaiter(), make([]byte, 64)
	send := func(from, tag int) {
		r.Reset()
		r.Op, r.Peer, r.Tag, r.Type, r.Elem, r.Buf = rpi.OpRecv, matching.Rank(from), matching.Tag(tag), 1, 1, body
		ranks[1-from].Start(r)
		s.Reset()
		s.Op, s.Peer, s.Tag, s.Type, s.Elem, s.Buf = rpi.OpSend, matching.Rank(1-from), matching.Tag(tag), 1, 1, body
		ranks[from].Start(s)
		for _, q := range [...]*rpi.Request{s, r} {
			if q.Subscribe(w) {
				for !q.Completed() {
					<-w.C
				}
			}
			if q.Err != nil {
				b.Fatal(q.Err)
			}
		}
	}
	calls := func() uint64 { return ranks[0].Counters().SystemCalls() + ranks[1].Counters().SystemCalls() }
	for tag := range tags { // makes the connections
		send(0, tag)
		send(1, tag)
	}
	before, i := calls(), 0
	b.ReportAllocs()
	for b.Loop() {
		send(0, i%tags)
		send(1, i%tags)
		i++
	}
	b.ReportMetric(float64(calls()-before)/float64(2*i), "syscalls/msg")
	b.ReportMetric(float64(ranks[0].Counters().Open), "sockets")
}
