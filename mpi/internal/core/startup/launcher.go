package startup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"

	"github.com/sctpmpi/sctpmpi/internal/pmi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Launcher is what a process needs of the launcher of its job: a client of PMI-1, what
// Settings.Foreign has found, or a stand-in for a world of one.
type Launcher interface {
	Rank() int
	Size() int
	Put(ctx context.Context, key, value string) error
	// Get reads what rank from has put before the last Fence. pmi.ErrKeyNotFound: it has not put the key.
	Get(ctx context.Context, from int, key string) (string, error)
	Fence(ctx context.Context) error
	Abort(ctx context.Context, code int, text string) error
	Finalize(ctx context.Context) error
	// AppNum is which part of the job this process belongs to, from 0; -1 if the launcher does not say it.
	AppNum(ctx context.Context) (int, error)
	// Hosts returns the number of each rank's host, the same on all ranks; nil if the launcher does not say it.
	Hosts(ctx context.Context) []int32
	// PeerFailed says that this process has seen the failure of a peer, so that
	// the launcher finds the cause if this process fails now.
	PeerFailed(ctx context.Context, peer int) error
	// Watch arranges for gone to be called if the launcher ends before this process
	// has finalized, and notice for each notice of the launcher.
	Watch(ctx context.Context, gone func(reason error), notice func(what string)) error
	// Answer answers a question that came as a notice.
	Answer(ctx context.Context, text string) error
}

// OpenLauncher finds the launcher that started this process: one that the environment names for PMI-1, or else a
// foreign one.
func (s *Settings) OpenLauncher(ctx context.Context) (Launcher, error) {
	if s.Foreign != nil && !pmi.Named() {
		if l, err := s.Foreign(ctx); l != nil || err != nil {
			return l, err
		}
	}
	client, err := pmi.Open(ctx)
	if errors.Is(err, pmi.ErrNoLauncher) {
		return alone{}, nil
	}
	if err != nil {
		return nil, err
	}
	return pmi1{client}, nil
}

// pmi1 is a launcher that speaks PMI-1. Its key-value space does not say who has put a key.
type pmi1 struct{ *pmi.Client }

func (l pmi1) Get(ctx context.Context, _ int, key string) (string, error) {
	return l.Client.Get(ctx, key)
}

// Hosts takes one question.
func (l pmi1) Hosts(ctx context.Context) []int32 {
	mapping, err := l.Client.Get(ctx, "PMI_process_mapping")
	if err != nil {
		return nil
	}
	return mappedHosts(mapping, l.Size())
}

// alone stands in for the launcher of a process that has none.
type alone struct{}

func (alone) Rank() int                                 { return 0 }
func (alone) Size() int                                 { return 1 }
func (alone) Put(context.Context, string, string) error { return nil }
func (alone) Fence(context.Context) error               { return nil }
func (alone) Finalize(context.Context) error            { return nil }
func (alone) Hosts(context.Context) []int32             { return make([]int32, 1) }
func (alone) AppNum(context.Context) (int, error)       { return -1, nil }

// Abort says why, as no launcher does.
func (alone) Abort(_ context.Context, _ int, text string) error {
	if text != "" {
		fmt.Fprintln(os.Stderr, "mpi: "+text)
	}
	return nil
}

func (alone) Get(context.Context, int, string) (string, error) { return "", pmi.ErrKeyNotFound }

func (alone) PeerFailed(context.Context, int) error                  { return nil }
func (alone) Watch(context.Context, func(error), func(string)) error { return nil }
func (alone) Answer(context.Context, string) error                   { return nil }

// LocalRanks returns how many ranks of the job run on this host, as far as the launcher
// says: mpirun in SCTPMPI_LOCAL_SIZE, Hydra in MPI_LOCALNRANKS. Otherwise it is one.
func LocalRanks(l Launcher) int {
	for _, name := range []string{rpi.EnvLocalSize, "MPI_LOCALNRANKS"} {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return min(n, l.Size())
		}
	}
	return 1
}

// LocalProcessors returns how many processors the ranks of this host may use together. mpirun says it in
// SCTPMPI_LOCAL_PROCESSORS: it gives each rank its share of them, which GOMAXPROCS then is. Otherwise it is
// what this process may use, for which Go respects affinity and the limits of control groups.
func LocalProcessors() int {
	if n, err := strconv.Atoi(os.Getenv(rpi.EnvLocalProcessors)); err == nil && n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// SetOversubscription says how many ranks share how many processors. If all ranks share one processor
// no call spins, unless a spin was asked for: the rank that it waits for could not run
// meanwhile.
func (s *Settings) SetOversubscription(ranks, processors int) {
	s.Oversubscribed, s.LocalSize = ranks > processors, ranks
	if s.Oversubscribed && processors == 1 && s.Spin == 0 {
		s.Spin = Never
	}
}

// LauncherProcess is the process that has started the ranks of this host, 0 if it is not known.
func LauncherProcess() int {
	pid, _ := strconv.Atoi(os.Getenv(rpi.EnvLauncher)) // mpirun has set it
	return max(pid, 0)
}
