package udp

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

// inBackground has a goroutine of its own thread use a Conn until the end of the
// benchmark.
func inBackground(b *testing.B, c *Conn, f func() error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		for f() == nil {
		}
	}()
	b.Cleanup(func() {
		c.Close()
		<-done
	})
}

// discard receives what is there and gives the buffers back.
func discard(c *Conn, batch []packet.Datagram) (n int, err error) {
	n, err = c.Receive(batch)
	for _, d := range batch[:n] {
		d.Buffer.Release()
	}
	return n, err
}

// Throughput one way: what was received, of senders that go no further ahead than the
// socket's buffer has room for.
func BenchmarkThroughput(b *testing.B) {
	for _, v := range variants[:2] {
		for _, shape := range []struct{ count, size int }{{40, 1400}, {4 * 40, 1400}, {1, 65_000}, {8, 65_000}} {
			b.Run(fmt.Sprintf("%s/%dx%d", v.name, shape.count, shape.size), func(b *testing.B) {
				from, to := v.listen(b, loopback4), v.listen(b, loopback4)
				var batch packet.Batch
				for i := range shape.count {
					add(&batch, packet.Packet{To: at(to)}, payload(i, shape.size))
				}
				var received atomic.Int64
				datagrams := make([]packet.Datagram, 64)
				inBackground(b, to, func() error {
					n, err := discard(to, datagrams)
					if n > 0 {
						received.Add(int64(n))
					} else if err == nil {
						await(to, time.Second)
					}
					return err
				})
				ahead := int64(2 << 20 / shape.size)
				b.SetBytes(int64(shape.count * shape.size))
				b.ReportAllocs()
				sent := int64(0)
				for b.Loop() {
					if err := from.Send(&batch); err != nil {
						b.Fatal(err)
					}
					sent += int64(shape.count)
					for stuck := time.Now(); sent-received.Load() > ahead; runtime.Gosched() {
						if time.Since(stuck) > time.Second { // lost
							sent = received.Load()
						}
					}
				}
			})
		}
	}
}

// Half a round trip of one small packet, both sides spinning on Receive, or waiting.
func BenchmarkPingPong(b *testing.B) {
	for _, v := range variants[:2] {
		for name, waiting := range map[string]bool{"spinning": false, "waiting": true} {
			b.Run(v.name+"/"+name, func(b *testing.B) { pingPong(b, v, waiting) })
		}
	}
}

func pingPong(b *testing.B, v variant, waiting bool) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	near, far := v.listen(b, loopback4), v.listen(b, loopback4)
	var ping, pong packet.Batch
	add(&ping, packet.Packet{To: at(far)}, payload(0, 64))
	add(&pong, packet.Packet{To: at(near)}, payload(0, 64))
	receive := func(c *Conn, batch []packet.Datagram) error {
		for {
			n, err := discard(c, batch)
			if n > 0 || err != nil {
				return err
			}
			if waiting {
				await(c, time.Second)
			}
		}
	}
	echo, datagrams := make([]packet.Datagram, 8), make([]packet.Datagram, 8)
	inBackground(b, far, func() error {
		if err := receive(far, echo); err != nil {
			return err
		}
		return far.Send(&pong)
	})
	b.ReportAllocs()
	for b.Loop() {
		if err := near.Send(&ping); err != nil {
			b.Fatal(err)
		}
		if err := receive(near, datagrams); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2, "ns/half-RTT")
}

// What a caller that spins pays when there is nothing.
func BenchmarkEmptyReceive(b *testing.B) {
	for _, v := range variants[:2] {
		b.Run(v.name, func(b *testing.B) {
			c := v.listen(b, loopback4)
			batch := make([]packet.Datagram, 8)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Receive(batch); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
