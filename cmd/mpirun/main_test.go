//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMain makes the test binary mpirun, or a rank of a job, when a test has started it as such.
func TestMain(m *testing.M) {
	switch os.Getenv("MPIRUN_TEST") {
	case "mpirun":
		_ = os.Setenv("MPIRUN_TEST", "rank")
		patience, _ = time.ParseDuration(os.Getenv("MPIRUN_TEST_PATIENCE")) // 0 if it is not set
		answerTime, unanswered = time.Minute, 100*time.Millisecond
		if d, err := time.ParseDuration(os.Getenv("MPIRUN_TEST_BEAT")); err == nil {
			beat = d
		}
		main()
	case "rank":
		os.Exit(rank(os.Args[1:]))
	default:
		// What the tests are started to ignore, as under nohup, mpirun would ignore too.
		for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM} {
			if signal.Ignored(s) {
				signal.Notify(make(chan os.Signal, 1), s)
			}
		}
		os.Exit(m.Run())
	}
}

// mpirun is a run of mpirun. Its ranks are the test binary itself, with the name of what they do as first argument.
type mpirun struct {
	*exec.Cmd
	stdout, stderr bytes.Buffer
}

// command prepares a run. In its arguments RANK stands for the program of a rank.
func command(t *testing.T, args ...string) *mpirun {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute) // against a hang only
	t.Cleanup(cancel)
	self, err := os.Executable()
	require.NoError(t, err)
	args = append([]string{}, args...)
	for i := range args {
		if args[i] == "RANK" {
			args[i] = self
		}
	}
	m := &mpirun{Cmd: exec.CommandContext(ctx, self, args...)}
	m.Env = append(os.Environ(), "MPIRUN_TEST=mpirun",
		"SCTPMPI_KILL_GRACE=1m", // a busy machine must not make a rank look deaf
		"GORACE="+os.Getenv("GORACE")+" atexit_sleep_ms=0")
	m.Stdout, m.Stderr = &m.stdout, &m.stderr
	return m
}

// status waits for the end of a run that has been started and returns its exit status.
func (m *mpirun) status(t *testing.T) int {
	t.Helper()
	err := m.Wait()
	var exit *exec.ExitError
	if err != nil {
		require.True(t, errors.As(err, &exit), "%v", err)
	}
	return m.ProcessState.ExitCode()
}

// run runs mpirun to its end.
func runMpirun(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	m := command(t, args...)
	require.NoError(t, m.Start())
	status = m.status(t)
	return status, m.stdout.String(), m.stderr.String()
}

// messages are the lines of mpirun's own, with what differs from run to run replaced.
func messages(stderr string) string {
	var b strings.Builder
	for line := range strings.Lines(stderr) {
		if text, ok := strings.CutPrefix(line, "mpirun: "); ok {
			b.WriteString(pid.ReplaceAllString(text, "(PID)"))
		}
	}
	return b.String()
}
