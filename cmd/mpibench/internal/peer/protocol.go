// Package peer runs the ends of a link as processes of their own, so that each has
// its own heap and its own scheduler, and one that hangs can be killed.
//
// A peer process reads requests from its standard input and writes replies to its
// standard output, each a JSON value. It ends when its standard input does, so it
// does not outlive who has started it, however that ends.
package peer

import (
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/link"
)

// Action is what a peer is asked to do.
type Action string

const (
	// Listen makes an end that waits for another. It has two replies: one with
	// the Addr, and one when the other is there.
	Listen Action = "listen"
	// Dial makes an end and links it to Addr. It becomes the initiator.
	Dial Action = "dial"
	// Latency and Throughput measure over the link, with Count messages of Size
	// bytes. Both ends must be asked.
	Latency    Action = "latency"
	Throughput Action = "throughput"
	// Heap says how much memory is in use after a garbage collection.
	Heap Action = "heap"
	// Crowd makes Count links to Addr that will be idle, and Admit waits on
	// the side of Addr until they are there.
	Crowd Action = "crowd"
	Admit Action = "admit"
)

// Request is what a peer reads.
type Request struct {
	Action    Action       `json:"action"`
	Transport string       `json:"transport,omitempty"`
	Options   link.Options `json:"options,omitzero"`
	Addr      string       `json:"addr,omitempty"`
	Size      int          `json:"size,omitempty"`
	Count     int          `json:"count,omitempty"`
}

// Reply is what a peer writes.
type Reply struct {
	// Error says what went wrong. The peer is of no use then.
	Error string `json:"error,omitempty"`
	Addr  string `json:"addr,omitempty"`
	// Elapsed, at the initiator, is the time that all took, P50 and P99 are
	// percentiles of the round trips of a latency measurement.
	Elapsed time.Duration `json:"elapsed,omitempty"`
	P50     time.Duration `json:"p50,omitempty"`
	P99     time.Duration `json:"p99,omitempty"`
	// HeapBytes answers Heap.
	HeapBytes uint64 `json:"heap_bytes,omitempty"`
}
