package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/record"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/report"
	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
)

// runUntil runs an experiment with some flags, interrupts it when a number of jobs has ended, and returns the results.
func runUntil(t *testing.T, program, dir string, jobs int, flags ...string) []record.Result {
	t.Helper()
	args := append([]string{"run", "--quick", "--time", "1h", "--transports", "tcp-perpair", "--out", dir, "pingpong-loss"}, flags...)
	c := exec.Command(program, args...)
	stderr, err := c.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	var said strings.Builder
	begun := 0
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if strings.Contains(lines.Text(), "pingpong-loss, round") {
			if begun++; begun == jobs+1 {
				require.NoError(t, c.Process.Signal(syscall.SIGINT))
			}
		}
	}
	var exit *exec.ExitError
	require.ErrorAs(t, c.Wait(), &exit, said.String())
	require.Equal(t, statusSignal+int(syscall.SIGINT), exit.ExitCode(), said.String())
	results, err := record.Read(dir)
	require.NoError(t, err)
	return results
}

// The whole program, with real jobs in a network with loss, in the lab where the host has none.
func TestInterruptedRunKeepsItsResultsAndGoesOn(t *testing.T) {
	labtest.Need(t)
	bin, dir := t.TempDir(), t.TempDir()
	out, err := exec.Command("go", "build", "-o", bin, ".", "../mpirun").CombinedOutput()
	require.NoError(t, err, string(out))
	program := filepath.Join(bin, "netlab")

	first := runUntil(t, program, dir, 2)
	require.Len(t, first, 2)
	for _, r := range first {
		assert.Contains(t, []record.Status{record.Done, record.Disturbed}, r.Status, r.Error)
		assert.Positive(t, r.Metrics["throughput"])
	}
	_, err = os.Stat(filepath.Join(dir, report.Page))
	assert.NoError(t, err, "there is a report of what there is")

	all := runUntil(t, program, dir, 1, "--resume")
	require.Len(t, all, 3)
	assert.Equal(t, first, all[:2])
	for _, r := range first {
		if !r.Disturbed() { // one that was is measured again
			assert.NotEqual(t, r.Key, all[2].Key)
		}
	}
}
