//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// killMe ends this process as kill -9 does.
func killMe() error { return syscall.Kill(os.Getpid(), syscall.SIGKILL) }

// survive does ten steps with all ranks that live. The n-th of the arguments is a rank that is killed in step 2n, or "host" and a rank
// that kills the proxy of its host. Each rank that is left says how many they are in the end.
func survive(victims []string) int {
	world, err := mpi.Init()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	c := world
	for step := 0; step < 10; {
		if at := step / 2; step%2 == 0 && at < len(victims) {
			rank, ofHost := strings.CutPrefix(victims[at], "host")
			victim, _ := strconv.Atoi(rank)
			switch me := world.Rank(); {
			case ofHost && me/2 == victim/2: // there are two on each host
				if me == victim {
					_ = syscall.Kill(os.Getppid(), syscall.SIGKILL)
				}
				select {} // the kernel kills this process
			case !ofHost && me == victim:
				_ = killMe()
			}
		}
		sum := []int{0}
		err := mpi.Allreduce(c, []int{1}, sum, mpi.Sum)
		ok := uint64(1)
		if err != nil {
			ok = 0
			if !errors.Is(err, mpi.ErrProcFailed) && !errors.Is(err, mpi.ErrRevoked) {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
			_ = c.Revoke()
		} else if sum[0] != c.Size() {
			fmt.Fprintln(os.Stderr, "a sum of", sum[0], "over", c.Size(), "ranks")
			return 1
		}
		if ok, err = c.Agree(ok); err == nil && ok == 1 {
			step++
			continue
		}
		if c, err = c.Shrink(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	fmt.Println("survivors:", c.Size())
	if err := world.Finalize(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// bereaved has rank 1 killed while rank 0 waits for it, connected with it, and rank 2, not connected. Receives from any source wait until the
// death is acknowledged.
func bereaved() int {
	err := mpi.Run(func(world *mpi.Comm) error {
		buf, ctx := []int{0}, context.Background()
		if world.Rank() == 1 {
			if err := mpi.Ssend(world, buf, 0, 1); err != nil {
				return err
			}
			return killMe()
		}
		other := 2 - world.Rank()
		wild, err := mpi.Irecv(world, []int{0}, mpi.AnySource, 7)
		if err != nil {
			return err
		}
		if world.Rank() == 0 {
			if _, err := mpi.Recv(world, buf, 1, 1); err != nil {
				return err
			}
		}
		if _, err := mpi.Recv(world, buf, 1, 2); !errors.Is(err, mpi.ErrProcFailed) {
			return fmt.Errorf("a receive from the dead rank: %v", err)
		}
		if err := mpi.Ssend(world, buf, 1, 2); !errors.Is(err, mpi.ErrProcFailed) {
			return fmt.Errorf("a send to the dead rank: %v", err)
		}
		if _, err := wild.Wait(ctx); !errors.Is(err, mpi.ErrProcFailedPending) {
			return fmt.Errorf("a receive from any source: %v", err)
		}
		if _, err := world.AckFailed(1); err != nil {
			return err
		}
		if _, err := mpi.Sendrecv(world, buf, other, 8, []int{0}, other, 8); err != nil { // both have come so far
			return err
		}
		if err := mpi.Send(world, buf, other, 7); err != nil {
			return err
		}
		if _, err = wild.Wait(ctx); err != nil {
			return err
		}
		fmt.Println("bereaved:", world.Rank())
		return nil
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// forEachWay runs a test over all transports, and over shared memory. Only the notice of mpirun ends the waiting for a dead rank in time:
// the ranks themselves would take it for dead after much longer than the test may last.
func forEachWay(t *testing.T, test func(t *testing.T, prepare func(args ...string) *mpirun)) {
	type way struct{ transport, shm string }
	ways := []way{{"tcp-perpair", "auto"}}
	for _, transport := range transports() {
		ways = append(ways, way{transport, "off"})
	}
	for _, w := range ways {
		t.Run(fmt.Sprintf("%s shm %s", w.transport, w.shm), func(t *testing.T) {
			test(t, func(args ...string) *mpirun {
				m := command(t, append([]string{"--keep-going", "--transport", w.transport}, args...)...)
				m.Env = append(m.Env, "SCTPMPI_SHM="+w.shm, "SCTPMPI_DEADLOCK_CHECK=10ms",
					"SCTPMPI_PEER_TIMEOUT=10h", "SCTPMPI_FINALIZE_TIMEOUT=10h", "SCTPMPI_CONNECT_TIMEOUT=10h")
				return m
			})
		})
	}
}

// lost are the ranks that mpirun names in the end.
func lost(stderr string) (ranks []string) {
	for line := range strings.Lines(messages(stderr)) {
		if text, ok := strings.CutPrefix(line, "lost: rank "); ok {
			number, how, _ := strings.Cut(text, " ")
			if how == "(PID) was killed by signal 9 (killed)\n" {
				ranks = append(ranks, number)
			}
		}
	}
	return ranks
}

// accuse has rank 1 killed and the others in an Allreduce that needs it. Each says which rank its error is about.
func accuse() int {
	err := mpi.Run(func(world *mpi.Comm) error {
		if world.Rank() == 1 {
			return killMe()
		}
		err := mpi.Allreduce(world, []int{1}, []int{0}, mpi.Sum)
		e, ok := errors.AsType[*mpi.Error](err)
		if !ok || !strings.Contains(err.Error(), "rank 1 is gone: ") {
			return fmt.Errorf("an Allreduce with a dead rank: %w", err)
		}
		fmt.Println("about", e.Rank)
		_, _ = world.Agree(0) // so that none takes leave before all have failed
		return nil
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// Rank 3 hears of the death from rank 2, which hears of it from rank 0. All name rank 1.
func TestErrorsNameTheRankThatDied(t *testing.T) {
	forEachWay(t, func(t *testing.T, prepare func(args ...string) *mpirun) {
		m := prepare("-n", "4", "RANK", "accuse")
		require.NoError(t, m.Start())
		assert.Zero(t, m.status(t), m.stderr.String())
		assert.Equal(t, strings.Repeat("about 1\n", 3), m.stdout.String())
	})
}

func TestSurvivorsOfDeathsFinish(t *testing.T) {
	forEachWay(t, func(t *testing.T, prepare func(args ...string) *mpirun) {
		for _, victims := range [][]string{{"1"}, {"0", "3"}, {"4", "2", "0", "1"}} {
			m := prepare(append([]string{"-n", "5", "RANK", "survive"}, victims...)...)
			require.NoError(t, m.Start())
			assert.Zero(t, m.status(t))
			left := 5 - len(victims)
			assert.Equal(t, strings.Repeat(fmt.Sprintf("survivors: %d\n", left), left), m.stdout.String(), m.stderr.String())
			assert.ElementsMatch(t, victims, lost(m.stderr.String()))
		}
	})
}

func TestADeathEndsWhatWaitsForTheRank(t *testing.T) {
	forEachWay(t, func(t *testing.T, prepare func(args ...string) *mpirun) {
		m := prepare("-n", "3", "RANK", "bereaved")
		require.NoError(t, m.Start())
		assert.Zero(t, m.status(t), m.stderr.String())
		said := strings.Fields(m.stdout.String())
		slices.Sort(said)
		assert.Equal(t, []string{"0", "2", "bereaved:", "bereaved:"}, said)
		assert.Equal(t, []string{"1"}, lost(m.stderr.String()))
	})
}

// The status tells whether those that are left have done well.
func TestStatusOfAJobThatKeepsGoing(t *testing.T) {
	for _, test := range []struct {
		name   string
		args   []string
		status int
		says   string
	}{
		{"all killed", []string{"-n", "2", "RANK", "kill"}, 137, ""},
		{"one killed", []string{"-n", "1", "RANK", "kill", ":", "-n", "2", "RANK", "exit", "0"}, 0,
			"rank 0 (PID) was killed by signal 9 (killed)\n" +
				"lost: rank 0 (PID) was killed by signal 9 (killed)\n"},
		{"one without Finalize", []string{"-n", "1", "RANK", "leave", ":", "-n", "1", "RANK", "exit", "0"}, 0,
			"rank 0 (PID) exited without Finalize\nlost: rank 0 (PID) exited without Finalize\n"},
		{"one with a status, no MPI", []string{"-n", "1", "RANK", "exit", "3", ":", "-n", "1", "RANK", "exit", "0"}, 3, ""},
		{"one with a status, after Finalize", []string{"-n", "1", "RANK", "finalized", "4", ":", "-n", "1", "RANK", "finalized", "0"}, 4, ""},
		{"abort", []string{"-n", "1", "RANK", "abort", "5", "no", "use", ":", "-n", "2", "RANK", "hang"}, 5,
			"rank 0 (PID) called Abort(5): no use; ending the job\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, _, stderr := runMpirun(t, append([]string{"--keep-going"}, test.args...)...)
			assert.Equal(t, test.status, status, stderr)
			if test.says != "" { // the other ranks may have ended before it is known
				assert.Equal(t, test.says, strings.Replace(messages(stderr), "; the job goes on", "", 1))
			}
		})
	}
}

// A rank that dies before all have met in Init is missed by them.
func TestADeathBeforeInitFailsThatOfTheOthers(t *testing.T) {
	status, _, stderr := runMpirun(t, "--keep-going", "-n", "2", "RANK", "barrier", ":", "-n", "1", "RANK", "kill")
	assert.NotZero(t, status)
	assert.Contains(t, stderr, "rank 2 has left the job")
}

// stuckSurvivors has rank 1 killed, after it has sent messages that others do not receive. Then the others wait for each other in a ring,
// or do so after rank 0 has computed for a while.
func stuckSurvivors(how string) int {
	err := mpi.Run(func(world *mpi.Comm) error {
		buf, rank := []int{0}, world.Rank()
		if rank == 1 {
			for _, to := range []int{0, 2, 3} {
				if err := mpi.Send(world, buf, to, 5); err != nil {
					return err
				}
			}
			if _, err := mpi.Recv(world, buf, 0, 6); err != nil {
				return err
			}
			return killMe()
		}
		if rank == 0 {
			if err := mpi.Send(world, buf, 1, 6); err != nil {
				return err
			}
		}
		if _, err := mpi.Recv(world, buf, 1, 99); !errors.Is(err, mpi.ErrProcFailed) {
			return fmt.Errorf("a receive from the dead rank: %v", err)
		}
		to, from := map[int]int{0: 2, 2: 3, 3: 0}[rank], map[int]int{0: 3, 2: 0, 3: 2}[rank]
		if how == "ring" {
			return mpi.Ssend(world, buf, to, 0)
		}
		if rank == 0 {
			compute()
		}
		_, err := mpi.Sendrecv(world, buf, to, 0, []int{0}, from, 0)
		return err
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// What has gone to the dead, and come from them, does not keep a deadlock of the others from being found.
func TestADeadlockAfterADeathIsWarnedOf(t *testing.T) {
	forEachWay(t, func(t *testing.T, prepare func(args ...string) *mpirun) {
		m := prepare("-n", "4", "RANK", "stuck-survivors", "ring")
		in := startReading(t, m)
		said := readHang(t, in, "this looks like a deadlock", 4)
		for i, to := range map[int]int{0: 2, 2: 3, 3: 0} {
			assert.Contains(t, said[i], fmt.Sprintf("rank %d waits in Ssend to %d, tag 0", i, to))
		}
		assert.Equal(t, "rank 1 ended before", said[1])
		m.send(t, syscall.SIGKILL)
		_ = m.status(t)
	})
}

func TestABusyJobIsNotWarnedOfAfterADeath(t *testing.T) {
	forEachWay(t, func(t *testing.T, prepare func(args ...string) *mpirun) {
		m := prepare("-n", "4", "RANK", "stuck-survivors", "computes")
		require.NoError(t, m.Start())
		assert.Zero(t, m.status(t), m.stderr.String())
		assert.NotContains(t, m.stderr.String(), "deadlock")
	})
}
