package mpi_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/internal/mpitest"
)

// No stop lasts nearly as long as the peer time-out, a minute, but where a test says otherwise.
const (
	longestStop  = 20 * time.Millisecond
	longestPause = 20 * time.Millisecond
)

// stateOf is the letter by which /proc says what a process does: T if it is stopped, Z if it has ended.
func stateOf(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, fields, _ := strings.Cut(string(text), ") ")
	state, _, _ := strings.Cut(fields, " ")
	return state
}

// awaitStop waits until a process is stopped. It reports false if it has ended.
func awaitStop(pid int) bool {
	for {
		switch stateOf(pid) {
		case "T":
			return true
		case "Z", "X", "":
			return false
		}
		time.Sleep(time.Millisecond)
	}
}

// stopped is a job whose ranks can be stopped.
type stopped struct {
	*exec.Cmd
	ranks  []int // a pidfd of each, as the number of one that has ended may be another process's
	out    *bufio.Reader
	stderr bytes.Buffer
}

// stoppable is a shell's command: the rank says its number and stops itself, before it becomes the program.
const stoppable = `echo $$; kill -STOP $$; exec "$0"`

// startStopped starts a program as a job, with options of mpirun. Its ranks are stopped, and have not begun.
func startStopped(t *testing.T, mpirun string, size int, environment []string, options ...string) *stopped {
	arguments := append(options, "-n", strconv.Itoa(size), "sh", "-c", stoppable, os.Args[0])
	j := &stopped{Cmd: exec.CommandContext(t.Context(), mpirun, arguments...)}
	j.Env, j.Stderr = append(append(os.Environ(), "SCTPMPI_DEADLOCK_CHECK=0"), environment...), &j.stderr // mpirun would say that ranks have been stopped
	out, err := j.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, j.Start())
	j.out = bufio.NewReader(out)
	for range size {
		var pid int
		_, err := fmt.Fscanln(j.out, &pid)
		require.NoError(t, err)
		require.True(t, awaitStop(pid))
		fd, err := unix.PidfdOpen(pid, 0)
		require.NoError(t, err)
		t.Cleanup(func() { unix.Close(fd) })
		j.ranks = append(j.ranks, fd)
	}
	return j
}

// signal sends a signal to those of some ranks that have not ended.
func signal(t *testing.T, ranks []int, s syscall.Signal) {
	for _, fd := range ranks {
		if err := unix.PidfdSendSignal(fd, s, nil, 0); err != unix.ESRCH {
			require.NoError(t, err)
		}
	}
}

// ended is closed when all processes of the job have ended. What they print is not of interest.
func (j *stopped) ended() <-chan struct{} {
	c := make(chan struct{})
	go func() {
		defer close(c)
		_, _ = io.Copy(io.Discard, j.out)
	}()
	return c
}

// until calls do again and again, with pauses, until ended is closed.
func until(ended <-chan struct{}, random *rand.Rand, do func(pause time.Duration)) {
	for {
		do(time.Duration(random.Int64N(int64(longestStop))))
		select {
		case <-ended:
			return
		case <-time.After(time.Duration(random.Int64N(int64(longestPause)))):
		}
	}
}

// Ranks that are stopped for a while, from before their Init to the end, change nothing: no rank counts as dead, and nothing is lost.
func TestRandomProgramsWithStopsByMpirun(t *testing.T) {
	mpirun, here := buildMpirun(t)
	eachSeed(t, here, 1, 1, func(t *testing.T, transport, mode string, seed uint64, p mpitest.Program) {
		job := startStopped(t, mpirun, p.Size, append(randomEnvironment(transport, mode, seed, p), programVariable+"=random"))
		signal(t, job.ranks, syscall.SIGCONT)
		random := rand.New(rand.NewPCG(seed, 0x5709))
		until(job.ended(), random, func(pause time.Duration) {
			random.Shuffle(p.Size, func(a, b int) { job.ranks[a], job.ranks[b] = job.ranks[b], job.ranks[a] })
			some := job.ranks[:1+random.IntN(p.Size)]
			signal(t, some, syscall.SIGSTOP)
			time.Sleep(pause)
			signal(t, some, syscall.SIGCONT)
		})
		require.NoError(t, job.Wait(), "%s", &job.stderr)
		require.Empty(t, job.stderr.String())
	})
}

// Nor does it matter that mpirun is stopped, by ^Z, which stops the ranks of all hosts, or by SIGSTOP, which does not.
func TestRandomProgramsBesideAStoppedMpirun(t *testing.T) {
	mpirun, here := buildMpirun(t)
	shell := filepath.Join(t.TempDir(), "rsh")
	require.NoError(t, os.WriteFile(shell, []byte("#!/bin/sh\nshift\nexec sh -c \"$*\"\n"), 0o755))
	eachSeed(t, here[:1], 2, 1, func(t *testing.T, transport, mode string, seed uint64, p mpitest.Program) {
		job := startStopped(t, mpirun, p.Size, append(randomEnvironment(transport, mode, seed, p), programVariable+"=random", "SCTPMPI_INTERFACE=127.0.0.1"),
			"--host", fmt.Sprintf("a:%d,b:%d", p.Size/2, p.Size-p.Size/2), "--launch-agent", shell)
		signal(t, job.ranks, syscall.SIGCONT)
		random := rand.New(rand.NewPCG(seed, 0x5709))
		until(job.ended(), random, func(pause time.Duration) {
			stop := []syscall.Signal{syscall.SIGTSTP, syscall.SIGSTOP}[random.IntN(2)]
			require.NoError(t, job.Process.Signal(stop))
			if awaitStop(job.Process.Pid) {
				time.Sleep(pause)
			}
			require.NoError(t, job.Process.Signal(syscall.SIGCONT))
		})
		require.NoError(t, job.Wait(), "%s", &job.stderr)
		require.Empty(t, job.stderr.String())
	})
}

// tooLongFor is the peer time-out of ranks of which some are stopped for longer.
const tooLongFor = 2 * time.Second

// outcast is what a rank says that the others take for dead.
const outcast = "the other ranks have taken this process for dead"

func init() {
	// The others go on without the ranks that are stopped for too long, as docs/failures.md shows.
	programs["stopped for too long"] = func(world *mpi.Comm) error {
		c := world
		fmt.Println("begun")
		for left := 200; left > 0; {
			sum := []int{0}
			err := mpi.Allreduce(c, []int{1}, sum, mpi.Sum)
			ok := uint64(1)
			if err != nil {
				ok = 0
				if err := c.Revoke(); err != nil {
					return err
				}
			}
			if ok, err = c.Agree(ok); err == nil && ok == 1 {
				left--
				continue
			}
			if err != nil && !errors.Is(err, mpi.ErrProcFailed) {
				return err
			}
			if c, err = c.Shrink(); err != nil {
				return err
			}
		}
		return nil
	}
}

// Ranks that are stopped for longer than the peer time-out, and are continued, leave the job, and do not end that of the others: they do not take
// the others for dead, and the Abort of mpi.Run ends only the ranks that call it.
func TestRanksThatAreStoppedForTooLong(t *testing.T) {
	mpirun, here := buildMpirun(t)
	here = slices.DeleteFunc(here, func(c carrier) bool { return c.impaired || c.slow })
	everySeed(t, here, 1, 1, func(t *testing.T, transport, mode string, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 0x5709))
		size := 3 + random.IntN(randomRanks-2)
		job := startStopped(t, mpirun, size, []string{
			"SCTPMPI_TRANSPORT=" + transport, "SCTPMPI_PROGRESS=" + mode, "SCTPMPI_SHM=off", programVariable + "=stopped for too long",
			"SCTPMPI_PEER_TIMEOUT=" + tooLongFor.String(),
		}, "--keep-going")
		signal(t, job.ranks, syscall.SIGCONT)
		for range size {
			line, err := job.out.ReadString('\n')
			require.NoError(t, err)
			require.Equal(t, "begun\n", line)
		}
		ended := job.ended()
		some := job.ranks[:1+random.IntN(size/2)]
		time.Sleep(time.Duration(random.Int64N(int64(longestPause))))
		signal(t, some, syscall.SIGSTOP)
		select {
		case <-time.After(tooLongFor + time.Duration(random.Int64N(int64(2*tooLongFor)))):
		case <-ended:
		}
		signal(t, some, syscall.SIGCONT)
		<-ended
		require.NoError(t, job.Wait(), "%s", &job.stderr)
		for line := range strings.Lines(job.stderr.String()) {
			require.True(t, strings.HasPrefix(line, "mpirun: ") || strings.Contains(line, outcast), "%s", &job.stderr)
		}
	})
}
