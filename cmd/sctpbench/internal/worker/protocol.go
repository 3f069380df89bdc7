// Package worker runs each end of a link in a process of its own. So each end has its own heap
// and its own scheduler, and an end that hangs can be killed.
//
// A worker process reads requests from its standard input and writes replies to its standard
// output, each a JSON value. It ends when its standard input ends, and so does not outlive the
// process that started it.
package worker

import (
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/link"
)

// Action is what a request asks for.
type Action string

const (
	// Listen makes an end that waits for the other end. It has two replies: the first has the
	// Addr, the second comes when the link is up.
	Listen Action = "listen"
	// Dial makes the end that connects to Addr. It becomes the initiator of measurements.
	Dial Action = "dial"
	// Latency and Throughput measure the link with Count messages of Size bytes. Both ends
	// must be asked.
	Latency    Action = "latency"
	Throughput Action = "throughput"
	// Heap asks how many bytes of the heap are in use after a garbage collection.
	Heap Action = "heap"
	// DialIdle makes Count links to Addr that will be idle. AcceptIdle, at the end with that
	// address, waits until they are up.
	DialIdle   Action = "dial idle"
	AcceptIdle Action = "accept idle"
)

// Request is what a worker process reads.
type Request struct {
	Action    Action       `json:"action"`
	Transport string       `json:"transport,omitempty"`
	Options   link.Options `json:"options,omitzero"`
	Addr      string       `json:"addr,omitempty"`
	Size      int          `json:"size,omitempty"`
	Count     int          `json:"count,omitempty"`
}

// Reply is what a worker process writes.
type Reply struct {
	// Error says what failed. The process cannot be used any more then.
	Error string `json:"error,omitempty"`
	Addr  string `json:"addr,omitempty"`
	// Elapsed is the time of a whole measurement at the initiator. P50 and P99 are percentiles
	// of the round trips of a latency measurement.
	Elapsed time.Duration `json:"elapsed,omitempty"`
	P50     time.Duration `json:"p50,omitempty"`
	P99     time.Duration `json:"p99,omitempty"`
	// HeapBytes answers Heap.
	HeapBytes uint64 `json:"heap_bytes,omitempty"`
}
