package core

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"strings"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/startup"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

var (
	// initialized: this process has a world that is not finalized.
	initialized atomic.Bool
	// resident is that world once it is there.
	resident atomic.Pointer[Comm]
)

// Init makes this process a member of the job that its launcher has started and
// returns the communicator of all its processes. A process has one world at a
// time, whichever face made it. If sessions have made it a member they go on beside the world.
func Init(op string, s *startup.Settings) (*Comm, error) {
	if world := resident.Load(); world != nil && world.process.sessions.unseen.CompareAndSwap(true, false) {
		return world, nil
	}
	return start(op, s, false)
}

// start is Init of a process that is in no job. unseen: its world is for sessions alone.
func start(op string, s *startup.Settings, unseen bool) (*Comm, error) {
	if initialized.Swap(true) {
		return nil, mpierr.Invalid(op, rpi.ErrOther, "this process has a world already; call its Finalize first")
	}
	ctx := orBackground(s.Context)
	world, err := enter(ctx, s)
	switch {
	case err == nil:
		world.process.sessions.world = world
		world.process.sessions.unseen.Store(unseen)
		resident.Store(world)
		return world, nil
	case ctx.Err() != nil:
		err = givenUp(ctx, op)
	default:
		err = mpierr.Wrap(op, err)
	}
	initialized.Store(false)
	return nil, err
}

// givenUp is the error of starting when ctx has ended.
func givenUp(ctx context.Context, op string) error {
	cause := context.Cause(ctx)
	return mpierr.Because(cause, op, rpi.ErrCancelled, "given up before all ranks had come together: %v", cause)
}

// enter joins the job of the launcher that the environment names.
func enter(ctx context.Context, s *startup.Settings) (world *Comm, err error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	l, err := s.OpenLauncher(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		if client, ok := l.(io.Closer); ok && err != nil && ctx.Err() != nil {
			client.Close() // the launcher learns that this process does not come
		}
	}()
	if l.Rank() == 0 && os.Getenv(rpi.EnvLocalSize) == "" { // mpirun has said it
		s.WarnOnce()
	}
	if err := rpi.CheckPortRange(s.PortLow, s.PortHigh, startup.LocalRanks(l)); err != nil {
		return nil, fmt.Errorf("%w: %w", rpi.ErrArg, err)
	}
	if err := rpi.CheckPublish(s.Publish, len(s.Bind), s.PortLow, s.PortHigh); err != nil {
		return nil, fmt.Errorf("%w: %w", rpi.ErrArg, err)
	}
	s.Hosts = startup.Hosts(ctx, l)
	if len(s.Bind) == 0 && !startup.OneHost(s.Hosts) {
		routable, err := startup.RoutableAddress()
		if err != nil {
			return nil, err
		}
		s.Bind = []netip.Addr{routable}
	}
	if s.Token == nil {
		if s.Token, err = startup.AgreeOnToken(ctx, l); err != nil {
			return nil, err
		}
	}
	s.SetOversubscription(startup.LocalRanks(l), startup.LocalProcessors())
	p, err := open(s, l)
	if err != nil {
		return nil, err
	}
	ended := func() {}
	if s.Profile != "" {
		if ended, err = profileTo(s.Profile, p.rank, s.Notice(p.rank)); err != nil {
			p.transport.Kill()
			return nil, err
		}
	}
	quiet := reportOnQuit(p)
	stop := func() {
		quiet()
		ended()
	}
	if err := p.join(ctx, s); err != nil {
		stop()
		p.transport.Kill()
		return nil, err
	}
	p.leave = func() {
		stop()
		resident.Store(nil)
		initialized.Store(false)
	}
	return p.world(), nil
}

// Run is the main function of a rank: Init, fn with the world communicator,
// Finalize. When fn returns an error or panics, Run ends the whole job.
func Run(s *startup.Settings, fn func(world *Comm) error) error {
	comm, err := Init("mpi.Init", s)
	if err != nil {
		return err
	}
	world := comm.View(s.Context)
	err = errors.New("its function ended its goroutine")
	defer func() {
		if err != nil {
			// The launcher prints why, as this process may end before it can.
			// If the launcher is gone nothing can be told.
			text, _, _ := strings.Cut(err.Error(), "\n")
			_ = world.abort("mpi.Abort", 1, text)
		}
	}()
	if err = guard("mpi.Run", fn, comm); err != nil {
		return err
	}
	return world.Finalize()
}

// Abort ends the job with an exit status, and cuts this process off. If it has been expelled the job is not its own any more, and goes on.
func (c *View) Abort(op string, code int) error {
	if c.Null() {
		return mpierr.Invalid(op, rpi.ErrComm, "the communicator is nil")
	}
	return c.abort(op, code, "")
}

// AbortSaying is Abort that tells the launcher why, in a line. A process that has been expelled says it on standard error itself: to
// tell the launcher would end the job of the others, or there is none any more.
func (c *View) AbortSaying(op string, code int, why string) error {
	if p := c.process; why != "" && p.failures.Expelled() && !p.left.Load() {
		fmt.Fprintf(os.Stderr, "mpi: rank %d called MPI_Abort(%d): %s\n", p.rank, code, why)
	}
	return c.abort(op, code, why)
}

func (c *View) abort(op string, code int, text string) error {
	p := c.process
	if p.left.Swap(true) {
		return mpierr.Invalid(op, rpi.ErrClosed, "the process has left its job")
	}
	p.aborted.Store(true)
	p.finalized.Store(true)
	var err error
	if !p.failures.Expelled() {
		ctx, cancel := context.WithTimeout(context.Background(), partingTime)
		defer cancel()
		err = p.launcher.Abort(ctx, code, text)
	}
	p.transport.Kill()
	p.collectives.Left()
	p.leave()
	if err != nil {
		return mpierr.Wrap(op, err)
	}
	return nil
}
