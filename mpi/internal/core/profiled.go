package core

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strconv"
	"sync"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// profiled is a transport that has CPU profiles tell which call of the program works, or spins while it waits, by the labels rank and
// operation (SCTPMPI_PROFILE). A process without a profile has its transport as it is, so it costs nothing.
type profiled struct {
	rpi.Transport
	rank   string
	mu     sync.Mutex
	labels map[callers]pprof.LabelSet
}

// callers are the innermost functions of a call stack. maxCallers is of how many stacks the labels are kept.
type callers [16]uintptr

const maxCallers = 4096

// profiles has a process's transport label what it does.
func (p *process) profiles() {
	p.transport = &profiled{Transport: p.transport, rank: strconv.Itoa(p.rank), labels: make(map[callers]pprof.LabelSet)}
}

// Start implements rpi.Transport.
func (t *profiled) Start(r *rpi.Request) {
	if r.Then != nil { // a part of an operation, perhaps in a call that has labels
		t.Transport.Start(r)
		return
	}
	t.label(context.Background(), func(context.Context) { t.Transport.Start(r) })
}

// Await implements rpi.Transport.
func (t *profiled) Await(ctx context.Context, w *rpi.Waiter) (err error) {
	t.label(ctx, func(context.Context) { err = t.Transport.Await(ctx, w) })
	return err
}

// AwaitRequest implements rpi.Transport.
func (t *profiled) AwaitRequest(ctx context.Context, r *rpi.Request, stop func(*rpi.Request) error) (err error) {
	if !r.Completed() {
		t.label(ctx, func(context.Context) { err = t.Transport.AwaitRequest(ctx, r, stop) })
	}
	return err
}

// label has the goroutine have labels while it is in a call. Afterwards it has those of ctx.
func (t *profiled) label(ctx context.Context, call func(context.Context)) {
	var stack callers
	n := runtime.Callers(3, stack[:])
	pprof.Do(ctx, t.labelsOf(stack, n), call)
}

func (t *profiled) labelsOf(stack callers, n int) pprof.LabelSet {
	t.mu.Lock()
	defer t.mu.Unlock()
	set, known := t.labels[stack]
	if !known {
		operation, _ := callSite(stack[:n])
		set = pprof.Labels("rank", t.rank, "operation", cmp.Or(operation, "in the background"))
		if len(t.labels) < maxCallers {
			t.labels[stack] = set
		}
	}
	return set
}

// profileTo begins the CPU profile of a rank, a file in a folder. stop ends it.
func profileTo(folder string, rank int, notice func(format string, args ...any)) (stop func(), err error) {
	name := filepath.Join(folder, fmt.Sprintf("rank-%d.pprof", rank))
	_ = os.Remove(name) // if it is still there, that is the error
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", rpi.ErrArg, rpi.EnvProfile, err)
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("%w: %s: %w", rpi.ErrArg, rpi.EnvProfile, err)
	}
	return func() {
		pprof.StopCPUProfile()
		if err := file.Close(); err != nil {
			notice("its profile is not whole: %v", err)
		}
	}, nil
}
