//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/sight"
	"github.com/sctpmpi/sctpmpi/cmd/internal/top"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// watched is a rank of a program that goes on when its standard input ends: until then all others wait for rank 0, which waits in no
// call.
func watched() int {
	err := mpi.Run(func(world *mpi.Comm) error {
		for peer := range world.Size() {
			if peer != world.Rank() && peer != 0 && world.Rank() != 0 { // all are connected
				if err := mpi.Send(world, []int{1}, peer, 0); err != nil {
					return err
				}
				if _, err := mpi.Recv(world, make([]int, 1), peer, 0); err != nil {
					return err
				}
			}
		}
		return heldByFirst(world)
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// heldByFirst has all ranks wait for rank 0, until its standard input ends.
func heldByFirst(world *mpi.Comm) error {
	if world.Rank() == 0 {
		_, _ = io.Copy(io.Discard, os.Stdin)
	}
	return mpi.Bcast(world, []int{0}, 0)
}

// alone gives the jobs of a test a folder of their own for sockets. Others of this user may be seen all the same.
func alone(t *testing.T) {
	t.Helper()
	base, err := os.MkdirTemp("/tmp", "view") // a short name, which a socket needs
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	t.Setenv("XDG_RUNTIME_DIR", base)
}

// begin starts a job, and returns what ends it well.
func begin(t *testing.T, m *mpirun) (end func()) {
	t.Helper()
	stdin, err := m.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, m.Start())
	return func() {
		require.NoError(t, stdin.Close())
		require.Zero(t, m.status(t), m.stderr.String())
		require.Empty(t, m.stderr.String())
	}
}

// awaitView looks at a job until what is seen fits. It never gives up: a busy machine may take long.
func awaitView(t *testing.T, m *mpirun, fits func(r *top.Report) bool) top.Report {
	t.Helper()
	for {
		v := command(t, "status", "--json", "--interval", "10ms", strconv.Itoa(m.Process.Pid))
		require.NoError(t, v.Start())
		if v.status(t) != 0 {
			require.Contains(t, v.stderr.String(), "no job", "it has not begun yet")
			continue
		}
		var r top.Report
		require.NoError(t, json.Unmarshal(v.stdout.Bytes(), &r))
		if fits(&r) {
			return r
		}
	}
}

// in reports whether the ranks of a job are in these states.
func in(states ...sight.State) func(r *top.Report) bool {
	return func(r *top.Report) bool {
		for i, state := range states {
			if len(r.Ranks) != len(states) || r.Ranks[i].State != state {
				return false
			}
		}
		return true
	}
}

// allButFirst reports whether two ranks wait for rank 0 in their broadcast.
func allButFirst(r *top.Report) bool {
	return in(sight.Computing, sight.Waiting, sight.Waiting)(r) && strings.Contains(r.Ranks[1].Wait().In, "Bcast") && strings.Contains(r.Ranks[2].Wait().In, "Bcast")
}

func TestStatusNamesTheRankThatWaitsAndTheLine(t *testing.T) {
	for _, transport := range transports() {
		t.Run(transport, func(t *testing.T) {
			alone(t)
			m := command(t, "-n", "3", "--transport", transport, "RANK", "watched")
			end := begin(t, m)
			r := awaitView(t, m, allButFirst)
			for _, row := range r.Ranks[1:] {
				wait := row.Wait()
				assert.Regexp(t, `^view_test\.go:\d+$`, wait.At)
				assert.NotEmpty(t, wait.Peers)
				assert.EqualValues(t, 1, row.Received)
				assert.NotZero(t, row.Processor)
				assert.NotZero(t, row.Memory)
			}
			assert.Equal(t, []top.Holding{{Rank: 0, State: sight.Computing, Waiting: 2}}, r.Holding)
			end()
			for _, other := range sight.Find() {
				assert.NotEqual(t, m.Process.Pid, other.Pid, "mpirun removes its socket")
			}
		})
	}
}

// A receive from any rank says so, and names none.
func TestStatusTellsAWaitForAnyRank(t *testing.T) {
	alone(t)
	m := command(t, "-n", "3", "RANK", "stuck", "tag")
	begin(t, m)
	r := awaitView(t, m, func(r *top.Report) bool {
		return in(sight.Waiting, sight.Waiting, sight.Waiting)(r) && r.Ranks[0].Unexpected == 1
	})
	wait := r.Ranks[0].Wait()
	assert.True(t, wait.Any)
	assert.Empty(t, wait.Peers)
	assert.Empty(t, r.Holding, "all wait for each other")
	m.send(t, syscall.SIGKILL)
	_ = m.status(t)
}

// A viewer that is killed, or stopped, changes nothing for the job.
func TestAViewerThatIsKilledLeavesTheJobAlone(t *testing.T) {
	alone(t)
	m := command(t, "-n", "3", "RANK", "watched")
	end := begin(t, m)
	awaitView(t, m, allButFirst)
	for _, s := range []syscall.Signal{syscall.SIGKILL, syscall.SIGSTOP} {
		v := command(t, "top", "--interval", "200ms", strconv.Itoa(m.Process.Pid))
		v.Stdout = nil
		out, err := v.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, v.Start())
		for lines := bufio.NewReader(out); ; {
			line, err := lines.ReadString('\n')
			require.NoError(t, err)
			if strings.Contains(line, "holding others up: rank 0 (computing): 2 ranks wait for it") {
				break
			}
		}
		v.send(t, s)
		if s == syscall.SIGSTOP {
			defer func() { v.send(t, syscall.SIGKILL); _ = v.status(t) }()
		} else {
			assert.Equal(t, -1, v.status(t))
		}
	}
	awaitView(t, m, allButFirst)
	end()
}

// Without a terminal top writes line after line until the job ends, which is no failure.
func TestTopWithoutATerminalWritesUntilTheJobEnds(t *testing.T) {
	alone(t)
	m := command(t, "-n", "3", "RANK", "watched")
	end := begin(t, m)
	awaitView(t, m, allButFirst)
	v := command(t, "top", "--json", "--interval", "200ms", strconv.Itoa(m.Process.Pid))
	v.Stdout = nil
	out, err := v.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, v.Start())
	lines := json.NewDecoder(out)
	for range 3 {
		var r top.Report
		require.NoError(t, lines.Decode(&r))
		assert.Len(t, r.Ranks, 3)
	}
	end()
	var r top.Report
	for err = lines.Decode(&r); err == nil; err = lines.Decode(&r) {
	}
	assert.ErrorIs(t, err, io.EOF)
	assert.Zero(t, v.status(t))
	assert.Equal(t, "mpirun: the job has ended\n", v.stderr.String())
}

func TestStatusOfNoJobOfSeveralAndOfADeadMpirun(t *testing.T) {
	alone(t)
	status, _, stderr := runMpirun(t, "status", "no-such-job")
	assert.Equal(t, 1, status)
	assert.Contains(t, stderr, "no job")
	status, _, stderr = runMpirun(t, "status", "--interval", "-1s")
	assert.Equal(t, 2, status)
	assert.Contains(t, stderr, "--interval -1s")

	a, b := command(t, "-n", "2", "RANK", "watched"), command(t, "-n", "3", "RANK", "watched")
	endA, endB := begin(t, a), begin(t, b)
	awaitView(t, a, in(sight.Computing, sight.Waiting))
	awaitView(t, b, allButFirst)
	status, stdout, _ := runMpirun(t, "status")
	assert.Zero(t, status)
	assert.Regexp(t, fmt.Sprintf(`(?m)^  %d  \S+, 2 ranks, since `, a.Process.Pid), stdout)
	assert.Regexp(t, fmt.Sprintf(`(?m)^  %d  \S+, 3 ranks, since `, b.Process.Pid), stdout)
	endA()
	endB()

	c := command(t, "-n", "1", "RANK", "watched")
	begin(t, c)
	awaitView(t, c, in(sight.Computing))
	c.send(t, syscall.SIGKILL)
	_ = c.status(t)
	status, _, stderr = runMpirun(t, "status", strconv.Itoa(c.Process.Pid))
	assert.Equal(t, 1, status)
	assert.NotContains(t, stderr, fmt.Sprintf("\n  %d  ", c.Process.Pid), "nothing is left of it, whatever other jobs there are")
}
