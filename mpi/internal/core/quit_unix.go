//go:build unix

package core

import (
	"fmt"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/hang"
	"github.com/sctpmpi/sctpmpi/internal/signals"
)

// quitters are the ranks in this process that say what they wait for when it gets SIGQUIT.
var quitters struct {
	mu    sync.Mutex
	ranks []*process
	stop  func() // nil: the signal is not waited for
}

// reportOnQuit has ranks say what they wait for, on standard error, when the process gets
// SIGQUIT, until stop is called. After that the signal has its usual effect: Go prints the stacks
// of all goroutines and ends the process.
//
// A Go program that handles SIGQUIT itself gets it twice, as package signal does not tell that
// it does. That is why SIGTERM is left alone: to get it twice would end programs that are about to
// end in good order.
func reportOnQuit(ranks ...*process) (stop func()) {
	q := &quitters
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ranks = append(q.ranks, ranks...)
	if q.stop == nil && !signal.Ignored(syscall.SIGQUIT) {
		var got <-chan os.Signal
		got, q.stop = signals.Notify(syscall.SIGQUIT)
		go quit(got)
	}
	return func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.ranks = slices.DeleteFunc(q.ranks, func(p *process) bool { return slices.Contains(ranks, p) })
		if len(q.ranks) == 0 && q.stop != nil {
			q.stop()
			q.stop = nil
		}
	}
}

// quit waits for the signal, reports, and sends it again.
func quit(got <-chan os.Signal) {
	if _, quits := <-got; !quits {
		return
	}
	said := make(chan struct{})
	go func() {
		defer close(said)
		for _, line := range hang.Lines(reports()) {
			fmt.Fprintln(os.Stderr, line)
		}
	}()
	select {
	case <-said:
	case <-time.After(4 * locateTime): // something is wrong with this library
	}
	quitters.mu.Lock()
	if quitters.stop != nil {
		quitters.stop()
		quitters.stop = nil
	}
	quitters.mu.Unlock()
	_ = syscall.Kill(os.Getpid(), syscall.SIGQUIT)
}

// reports are those of the ranks in this process that have not told the launcher.
func reports() []hang.Rank {
	quitters.mu.Lock()
	ranks := slices.Clone(quitters.ranks)
	quitters.mu.Unlock()
	all := make([]hang.Rank, 0, len(ranks))
	var mu sync.Mutex
	var each sync.WaitGroup
	for _, p := range ranks {
		if p.told.Load() {
			continue
		}
		each.Go(func() {
			r := p.report()
			mu.Lock()
			defer mu.Unlock()
			all = append(all, r)
		})
	}
	each.Wait()
	return all
}
