package mpi

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// initialized: this process has a world that is not finalized.
var initialized atomic.Bool

// Init makes this process a member of the job that its launcher has started
// and returns the communicator of all its processes (MPI_INIT and
// MPI_COMM_WORLD; MPI 4.1, section 11.2). Launchers are found over PMI-1:
// this project's mpirun, MPICH's Hydra, Slurm's srun --mpi=pmi2. Without one
// the process is a world of one, in which everything works.
//
// A process has one world at a time: a second Init before Comm.Finalize is
// ErrOther. The settings come from the options, the variables that they name,
// and defaults, in this order. The error is ErrArg if one of them is wrong,
// with its name, and ErrOther if the launcher, the network or a peer is at
// fault.
func Init(options ...Option) (*Comm, error) {
	const op = "mpi.Init"
	s, err := newSettings(op, os.Getenv, options)
	if err != nil {
		return nil, err
	}
	if initialized.Swap(true) {
		return nil, invalid(op, ErrOther, "this process has a world already; call its Finalize first")
	}
	world, err := enter(context.Background(), s)
	if err != nil {
		initialized.Store(false)
		return nil, wrap(op, err)
	}
	return world, nil
}

// enter joins the job of the launcher that the environment names.
func enter(ctx context.Context, s *settings) (*Comm, error) {
	l, err := openLauncher(ctx)
	if err != nil {
		return nil, err
	}
	if l.Rank() == 0 && os.Getenv(rpi.EnvLocalSize) == "" { // mpirun has said it
		warnOnce.Do(func() { warnMistaken(os.Stderr, os.Environ()) })
	}
	if err := rpi.CheckPortRange(s.portLow, s.portHigh, localRanks(l)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrArg, err)
	}
	if !s.bind.IsValid() && !oneHost(ctx, l) {
		if s.bind, err = routableAddress(); err != nil {
			return nil, err
		}
	}
	if s.token == nil {
		if s.token, err = agreeOnToken(ctx, l); err != nil {
			return nil, err
		}
	}
	s.setOversubscription(localRanks(l), localProcessors())
	p, err := s.open(l)
	if err != nil {
		return nil, err
	}
	stop := reportOnQuit(p)
	if err := p.join(ctx, s); err != nil {
		stop()
		p.transport.Kill()
		return nil, err
	}
	p.leave = func() {
		stop()
		initialized.Store(false)
	}
	return p.world(), nil
}

// Run is the main function of a rank: Init, fn with the world communicator,
// Finalize. When fn returns an error or panics, Run ends the whole job with
// Comm.Abort, so that no rank waits for this one for ever, and returns the
// error; that of a panic has the stack. A program's main prints it and exits
// with a status other than 0.
func Run(fn func(world *Comm) error, options ...Option) error {
	world, err := Init(options...)
	if err != nil {
		return err
	}
	err = errors.New("its function ended its goroutine")
	defer func() {
		if err != nil {
			// The launcher prints why, as this process may end before it can.
			// If the launcher is gone nothing can be told.
			text, _, _ := strings.Cut(err.Error(), "\n")
			_ = world.abort(1, text)
		}
	}()
	if err = guard("mpi.Run", fn, world); err != nil {
		return err
	}
	return world.Finalize()
}

// Abort ends the job (MPI_ABORT; section 9.7): it asks the launcher to end all
// processes with code as the job's exit status and cuts this process off, so
// that its peers notice even without a launcher. Abort returns; the caller
// should end its process. Operations under way and later ones fail with
// ErrClosed. It may be called on any communicator.
func (c *Comm) Abort(code int) error {
	if c.null() {
		return invalid("mpi.Abort", ErrComm, "the communicator is nil")
	}
	return c.abort(code, "")
}

func (c *Comm) abort(code int, text string) error {
	const op = "mpi.Abort"
	p := c.process
	if p.left.Swap(true) {
		return invalid(op, ErrClosed, "the process has left its job")
	}
	p.finalized.Store(true)
	ctx, cancel := context.WithTimeout(context.Background(), partingTime)
	defer cancel()
	err := p.launcher.Abort(ctx, code, text)
	p.transport.Kill()
	p.leave()
	if err != nil {
		return wrap(op, err)
	}
	return nil
}
