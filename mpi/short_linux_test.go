package mpi_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// meetOften has the ranks of a communicator make as many calls as it takes until short ones go by memory.
func meetOften(c *mpi.Comm) error {
	for range 12 {
		if err := c.Barrier(); err != nil {
			return err
		}
	}
	return nil
}

// launchHere launches processes that know that all of them are on one host.
func launchHere(t *testing.T, program string, n int, environment ...string) []outcome {
	launched, _ := launch(t, program, n, append(environment, rpi.EnvLocalSize+"="+strconv.Itoa(n))...)
	return launched
}

// Short collective calls of processes that share memory go by memory, with the same bits as by messages.
func TestShortCallsHaveTheSameBitsByMemoryAndByMessages(t *testing.T) {
	for _, n := range []int{2, 3, 5, 8} {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			bits := func(shm string) (all []string) {
				launched := launchHere(t, "bits of sums", n, rpi.EnvSharedMemory+"="+shm)
				requireOnly(t, launched)
				for _, p := range launched {
					all = append(all, p.stdout)
				}
				return all
			}
			require.Equal(t, bits("off"), bits("auto"))
		})
	}
}

func init() {
	programs["bits of sums"] = func(world *mpi.Comm) error {
		if err := meetOften(world); err != nil {
			return err
		}
		if shares := os.Getenv(rpi.EnvSharedMemory) == "auto"; mpi.Nearby(world) != shares {
			return fmt.Errorf("calls go by memory: %v", !shares)
		}
		random := rand.New(rand.NewPCG(uint64(world.Rank()), 1))
		var got []uint64
		for _, length := range []int{1, 2, 6, 7, 100, 511, 512, 513, 1000} {
			in, sum, at := make([]float64, length), make([]float64, length), make([]float64, length)
			for i := range in {
				in[i] = math.Exp(40 * random.NormFloat64())
			}
			for root := range world.Size() {
				own := func(left, right []float64) { mpi.Sum(left, right) }
				err := errors.Join(mpi.Allreduce(world, in, sum, mpi.Sum), mpi.Reduce(world, in, at, mpi.Sum, root), mpi.Bcast(world, at, root))
				for _, v := range append(sum, at...) {
					got = append(got, math.Float64bits(v))
				}
				err = errors.Join(err, mpi.Allreduce(world, in, at, own))
				if world.Rank() == root { // in place
					err = errors.Join(err, mpi.Reduce(world, at, at, own, root))
				} else {
					err = errors.Join(err, mpi.Reduce(world, at, nil, own, root))
				}
				if err = errors.Join(err, mpi.Bcast(world, at, root)); err != nil {
					return err
				}
				for i, v := range at {
					got = append(got, math.Float64bits(v))
					in[i] /= 3
				}
			}
		}
		return json.NewEncoder(os.Stdout).Encode(got)
	}
}

// A process that is killed amid short calls is named by the errors of all others, which go on without it.
func TestAProcessThatIsKilledAmidShortCalls(t *testing.T) {
	for _, call := range []string{"barrier", "allreduce", "bcast", "reduce"} {
		t.Run(call, func(t *testing.T) {
			for _, victim := range []int{0, 3} {
				launched := launchHere(t, "killed amid short calls", 4, rpi.EnvSharedMemory+"=auto", "TEST_CALL="+call, "TEST_VICTIM="+strconv.Itoa(victim))
				requireOnly(t, launched, victim)
			}
		})
	}
}

func init() {
	programs["killed amid short calls"] = func(world *mpi.Comm) error {
		if err := meetOften(world); err != nil {
			return err
		}
		if !mpi.Nearby(world) {
			return errors.New("calls do not go by memory")
		}
		victim, err := strconv.Atoi(os.Getenv("TEST_VICTIM"))
		if err != nil {
			return err
		}
		values := make([]int, 10)
		call := map[string]func(i int) error{
			"barrier":   func(int) error { return world.Barrier() },
			"allreduce": func(int) error { return mpi.Allreduce(world, values, values, mpi.Max) },
			"bcast":     func(i int) error { return mpi.Bcast(world, values, i%world.Size()) },
			"reduce":    func(i int) error { return mpi.Reduce(world, values, values, mpi.Max, i%world.Size()) },
		}[os.Getenv("TEST_CALL")]
		for i := 0; err == nil; i++ {
			if world.Rank() == victim && i == 100 {
				return syscall.Kill(os.Getpid(), syscall.SIGKILL)
			}
			err = call(i)
		}
		var e *mpi.Error
		if !errors.Is(err, mpi.ErrProcFailed) || !errors.As(err, &e) || e.Rank != victim {
			return fmt.Errorf("another error than that rank %d is gone: %w", victim, err)
		}
		rest, err := world.Shrink()
		if err != nil {
			return err
		}
		if rest.Size() != world.Size()-1 {
			return fmt.Errorf("%d ranks are left", rest.Size())
		}
		if err := meetOften(rest); err != nil {
			return err
		}
		if !mpi.Nearby(rest) {
			return errors.New("calls of those that are left do not go by memory")
		}
		sum, err := mpi.AllreduceValue(rest, 1, mpi.Sum)
		if err != nil || sum != rest.Size() {
			return fmt.Errorf("the sum is %d: %w", sum, err)
		}
		return nil
	}
}
