package core

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/trace"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// traced is a transport that records which calls of the program wait, how long, and which messages are exchanged
// (SCTPMPI_TRACE). A process without a trace has its transport as it is, so a trace that is not wanted costs nothing.
type traced struct {
	rpi.Transport
	rank     int
	recorder *trace.Recorder
	notice   func(format string, args ...any)
	sampled  atomic.Int64 // when the counters have been recorded, in nanoseconds since 1970

	mu          sync.Mutex
	waits       lanes
	collectives lanes
	calls       map[call]int // the tracks of collective operations that are under way
}

// The tracks of a trace.
const (
	messageTrack    = 0
	waitTrack       = 1       // from here on: one for each goroutine that waits
	collectiveTrack = 1 << 16 // from here on: one for each collective operation under way
)

// traceTo makes a trace of what the process does with its transport.
func (p *process) traceTo(name string, notice func(format string, args ...any)) error {
	host, _ := os.Hostname()
	recorder, err := trace.Create(name, p.rank, fmt.Sprintf("rank %d on %s", p.rank, host))
	if err != nil {
		return fmt.Errorf("%w: %s: %w", rpi.ErrArg, rpi.EnvTrace, err)
	}
	recorder.Track(messageTrack, "messages")
	p.trace = &traced{
		Transport: p.transport, rank: p.rank, recorder: recorder, notice: notice, calls: make(map[call]int),
		waits: lanes{first: waitTrack, name: "calls that wait"}, collectives: lanes{first: collectiveTrack, name: "collective operations"},
	}
	p.transport, p.collectives.Begins = p.trace, p.trace.collective
	return nil
}

// bare is the transport itself.
func bare(t rpi.Transport) rpi.Transport {
	if profiled, ok := t.(*profiled); ok {
		t = profiled.Transport
	}
	if traced, ok := t.(*traced); ok {
		t = traced.Transport
	}
	if watched, ok := t.(*watched); ok {
		t = watched.Transport
	}
	return t
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
	lane := t.enter(&t.waits)
	begin := time.Now()
	wait()
	t.recorder.Span(lane, function, begin, time.Now(), trace.Text("at", place))
	t.leave(&t.waits, lane)
	t.sample()
}

// lanes are tracks of one kind, of which each is in use or not.
type lanes struct {
	first int
	name  string
	used  []bool
}

// enter returns a track that nothing else uses until leave.
func (t *traced) enter(l *lanes) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.Index(l.used, false)
	if i < 0 {
		i = len(l.used)
		l.used = append(l.used, false)
		t.recorder.Track(l.first+i, l.name)
	}
	l.used[i] = true
	return l.first + i
}

func (t *traced) leave(l *lanes, track int) {
	t.mu.Lock()
	l.used[track-l.first] = false
	t.mu.Unlock()
}

// Close implements rpi.Transport.
func (t *traced) Close(ctx context.Context) error {
	t.sample()
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
		t.notice("its trace is not whole: %v", err)
	}
}
