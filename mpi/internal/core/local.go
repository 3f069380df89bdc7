package core

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/sctpmpi/sctpmpi/internal/pmi"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/startup"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/driver"
)

// RunLocal runs fn as n ranks, each in a goroutine of its own with a transport
// of its own over loopback. It overrides the settings' interface, ports and token.
func RunLocal(op string, n int, s *startup.Settings, fn func(world *Comm) error) error {
	if n < 1 || n > maxJobSize {
		return mpierr.Invalid(op, rpi.ErrArg, "%d ranks; there must be between 1 and %d", n, maxJobSize)
	}
	s.WarnOnce()
	local := *s
	local.Bind, local.PortLow, local.PortHigh = []netip.Addr{rpi.Loopback()}, 0, 0
	local.Publish = netip.AddrPort{}
	local.Token, local.OneProcess = startup.NewToken(), true
	if local.Hosts == nil { // tests say others
		local.Hosts = make([]int32, n)
	}
	local.SetOversubscription(n, runtime.GOMAXPROCS(0))
	if local.Oversubscribed && local.Spin == 0 {
		local.Spin = startup.Never // its goroutines cannot give each other a processor by the system
	}
	driver.AddRanks(n)
	defer driver.AddRanks(-n)
	j := &localJob{cards: make([]string, n), processes: make([]*process, n)}
	for i := range n {
		p, err := open(&local, &localLauncher{job: j, rank: i})
		if err != nil {
			j.kill()
			return mpierr.Wrap(op, err)
		}
		p.leave = func() {}
		j.processes[i], j.cards[i] = p, p.card(&local)
	}
	for _, p := range j.processes {
		p.published.Store(true)
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
			err = p.runLocal(op, fn, &local)
		})
	}
	ranks.Wait()
	return errors.Join(j.errs...)
}

// runLocal runs one rank.
func (p *process) runLocal(op string, fn func(world *Comm) error, s *startup.Settings) error {
	localRanks.Add(1)
	defer localRanks.Add(-1)
	world, ctx := p.world(), orBackground(s.Context)
	if s.ConnectEagerly {
		if err := p.transport.Connect(ctx); err != nil {
			if ctx.Err() != nil {
				return givenUp(ctx, op)
			}
			return mpierr.Wrap(op, err)
		}
	}
	if err := guard(op, fn, world); err != nil {
		return err
	}
	if p.finalized.Load() { // fn has called Finalize or Abort itself
		if !p.left.Swap(true) {
			p.transport.Kill()
		}
		return nil
	}
	view := world.View(ctx)
	return view.Finalize()
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

func (l *localLauncher) Get(_ context.Context, from int, key string) (string, error) {
	if from >= len(l.job.cards) || key != addressKey(from) {
		return "", pmi.ErrKeyNotFound
	}
	return l.job.cards[from], nil
}

func (l *localLauncher) Put(context.Context, string, string) error { return nil }
func (l *localLauncher) Fence(context.Context) error               { return nil }
func (l *localLauncher) Finalize(context.Context) error            { return nil }
func (l *localLauncher) Hosts(context.Context) []int32             { return make([]int32, l.Size()) }
func (l *localLauncher) AppNum(context.Context) (int, error)       { return -1, nil }

func (l *localLauncher) PeerFailed(context.Context, int) error { return nil }

func (l *localLauncher) Watch(context.Context, func(error), func(string)) error { return nil }
func (l *localLauncher) Answer(context.Context, string) error                   { return nil }

// Abort cuts off all ranks; they end with the errors that follow from it.
func (l *localLauncher) Abort(_ context.Context, code int, _ string) error {
	l.job.fail(fmt.Errorf("rank %d: aborted the job with code %d", l.rank, code))
	l.job.kill()
	return nil
}

// guard calls fn and makes an error of a panic, that of Must its own.
func guard(op string, fn func(*Comm) error, world *Comm) (err error) {
	defer func() {
		if v := recover(); v != nil {
			if err = givenUpBy(v); err != nil {
				return
			}
			cause, _ := v.(error)
			err = mpierr.Because(cause, op, rpi.ErrOther, "panic: %v\n\n%s", v, debug.Stack())
		}
	}()
	return fn(world)
}
