package mpi_test

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/internal/mpitest"
)

func init() {
	programs["random deaths"] = func(world *mpi.Comm) error {
		seed, err := strconv.ParseUint(os.Getenv(seedVariable), 10, 64)
		if err != nil {
			return err
		}
		p := mpitest.NewSurvivors(seed, randomRanks)
		if err = p.Run(world); errors.Is(err, mpitest.ErrKilled) {
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = self.Kill()
			}
			if err != nil {
				return err
			}
			select {} // until it is dead
		}
		return err
	}
}

// So it is where ranks are processes that are killed, and mpirun tells of it.
func TestRandomProgramsWithDeathsByMpirun(t *testing.T) {
	mpirun, here := buildMpirun(t)
	here = slices.DeleteFunc(here, func(c carrier) bool { return c.impaired || c.slow })
	everySeed(t, here, 2, 1, func(t *testing.T, transport, mode string, seed uint64) {
		p := mpitest.NewSurvivors(seed, randomRanks)
		job := exec.CommandContext(t.Context(), mpirun, "--keep-going", "-n", strconv.Itoa(p.Size), os.Args[0])
		job.Env = append(os.Environ(), append(randomEnvironment(transport, mode, seed, p.Program), programVariable+"=random deaths")...)
		out, err := job.CombinedOutput()
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		// A rank that learns of another's death before it is its turn lives.
		lost := strings.Count(string(out), "mpirun: lost: rank ")
		if told := strings.Count(string(out), "was killed by signal 9") - lost; lost != told || lost > p.Deaths() || p.Deaths() > 0 && lost == 0 {
			t.Errorf("mpirun has told of %d deaths, and lost %d ranks, of at most %d\n%s", told, lost, p.Deaths(), out)
		}
	})
}

// When ranks die at any place, the others learn of it, shrink the communicator and go on, and what they then get is right.
func TestRandomProgramsWithDeaths(t *testing.T) {
	fast := slices.DeleteFunc(slices.Clone(carriers), func(c carrier) bool { return c.impaired || c.slow })
	everySeed(t, fast, 2, 1, func(t *testing.T, transport, mode string, seed uint64) {
		p := mpitest.NewSurvivors(seed, randomRanks)
		err := mpi.RunLocal(p.Size, p.Run, mpi.WithTransport(transport), mpi.WithProgress(mode),
			mpi.WithEagerLimit(p.EagerLimit), mpi.WithUnexpectedLimit(p.UnexpectedLimit))
		for _, e := range unjoin(err) {
			require.ErrorIs(t, e, mpitest.ErrKilled)
		}
	})
}
