package sockettest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Benchmark measures sockets of one process over loopback: half the round trip of a
// message of 64 bytes, the flow of longer ones in one direction, and the rate of
// small ones sent 64 at a time. Receivers spin. It reports allocations: in the
// steady state there should be none.
func Benchmark(b *testing.B, mk Maker) {
	b.Run("pingpong/64", func(b *testing.B) { benchmarkPingPong(b, mk, 64) })
	for _, n := range []int{1 << 10, 64 << 10, 4 << 20} {
		b.Run(fmt.Sprintf("flow/%d", n), func(b *testing.B) { benchmarkFlow(b, mk, n, 1) })
	}
	b.Run("batch/64x64", func(b *testing.B) { benchmarkFlow(b, mk, 64, 64) })
}

// bencher is one end of a benchmark's association.
type bencher struct {
	b      *testing.B
	sock   socket.Socket
	id     socket.AssocID
	events []socket.Event
	up     bool
	// messages and released count, writable comes and goes.
	messages, released int
	writable           bool
}

func newBencher(b *testing.B, mk Maker) *bencher {
	// The longest message should not have to wait for the one before.
	sock := mk(b, socket.Config{SendBuffer: 16 << 20})
	b.Cleanup(func() { _ = sock.Close() })
	return &bencher{b: b, sock: sock, events: make([]socket.Event, 64), writable: true}
}

// benchPair makes an association.
func benchPair(b *testing.B, mk Maker) (x, y *bencher) {
	x, y = newBencher(b, mk), newBencher(b, mk)
	id, err := x.sock.Connect(y.sock.LocalAddrs()...)
	if err != nil {
		b.Fatal(err)
	}
	x.id = id
	for _, e := range []*bencher{x, y} {
		for !e.up {
			if err := e.sock.Wait(b.Context()); err != nil {
				b.Fatal(err)
			}
			e.receive()
		}
	}
	return x, y
}

// receive takes what is there. It returns false when the association is over.
func (e *bencher) receive() bool {
	for {
		n, err := e.sock.Receive(e.events)
		if err != nil {
			e.b.Error(err)
			return false
		}
		if !e.take(e.events[:n]) {
			return false
		}
		if n < len(e.events) {
			return true
		}
	}
}

func (e *bencher) take(events []socket.Event) bool {
	for i := range events {
		event := &events[i]
		switch event.Kind {
		case socket.Data:
			if event.End {
				e.messages++
			}
			event.Release()
		case socket.Released:
			e.released++
		case socket.Writable:
			e.writable = true
		case socket.Up:
			e.id, e.up = event.Assoc, true
		case socket.Closed, socket.Aborted, socket.Lost:
			e.b.Errorf("%s: %v", kindName(event.Kind), event.Err)
			return false
		}
	}
	return true
}

// send sends messages, and receives what comes while there is no room.
func (e *bencher) send(ms []socket.Message) bool {
	for {
		n, err := e.sock.Send(e.id, ms)
		if err == nil {
			return true
		}
		if !errors.Is(err, socket.ErrWouldBlock) {
			e.b.Error(err)
			return false
		}
		ms = ms[n:]
		for e.writable = false; !e.writable; {
			if !e.receive() {
				return false
			}
		}
	}
}

// await receives until there have been n messages in all.
func (e *bencher) await(n int) bool {
	for e.messages < n {
		if !e.receive() {
			return false
		}
	}
	return true
}

// giveUp ends a benchmark that has failed, for both ends.
func (e *bencher) giveUp() { _ = e.sock.Abort(e.id, "benchmark has failed") }

func benchmarkPingPong(b *testing.B, mk Maker, size int) {
	x, y := benchPair(b, mk)
	ms := [2][]socket.Message{borrowable(size, 1), borrowable(size, 1)}
	play := func(rounds int) {
		base := x.messages
		done := make(chan struct{})
		go func() {
			defer close(done)
			for i := range rounds {
				if !y.await(base+i+1) || !y.send(ms[1]) {
					y.giveUp()
					return
				}
			}
		}()
		for i := range rounds {
			if !x.send(ms[0]) || !x.await(base+i+1) {
				x.giveUp()
				break
			}
		}
		<-done
	}
	play(100)
	b.ReportAllocs()
	b.ResetTimer()
	play(b.N)
	b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N)/2, "µs/half-rtt")
}

func benchmarkFlow(b *testing.B, mk Maker, size, batch int) {
	x, y := benchPair(b, mk)
	ms := borrowable(size, batch)
	flow := func(rounds int) {
		base := y.messages
		done := make(chan struct{})
		go func() {
			defer close(done)
			y.await(base + rounds*batch)
		}()
		for range rounds {
			if !x.send(ms) || !x.receive() {
				x.giveUp()
				break
			}
		}
		<-done
	}
	flow(10)
	b.SetBytes(int64(size * batch))
	b.ReportAllocs()
	b.ResetTimer()
	flow(b.N)
	b.ReportMetric(float64(b.N*batch)/b.Elapsed().Seconds(), "msg/s")
}

// borrowable returns messages that can be sent again and again, because they are never changed.
func borrowable(size, count int) []socket.Message {
	data := [][]byte{make([]byte, size)}
	ms := make([]socket.Message, count)
	for i := range ms {
		ms[i] = socket.Message{Data: data, ZeroCopy: true}
	}
	return ms
}
