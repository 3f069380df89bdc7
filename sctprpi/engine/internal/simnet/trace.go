package simnet

import (
	"fmt"
	"io"
	"time"
)

// traceLength is how many of the last packet events are kept.
const traceLength = 2000

// trace keeps what happened to the last packets.
type trace struct {
	ring [traceLength]traced
	next int // events ever
}

type traced struct {
	at   time.Duration
	what string
	packet
}

func (t *trace) add(at time.Duration, what string, p packet) {
	t.ring[t.next%traceLength] = traced{at, what, p}
	t.next++
}

// WriteTrace writes what happened to the last packets, a line each. describe,
// which may be nil, puts a datagram into words.
func (n *Network) WriteTrace(w io.Writer, describe func(datagram []byte) string) {
	if describe == nil {
		describe = func(b []byte) string { return fmt.Sprintf("%d bytes", len(b)) }
	}
	for i := max(0, n.trace.next-traceLength); i < n.trace.next; i++ {
		e := &n.trace.ring[i%traceLength]
		fmt.Fprintf(w, "%14v  %-10s %v → %v  %s\n", e.at, e.what, e.from, e.to, describe(e.bytes))
	}
}
