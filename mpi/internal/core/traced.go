package core

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/trace"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// traced is a transport that records which calls of the program wait, how long, and which messages are started
// (SCTPMPI_TRACE). A process without a trace has its transport as it is, so a trace that is not wanted costs nothing.
type traced struct {
	rpi.Transport
	rank     int
	recorder *trace.Recorder

	mu    sync.Mutex
	lanes []bool // tracks in use, from laneTrack on: one for each goroutine that waits
}

// The tracks of a trace.
const (
	messageTrack = iota
	laneTrack
)

// traceTo makes a trace of what the process does with its transport.
func (p *process) traceTo(name string) error {
	host, _ := os.Hostname()
	recorder, err := trace.Create(name, p.rank, fmt.Sprintf("rank %d on %s", p.rank, host))
	if err != nil {
		return fmt.Errorf("%w: %s: %w", rpi.ErrArg, rpi.EnvTrace, err)
	}
	recorder.Track(messageTrack, "messages started")
	p.transport = &traced{Transport: p.transport, rank: p.rank, recorder: recorder}
	return nil
}

// bare is the transport itself.
func bare(t rpi.Transport) rpi.Transport {
	if traced, ok := t.(*traced); ok {
		t = traced.Transport
	}
	if watched, ok := t.(*watched); ok {
		t = watched.Transport
	}
	return t
}

// Start implements rpi.Transport.
func (t *traced) Start(r *rpi.Request) {
	if r.Context&rpi.Internal == 0 {
		kind, of := r.Op.String(), "the program"
		if r.Context&collective.Messages != 0 {
			of = "a collective operation"
		}
		t.recorder.Point(messageTrack, kind, time.Now(), trace.Text("of", of), trace.Number("peer in the job", int64(r.Peer)),
			trace.Number("tag", int64(r.Tag)), trace.Number("bytes", int64(len(r.Buf))))
	}
	t.Transport.Start(r)
}

// Await implements rpi.Transport.
func (t *traced) Await(ctx context.Context, w *rpi.Waiter) (err error) {
	t.span(func() { err = t.Transport.Await(ctx, w) })
	return err
}

// AwaitRequest implements rpi.Transport.
func (t *traced) AwaitRequest(ctx context.Context, r *rpi.Request, stop func(*rpi.Request) error) (err error) {
	if !r.Completed() {
		t.span(func() { err = t.Transport.AwaitRequest(ctx, r, stop) })
	}
	return err
}

// span records a wait of the caller's caller.
func (t *traced) span(wait func()) {
	var stack [32]uintptr
	function, place := callSite(stack[:runtime.Callers(3, stack[:])])
	lane := t.enter()
	begin := time.Now()
	wait()
	t.recorder.Span(lane, function, begin, time.Now(), trace.Text("at", place))
	t.leave(lane)
}

// enter returns a track that no other goroutine uses until leave.
func (t *traced) enter() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, used := range t.lanes {
		if !used {
			t.lanes[i] = true
			return laneTrack + i
		}
	}
	t.lanes = append(t.lanes, true)
	lane := laneTrack + len(t.lanes) - 1
	t.recorder.Track(lane, "calls that wait")
	return lane
}

func (t *traced) leave(lane int) {
	t.mu.Lock()
	t.lanes[lane-laneTrack] = false
	t.mu.Unlock()
}

// Close implements rpi.Transport.
func (t *traced) Close(ctx context.Context) error {
	err := t.Transport.Close(ctx)
	t.end()
	return err
}

// Kill implements rpi.Transport.
func (t *traced) Kill() {
	t.Transport.Kill()
	t.end()
}

// end ends the trace.
func (t *traced) end() {
	if err := t.recorder.Close(); err != nil {
		fmt.Fprintf(os.Stderr, "mpi: rank %d: its trace is not whole: %v\n", t.rank, err)
	}
}
