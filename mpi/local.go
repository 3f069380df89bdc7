package mpi

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"

	"github.com/sctpmpi/sctpmpi/mpi/pmi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/driver"
)

// RunLocal runs fn as n ranks, each in a goroutine of its own with a transport
// of its own over loopback: for tests, examples, and programs that use one
// host only. The ranks share only what fn shares.
//
// A rank whose fn returns an error, panics or ends its goroutine is dead to
// the others: operations that need it fail with ErrProcFailed, so that none
// hangs. RunLocal returns when all ranks have ended, with the errors of all,
// each with its rank, in the order in which they occurred; that of a panic has
// the stack.
//
// Options and environment are those of Init, except that interface, ports and
// token are RunLocal's own.
func RunLocal(n int, fn func(world *Comm) error, options ...Option) error {
	const op = "mpi.RunLocal"
	if n < 1 || n > maxJobSize {
		return invalid(op, ErrArg, "%d ranks; there must be between 1 and %d", n, maxJobSize)
	}
	s, err := newSettings(op, os.Getenv, options)
	if err != nil {
		return err
	}
	warnOnce.Do(func() { warnMistaken(os.Stderr, os.Environ()) })
	local := *s
	local.bind, local.portLow, local.portHigh = rpi.Loopback(), 0, 0
	local.token, local.oneProcess = newToken(), true
	local.setOversubscription(n, runtime.GOMAXPROCS(0))
	if local.oversubscribed && local.spin == 0 {
		local.spin = never // its goroutines cannot give each other a processor by the system
	}
	driver.AddRanks(n)
	defer driver.AddRanks(-n)
	j := &localJob{cards: make([]string, n), processes: make([]*process, n)}
	for i := range n {
		p, err := local.open(&localLauncher{job: j, rank: i})
		if err != nil {
			j.kill()
			return wrap(op, err)
		}
		p.leave = func() {}
		j.processes[i], j.cards[i] = p, p.card(&local)
	}
	defer reportOnQuit(j.processes...)()
	var ranks sync.WaitGroup
	for i, p := range j.processes {
		ranks.Go(func() {
			err := errors.New("fn ended its goroutine (runtime.Goexit, as FailNow of package testing does)")
			defer func() {
				if err != nil {
					p.finalized.Store(true)
					p.transport.Kill()
					j.fail(fmt.Errorf("rank %d: %w", i, err))
				}
			}()
			err = p.runLocal(fn, local.connectEagerly)
		})
	}
	ranks.Wait()
	return errors.Join(j.errs...)
}

// runLocal runs one rank.
func (p *process) runLocal(fn func(world *Comm) error, connect bool) error {
	world := p.world()
	if connect {
		if err := p.transport.Connect(context.Background()); err != nil {
			return wrap("mpi.RunLocal", err)
		}
	}
	if err := guard("mpi.RunLocal", fn, world); err != nil {
		return err
	}
	if p.finalized.Load() { // fn has called Finalize or Abort itself
		if !p.left.Swap(true) {
			p.transport.Kill()
		}
		return nil
	}
	return world.Finalize()
}

// localJob is what the ranks of RunLocal have in common.
type localJob struct {
	cards     []string
	processes []*process

	mu   sync.Mutex
	errs []error
}

func (j *localJob) fail(err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.errs = append(j.errs, err)
}

func (j *localJob) kill() {
	for _, p := range j.processes {
		if p != nil {
			p.transport.Kill()
		}
	}
}

// localLauncher is the launcher of one rank of RunLocal.
type localLauncher struct {
	job  *localJob
	rank int
}

func (l *localLauncher) Rank() int { return l.rank }
func (l *localLauncher) Size() int { return len(l.job.processes) }

func (l *localLauncher) Get(_ context.Context, key string) (string, error) {
	rank, err := strconv.Atoi(strings.TrimPrefix(key, addressKeys))
	if err != nil || rank < 0 || rank >= len(l.job.cards) {
		return "", pmi.ErrKeyNotFound
	}
	return l.job.cards[rank], nil
}

func (l *localLauncher) Put(context.Context, string, string) error { return nil }
func (l *localLauncher) Fence(context.Context) error               { return nil }
func (l *localLauncher) Finalize(context.Context) error            { return nil }

func (l *localLauncher) PeerFailed(context.Context, int) error { return nil }

func (l *localLauncher) Watch(context.Context, func(error), func(string)) error { return nil }
func (l *localLauncher) Answer(context.Context, string) error                   { return nil }

// Abort cuts off all ranks; they end with the errors that follow from it.
func (l *localLauncher) Abort(_ context.Context, code int, _ string) error {
	l.job.fail(fmt.Errorf("rank %d: aborted the job with code %d", l.rank, code))
	l.job.kill()
	return nil
}

// guard calls fn and makes an error of a panic.
func guard(op string, fn func(*Comm) error, world *Comm) (err error) {
	defer func() {
		if v := recover(); v != nil {
			cause, _ := v.(error)
			err = &Error{Class: ErrOther, Op: op, Detail: fmt.Sprintf("panic: %v\n\n%s", v, debug.Stack()), Err: cause}
		}
	}()
	return fn(world)
}
