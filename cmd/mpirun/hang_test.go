//go:build unix

package main

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// stuck is a rank of a program that does not go on, or seems not to.
func stuck(how string) int {
	err := mpi.Run(func(world *mpi.Comm) error {
		buf, rank := make([]int, 1), world.Rank()
		receive := func(tag int) error {
			_, err := mpi.Recv(world, buf, mpi.AnySource, tag)
			return err
		}
		switch {
		case how == "ssend":
			return mpi.Ssend(world, buf, (rank+1)%world.Size(), 0)
		case how == "tag" && rank == 1:
			if err := mpi.Send(world, buf, 0, 3); err != nil {
				return err
			}
			return receive(4)
		case how == "tag" || how == "collective" && rank == 1:
			return receive(5)
		case how == "collective":
			return mpi.Allreduce(world, []int{1}, buf, mpi.Sum)
		case how == "goroutines": // one computes, and another one waits
			var service sync.WaitGroup
			service.Go(func() { _ = receive(7) })
			compute()
			defer service.Wait()
			return mpi.Send(world, buf, rank, 7)
		case rank == 0 && how == "computes":
			compute()
			return mpi.Bcast(world, buf, 0)
		case rank == 0 && how == "sleeps":
			time.Sleep(busyTime)
		}
		return mpi.Bcast(world, buf, 0)
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// busyTime is for how long a rank is busy elsewhere. Ranks are asked some times meanwhile; if the machine is too slow for that
// the test still passes.
const busyTime = 300 * time.Millisecond

func compute() {
	for begun := time.Now(); time.Since(begun) < busyTime; {
		continue
	}
}

var varying = regexp.MustCompile(` \d+ s\b| less than 1 s\b|:\d+\b`)

// startReading starts mpirun and returns what it says of the job, to be read as it comes.
func startReading(t *testing.T, m *mpirun) *bufio.Reader {
	t.Helper()
	m.Stderr = nil
	out, err := m.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, m.Start())
	return bufio.NewReader(out)
}

// readHang reads what mpirun says of ranks that wait, lines of them, after a line with a text.
func readHang(t *testing.T, in *bufio.Reader, text string, lines int) (said []string) {
	t.Helper()
	for found := false; len(said) < lines; {
		line, err := in.ReadString('\n')
		require.NoError(t, err)
		if found {
			line = strings.TrimPrefix(strings.TrimSpace(line), "mpirun: ")
			said = append(said, varying.ReplaceAllString(line, ""))
		}
		found = found || strings.Contains(line, text)
	}
	return said
}

var hangs = []struct {
	how   string
	lines []string
}{
	{"ssend", []string{
		"rank 0 waits in Ssend to 1, tag 0, at hang_test.go; unexpected: tag 0 from 2",
		"rank 1 waits in Ssend to 2, tag 0, at hang_test.go; unexpected: tag 0 from 0",
		"rank 2 waits in Ssend to 0, tag 0, at hang_test.go; unexpected: tag 0 from 1",
	}},
	{"tag", []string{
		"rank 0 waits in Recv from any rank, tag 5, at hang_test.go; unexpected: tag 3 from 1",
		"rank 1 waits in Recv from any rank, tag 4, at hang_test.go",
		"rank 2 waits in Recv from any rank, tag 5, at hang_test.go",
	}},
}

// A deadlock is warned of once, with what each rank waits for, and the job goes on. When it is ended by a signal the ranks
// say it again.
func TestADeadlockIsWarnedOfAndExplained(t *testing.T) {
	for _, hang := range hangs {
		for _, transport := range transports() {
			t.Run(hang.how+"/"+transport, func(t *testing.T) {
				m := command(t, "-n", "3", "--transport", transport, "RANK", "stuck", hang.how)
				m.Env = append(m.Env, "SCTPMPI_DEADLOCK_CHECK=10ms")
				in := startReading(t, m)
				assert.Equal(t, hang.lines, readHang(t, in, "this looks like a deadlock", 3))
				m.send(t, syscall.SIGTERM)
				assert.Equal(t, hang.lines, readHang(t, in, "received signal 15", 3))
				for more, err := in.ReadString('\n'); err == nil; more, err = in.ReadString('\n') {
					assert.Contains(t, more, "process failed", "a rank has seen its peer's end before its own signal")
				}
				assert.Equal(t, 143, m.status(t))
			})
		}
	}
}

// Ranks that wait in a collective that another one does not call: which of them depends on the algorithm.
func TestACollectiveThatIsNotCalledByAllIsWarnedOf(t *testing.T) {
	m := command(t, "-n", "3", "RANK", "stuck", "collective")
	m.Env = append(m.Env, "SCTPMPI_DEADLOCK_CHECK=10ms")
	said := readHang(t, startReading(t, m), "this looks like a deadlock", 2)
	assert.Contains(t, said[0], " in Allreduce (call 1) for rank ")
	assert.Contains(t, strings.Join(said, "\n"), "rank 1 waits in Recv from any rank, tag 5")
	m.send(t, syscall.SIGKILL)
	_ = m.status(t)
}

// Ranks that compute or sleep are not in a deadlock, though others wait for them.
func TestABusyJobIsNotWarnedOf(t *testing.T) {
	for _, how := range []string{"computes", "sleeps", "goroutines"} {
		t.Run(how, func(t *testing.T) {
			m := command(t, "-n", "3", "RANK", "stuck", how)
			m.Env = append(m.Env, "SCTPMPI_DEADLOCK_CHECK=1ms")
			require.NoError(t, m.Start())
			assert.Zero(t, m.status(t))
			assert.Empty(t, m.stderr.String())
		})
	}
}

func TestTimeoutSaysWhatRanksWaitFor(t *testing.T) {
	var lines []string
	// On a busy machine the ranks may not wait yet when a short time is up.
	for timeout := time.Second; len(lines) != 4 && timeout < time.Minute; timeout *= 2 {
		m := command(t, "-n", "3", "--timeout", timeout.String(), "RANK", "stuck", "ssend")
		m.Env = append(m.Env, "SCTPMPI_DEADLOCK_CHECK=0")
		require.NoError(t, m.Start())
		assert.Equal(t, 124, m.status(t))
		lines = strings.Split(strings.TrimSpace(m.stderr.String()), "\n")
		assert.Contains(t, lines[0], "the job has taken longer than "+timeout.String())
	}
	assert.Len(t, lines, 4)
}

// Go's own stacks come after what the ranks say, and that is said once.
func TestQuitSaysWhatRanksWaitForBeforeTheStacks(t *testing.T) {
	m := command(t, "-n", "3", "RANK", "stuck", "ssend")
	m.Env = append(m.Env, "SCTPMPI_DEADLOCK_CHECK=10ms")
	in := startReading(t, m)
	readHang(t, in, "this looks like a deadlock", 3)
	m.send(t, syscall.SIGQUIT)
	assert.Equal(t, hangs[0].lines, readHang(t, in, "received signal 3", 3))
	var rest []string
	for line, err := in.ReadString('\n'); err == nil; line, err = in.ReadString('\n') {
		rest = append(rest, line)
	}
	assert.Contains(t, rest, "SIGQUIT: quit\n")
	assert.False(t, slices.ContainsFunc(rest, func(s string) bool { return strings.Contains(s, " waits ") }))
	assert.NotZero(t, m.status(t))
}
