package sctprpi

import (
	"testing"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// BenchmarkExchange is a short message there and one back.
func BenchmarkExchange(b *testing.B) {
	p, s, r := newPair(b, Options{}), new(rpi.Request), new(rpi.Request)
	out, in := make([]byte, 8), make([]byte, 8)
	for b.Loop() {
		for to := range 2 {
			p.send(b, to, s, r, 1, out, in)
		}
	}
}

// BenchmarkWindow is 64 short messages one way, and one back.
func BenchmarkWindow(b *testing.B) {
	const window = 64
	p := newPair(b, Options{})
	var s, r [window]rpi.Request
	out, in := make([]byte, 8), make([]byte, 8)
	for b.Loop() {
		for i := range window {
			p.start(1, &r[i], rpi.OpRecv, 1, in)
		}
		for i := range window {
			p.start(0, &s[i], rpi.OpSend, 1, out)
		}
		for i := range window {
			p.complete(b, 0, &s[i])
		}
		p.ranks[0].Advance()
		for i := range window {
			p.complete(b, 1, &r[i])
		}
		p.send(b, 0, &s[0], &r[0], 1, out, in)
	}
}
