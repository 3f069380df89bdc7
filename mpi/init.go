package mpi

import (
	"os"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

// Init makes this process a member of the job that its launcher has started
// and returns the communicator of all its processes (MPI_INIT and
// MPI_COMM_WORLD; MPI 4.1, section 11.2). Launchers are found over PMI-1:
// this project's mpirun, MPICH's Hydra, Slurm's srun --mpi=pmi2. Without one
// the process is a world of one, in which everything works.
//
// A process has one world at a time: a second Init before Comm.Finalize is
// ErrOther. It may have sessions beside it: see OpenSession. The settings come from the options, the variables that they name,
// and defaults, in this order. The error is ErrArg if one of them is wrong,
// with its name, ErrOther if the launcher, the network or a peer is at fault,
// and ErrCancelled if the context of WithContext has ended. Without one Init
// waits until all processes of the job have called it.
func Init(options ...Option) (*Comm, error) {
	const op = "mpi.Init"
	s, err := newSettings(op, os.Getenv, options)
	if err != nil {
		return nil, err
	}
	world, err := core.Init(op, s)
	return newComm(world).WithContext(s.Context), public(err)
}

// Run is the main function of a rank: Init, fn with the world communicator,
// Finalize. When fn returns an error or panics, Run ends the whole job with
// Comm.Abort, so that no rank waits for this one for ever, and returns the
// error; that of a panic has the stack. A program's main prints it and exits
// with a status other than 0.
func Run(fn func(world *Comm) error, options ...Option) error {
	s, err := newSettings("mpi.Init", os.Getenv, options)
	if err != nil {
		return err
	}
	return public(core.Run(s, func(world *core.Comm) error { return fn(newComm(world).WithContext(s.Context)) }))
}

// Abort ends the job (MPI_ABORT; section 9.7): it asks the launcher to end all
// processes with code as the job's exit status and cuts this process off, so
// that its peers notice even without a launcher. Abort returns; the caller
// should end its process. Operations under way and later ones fail with
// ErrClosed. It may be called on any communicator.
func (c *Comm) Abort(code int) error { return public(c.core().Abort("mpi.Abort", code)) }
