package mpi_test

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
	"github.com/sctpmpi/sctpmpi/internal/pmi"
	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

// programVariable tells a process of this test binary to be a rank of a job and
// run one of the programs.
const programVariable = "MPI_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if name := os.Getenv(programVariable); name != "" {
		start := func() error { return mpi.Run(programs[name]) }
		if name == "sessions" { // which has no world
			start = sessionsAlone
		}
		if err := start(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	// Connections get the time that they take where forty other programs want the processors.
	preset(rpi.EnvConnectTimeout, "5m")
	if !long() { // see sealedCarriers
		preset(rpi.EnvEncrypt, seal.Off.String())
	}
	labtest.Run(m)
}

// preset sets a variable that the user has not set.
func preset(variable, value string) {
	if _, set := os.LookupEnv(variable); set {
		return
	}
	if err := os.Setenv(variable, value); err != nil {
		panic(err)
	}
}

var programs = map[string]func(world *mpi.Comm) error{
	"sum": func(world *mpi.Comm) error {
		sum := make([]int, 1)
		if err := mpi.Allreduce(world, []int{world.Rank() + 1}, sum, mpi.Sum); err != nil {
			return err
		}
		fmt.Printf("rank %d of %d: %d\n", world.Rank(), world.Size(), sum[0])
		return nil
	},
	"panic": func(world *mpi.Comm) error {
		if world.Rank() == 1 {
			panic("lost my way")
		}
		return world.Barrier()
	},
	"must": func(world *mpi.Comm) error {
		if world.Rank() == 1 {
			var elsewhere sync.WaitGroup
			elsewhere.Go(func() { mpi.Must(mpi.SendValue(world, 1, 7, 0)) })
			elsewhere.Wait()
		}
		return world.Barrier()
	},
	"exit": func(world *mpi.Comm) error {
		if err := world.Barrier(); err != nil {
			return err
		}
		if world.Rank() == 1 {
			os.Exit(3) // without a word
		}
		return world.Barrier()
	},
}

// outcome is how a process ended.
type outcome struct {
	stdout, stderr string
	failed         bool
	phase          pmi.Phase
}

// launch runs a program as a job of n processes, started as a launcher that
// knows nothing but PMI-1 would.
func launch(t *testing.T, program string, n int, environment ...string) (ranks []outcome, aborts []string) {
	return launchEach(t, program, n, func(int) []string { return environment })
}

// requireOnly requires of a job's processes that these ranks have failed, and no others.
func requireOnly(t *testing.T, launched []outcome, failed ...int) {
	t.Helper()
	for rank, p := range launched {
		require.Equal(t, slices.Contains(failed, rank), p.failed, "rank %d: %s", rank, p.stderr)
	}
}

// launchEach is launch with an environment for each rank.
func launchEach(t *testing.T, program string, n int, environment func(rank int) []string) (ranks []outcome, aborts []string) {
	var mu sync.Mutex
	server, err := pmi.NewServer(pmi.Config{Size: n, OnAbort: func(rank, code int, text string) {
		mu.Lock()
		defer mu.Unlock()
		aborts = append(aborts, fmt.Sprintf("%d with %d: %s", rank, code, text))
	}})
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var serving, running sync.WaitGroup
	serving.Go(func() { _ = server.Serve(listener) })
	ranks = make([]outcome, n)
	for rank := range n {
		running.Go(func() {
			var stdout, stderr bytes.Buffer
			process := exec.CommandContext(t.Context(), os.Args[0])
			process.Stdout, process.Stderr = &stdout, &stderr
			process.Env = append(os.Environ(), programVariable+"="+program,
				"PMI_PORT="+listener.Addr().String(), "PMI_ID="+strconv.Itoa(server.PortID(rank)),
				"SCTPMPI_INTERFACE=127.0.0.0/8")
			process.Env = append(process.Env, environment(rank)...)
			err := process.Run()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Error(err)
			}
			ranks[rank] = outcome{stdout: stdout.String(), stderr: stderr.String(), failed: err != nil}
		})
	}
	running.Wait()
	listener.Close()
	serving.Wait()
	for rank := range n {
		ranks[rank].phase = server.Phase(rank)
	}
	return ranks, aborts
}

// MPI 4.1, section 11.2: ranks find each other through the launcher.
func TestJobOfProcesses(t *testing.T) {
	for _, c := range carriers {
		c.run(t, func(t *testing.T, transport string) {
			for _, environment := range [][]string{
				nil,
				{"SCTPMPI_CONNECT=eager", "SCTPMPI_JOB_TOKEN=" + strings.Repeat("5e", 32), "SCTPMPI_EAGER_LIMIT=1"},
			} {
				ranks, aborts := launch(t, "sum", 4, append(environment, "SCTPMPI_TRANSPORT="+transport)...)
				for rank, r := range ranks {
					require.False(t, r.failed, r.stderr)
					require.Equal(t, fmt.Sprintf("rank %d of 4: 10\n", rank), r.stdout)
					require.Equal(t, pmi.Finalised, r.phase)
				}
				require.Empty(t, aborts)
			}
		})
	}
}

// A panic ends the job through the launcher, and is reported with its stack.
func TestPanicOfAProcessAbortsTheJob(t *testing.T) {
	ranks, aborts := launch(t, "panic", 3)
	require.Contains(t, aborts, "1 with 1: mpi.Run: panic: lost my way")
	require.Equal(t, pmi.Aborted, ranks[1].phase)
	require.Contains(t, ranks[1].stderr, "mpi.Run: panic: lost my way")
	require.Contains(t, ranks[1].stderr, "job_test.go", "the stack")
	for _, rank := range []int{0, 2} { // this launcher does not kill them
		require.True(t, ranks[rank].failed)
		require.Contains(t, ranks[rank].stderr, "mpi.Barrier: process failed")
	}
}

// Must ends the job with the error, in any goroutine, and shows no stack.
func TestMustAbortsTheJob(t *testing.T) {
	const text = "mpi.SendValue: invalid rank: dest 7 is not in a communicator of 3 ranks"
	ranks, aborts := launch(t, "must", 3)
	require.Contains(t, aborts, "1 with 1: "+text)
	require.Equal(t, pmi.Aborted, ranks[1].phase)
	require.True(t, ranks[1].failed)
	require.Equal(t, text+"\n", ranks[1].stderr)
}

// A process that ends without Finalize has failed for the others.
func TestExitWithoutFinalizeFailsTheOthers(t *testing.T) {
	ranks, _ := launch(t, "exit", 3)
	require.Equal(t, pmi.Initialised, ranks[1].phase, "the launcher can tell")
	for _, rank := range []int{0, 2} {
		require.True(t, ranks[rank].failed)
		require.Contains(t, ranks[rank].stderr, "mpi.Barrier: process failed")
	}
}

// A wrong setting fails in Init, by its name.
func TestWrongEnvironmentFailsInInit(t *testing.T) {
	t.Setenv("SCTPMPI_EAGER_LIMIT", "64k")
	_, err := mpi.Init()
	require.EqualError(t, err, "mpi.Init: invalid argument: SCTPMPI_EAGER_LIMIT=64k: it must be a number of bytes")
	_, err = mpi.Init(mpi.WithTransport("pigeon"))
	require.ErrorIs(t, err, mpi.ErrArg)
}

// Without a launcher a process is a world of one, one at a time.
func TestInitWithoutLauncher(t *testing.T) {
	for range 2 {
		world, err := mpi.Init()
		require.NoError(t, err)
		require.Equal(t, 1, world.Size())
		_, err = mpi.Init()
		require.ErrorIs(t, err, mpi.ErrOther)
		require.ErrorContains(t, err, "has a world already")
		require.NoError(t, world.Barrier())
		require.NoError(t, world.Finalize())
		require.ErrorIs(t, world.Finalize(), mpi.ErrClosed)
	}
	require.ErrorIs(t, mpi.Run(func(*mpi.Comm) error { return errDisk }), errDisk)
	require.NoError(t, mpi.Run(func(world *mpi.Comm) error { return world.Barrier() }))
}
