package lab_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab"
	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
)

// output runs a shell script in a lab and returns what it has written.
func output(t *testing.T, config lab.Config, script string) (stdout, stderr string, err error) {
	t.Helper()
	var out, errs bytes.Buffer
	c := lab.Command(t.Context(), config, "/bin/sh", "-c", script)
	c.Stdout, c.Stderr = &out, &errs
	err = c.Run()
	return out.String(), errs.String(), err
}

func TestCommandIsRootAndHasKernelSCTPNetemAndTheHostsFiles(t *testing.T) {
	labtest.Need(t)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "there"), []byte("of the host"), 0o600))
	out, errs, err := output(t, lab.Config{Dir: dir, Env: []string{"PATH=" + os.Getenv("PATH"), "MINE=set"}}, `
		id -u; cat there; echo; echo $MINE $SCTPMPI_LAB $TMPDIR; cat /proc/sys/net/sctp/rto_min /proc/sys/net/sctp/sndbuf_policy /proc/sys/net/sctp/rcvbuf_policy
		awk '/^(sch_netem|veth|bridge) /{print $1}' /proc/modules | sort; cat /sys/class/net/lo/carrier; echo to stderr >&2`)
	require.NoError(t, err)
	assert.Equal(t, "0\nof the host\nset 1 /tmp\n1000\n1\n1\nbridge\nsch_netem\nveth\n1\n", out)
	assert.Equal(t, "to stderr\n", errs)
}

func TestProgramsOfRootAreFoundWhateverThePathOfTheUser(t *testing.T) {
	labtest.Need(t)
	out, _, err := output(t, lab.Config{Env: []string{"PATH=/usr/local/bin:/usr/bin:/bin"}}, "command -v modprobe sysctl >/dev/null && echo both")
	require.NoError(t, err)
	assert.Equal(t, "both\n", out)
}

func TestHostsFilesStayAsTheyAreButInScratchDirectories(t *testing.T) {
	labtest.Need(t)
	scratch, other := t.TempDir(), t.TempDir()
	_, _, err := output(t, lab.Config{Dir: other, Scratch: []string{scratch}},
		`echo kept >"`+scratch+`/file" && echo lost >file && ! touch /usr/file`)
	require.NoError(t, err)
	assert.NoFileExists(t, filepath.Join(other, "file"))
	kept, err := os.ReadFile(filepath.Join(scratch, "file"))
	require.NoError(t, err)
	assert.Equal(t, "kept\n", string(kept))
}

func TestRunReturnsHowTheCommandEnded(t *testing.T) {
	labtest.Need(t)
	var exit *lab.ExitError
	_, _, err := output(t, lab.Config{}, "exit 7")
	require.ErrorAs(t, err, &exit)
	assert.Equal(t, lab.ExitError{Code: 7}, *exit)
	_, _, err = output(t, lab.Config{}, "kill -TERM $$")
	require.ErrorAs(t, err, &exit)
	assert.Equal(t, lab.ExitError{Code: -1, Signal: syscall.SIGTERM}, *exit)
}

func TestInputAndOutputPassUnchangedWhileEachWaitsForTheOther(t *testing.T) {
	labtest.Need(t)
	data := bytes.Repeat([]byte("\x00\x03\x04\r\n\x7f\xff and text"), 20_000)
	var out bytes.Buffer
	c := lab.Command(t.Context(), lab.Config{}, "cat")
	c.Stdin, c.Stdout = bytes.NewReader(data), &out
	require.NoError(t, c.Run())
	assert.True(t, bytes.Equal(data, out.Bytes()))
}

func TestMuchOutputPassesWithoutInput(t *testing.T) {
	labtest.Need(t)
	var n count
	c := lab.Command(t.Context(), lab.Config{}, "head", "-c", "10000000", "/dev/zero")
	c.Stdout = &n
	require.NoError(t, c.Run())
	assert.EqualValues(t, 10_000_000, n)
}

type count int64

func (c *count) Write(p []byte) (int, error) { *c += count(len(p)); return len(p), nil }

func TestOrphansEndWithTheCommand(t *testing.T) {
	labtest.Need(t)
	out, _, err := output(t, lab.Config{}, "(sleep 1000 &) ; echo done")
	require.NoError(t, err)
	assert.Equal(t, "done\n", out)
}

func TestTerminalHasItsSize(t *testing.T) {
	labtest.Need(t)
	var out bytes.Buffer
	c := lab.Command(t.Context(), lab.Config{}, "sh", "-c", "tty && stty size")
	c.Terminal, c.Stdout = &lab.Window{Rows: 12, Cols: 34}, &out
	require.NoError(t, c.Run())
	assert.Equal(t, "/dev/pts/0\r\n12 34\r\n", out.String())
}

func TestTenLabsRunAtOnce(t *testing.T) {
	labtest.Need(t)
	var all sync.WaitGroup
	for i := range 10 {
		all.Go(func() {
			out, _, err := output(t, lab.Config{Memory: 256 << 20}, fmt.Sprint("echo ", i, "; exit ", i))
			assert.Equal(t, fmt.Sprintln(i), out)
			if i == 0 {
				assert.NoError(t, err)
				return
			}
			var exit *lab.ExitError
			if assert.ErrorAs(t, err, &exit) {
				assert.Equal(t, i, exit.Code)
			}
		})
	}
	all.Wait()
}

func TestEndOfContextKillsAllOfTheLab(t *testing.T) {
	labtest.Need(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	c := lab.Command(ctx, lab.Config{}, "sh", "-c", "sleep 1000 & echo up; wait")
	r, w := io.Pipe()
	c.Stdout = w
	ended := make(chan error)
	go func() { ended <- c.Run() }()
	_, err := io.ReadFull(r, make([]byte, 3))
	require.NoError(t, err)
	require.NotEmpty(t, kernels(t, os.Getpid()))
	cancel(enough)
	require.ErrorIs(t, <-ended, enough)
	assert.Empty(t, kernels(t, os.Getpid()))
	mounts, err := os.ReadFile("/proc/mounts")
	require.NoError(t, err)
	assert.NotContains(t, string(mounts), "hostfs")
}

func TestLabEndsWhenItsProgramIsKilled(t *testing.T) {
	labtest.Need(t)
	c := exec.Command(os.Args[0], "-test.run=^$")
	c.Env = append(os.Environ(), victimVariable+"=1")
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	_, err = io.ReadFull(out, make([]byte, 3))
	require.NoError(t, err)
	var left []int
	for _, pid := range kernels(t, c.Process.Pid) {
		fd, err := unix.PidfdOpen(pid, 0)
		require.NoError(t, err)
		defer unix.Close(fd)
		left = append(left, fd)
	}
	require.NotEmpty(t, left)
	require.NoError(t, c.Process.Kill())
	for _, process := range left {
		require.NoError(t, poll([]unix.PollFd{{Fd: int32(process), Events: unix.POLLIN}}))
	}
	c.Wait()
}

func TestRunSaysWhatIsWrong(t *testing.T) {
	for want, c := range map[string]*lab.Cmd{
		"executable file not found": lab.Command(t.Context(), lab.Config{}, "no-such-program"),
		"permission denied":         lab.Command(t.Context(), lab.Config{}, "/etc/passwd"),
		"working directory":         lab.Command(t.Context(), lab.Config{Dir: "/no/such/dir"}, "true"),
		"scratch directory":         lab.Command(t.Context(), lab.Config{Scratch: []string{"/etc/passwd"}}, "true"),
		"a lab needs 134217728":     lab.Command(t.Context(), lab.Config{Memory: 1}, "true"),
	} {
		assert.ErrorContains(t, c.Run(), want)
	}
}

func TestProbeSaysWhatToInstall(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	err := lab.Probe()
	require.ErrorIs(t, err, lab.ErrUnavailable)
	assert.ErrorContains(t, err, "apt-get install user-mode-linux")
}

// victimVariable makes the test binary a program whose lab runs until it is killed.
const victimVariable = "SCTPMPI_LAB_TEST_VICTIM"

func TestMain(m *testing.M) {
	if os.Getenv(victimVariable) != "" {
		c := lab.Command(context.Background(), lab.Config{}, "sh", "-c", "echo up; sleep 1000")
		c.Stdout = os.Stdout
		fmt.Fprintln(os.Stderr, c.Run())
		os.Exit(1)
	}
	labtest.Run(m)
}

// kernels returns the processes below a process that belong to labs.
func kernels(t *testing.T, ancestor int) []int {
	t.Helper()
	out, err := exec.Command("ps", "-eo", "pid=,ppid=,stat=,args=").Output()
	require.NoError(t, err)
	below := map[int]bool{ancestor: true}
	var pids []int
	for line := range strings.Lines(string(out)) {
		var pid, parent int
		var state string
		_, err := fmt.Sscan(line, &pid, &parent, &state)
		require.NoError(t, err)
		if below[parent] && !strings.HasPrefix(state, "Z") && strings.Contains(line, "uml_dir=") {
			below[pid] = true
			pids = append(pids, pid)
		}
	}
	return pids
}

// poll waits for an event, whatever signals come.
func poll(fds []unix.PollFd) error {
	for {
		if _, err := unix.Poll(fds, -1); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
