//go:build !race

package main

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/cli"
	"github.com/sctpmpi/sctpmpi/internal/netem/lab"
	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
)

// programsVariable names the directory with the programs, in the lab.
const programsVariable = "TASKFARM_TEST_PROGRAMS"

func TestMain(m *testing.M) { labtest.Run(m) }

// inLab takes a test to the lab, with the programs, built on the host, and a file of queries.
func inLab(t *testing.T) {
	if !lab.Inside() && os.Getenv(programsVariable) == "" {
		dir := labtest.TempDir(t)
		build := exec.CommandContext(t.Context(), "go", "build", "-o", dir, ".", "../mpirun")
		out, err := build.CombinedOutput()
		require.NoError(t, err, "%s", out)
		few(t, dir)
		require.NoError(t, os.Setenv(programsVariable, dir)) // until the lab has it
	}
	labtest.InLab(t)
}

// mpirun runs mpirun with a command line in which TASKFARM stands for the program, FEW for the file of queries, and SEARCH for a search
// with them.
func mpirun(t *testing.T, line string) outcome {
	dir := os.Getenv(programsVariable)
	line = strings.ReplaceAll(line, "SEARCH", "TASKFARM search --query FEW")
	line = strings.ReplaceAll(line, "TASKFARM", filepath.Join(dir, "taskfarm"))
	line = strings.ReplaceAll(line, "FEW", filepath.Join(dir, "few.fasta"))
	var stdout, stderr strings.Builder
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "mpirun"), strings.Fields(line)...)
	cmd.Env = append(os.Environ(), "SCTPMPI_SHM=off") // all ranks are on one host
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run()
	return outcome{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

const (
	kernelRanks       = "-n 2 -x SCTPMPI_TRANSPORT=sctp-kernel SEARCH"
	encapsulatedRanks = "-n 2 -x SCTPMPI_TRANSPORT=sctp-kernel -x SCTPMPI_ENCAPSULATE=1 -x SCTPMPI_ENCRYPT=off SEARCH"
	engineRanks       = "-n 2 -x SCTPMPI_TRANSPORT=sctp-engine SEARCH"
	plainRanks        = "-n 2 -x SCTPMPI_TRANSPORT=sctp-engine -x SCTPMPI_ENCRYPT=off SEARCH"
)

// The search finds the same whatever carries its messages, be they lost or late, and also
// if half of the ranks have the kernel's SCTP and half the engine's (RFC 6951).
func TestSearchIsTheSameOverTheKernelsSCTP(t *testing.T) {
	const lossy = "delay 5ms loss 1%"
	for _, job := range []struct{ name, conditions, line, ranks string }{
		{"kernel", "", "-n 4 --transport sctp-kernel SEARCH", "4 over sctp-kernel"},
		{"kernel", lossy, "-n 4 --transport sctp-kernel SEARCH", "4 over sctp-kernel"},
		{"manager on the engine", "", plainRanks + " : " + encapsulatedRanks, "4 over sctp-engine"},
		{"manager on the kernel", lossy, encapsulatedRanks + " : " + plainRanks, "4 over sctp-kernel"},
	} {
		t.Run(job.name+", "+cmp.Or(job.conditions, "no losses"), func(t *testing.T) {
			inLab(t)
			if job.conditions != "" {
				labtest.Impair(t, job.conditions)
			}
			o := mpirun(t, job.line)
			assert.Zero(t, o.status)
			assert.Contains(t, o.stderr, "ranks     "+job.ranks)
			assert.Contains(t, o.stderr, fewChecksum)
		})
	}
}

// Of a hundred packets two are lost and 25 overtake others: what is computed is the same over all transports.
func TestChecksumsAreTheSameOverABadNetwork(t *testing.T) {
	const bad = "delay 5ms loss 2% reorder 25%"
	for i, transport := range []string{"sctp-kernel", "tcp-perpair", "tcp-pertrc", "sctp-engine", "sctp-pertrc"} {
		receives := []string{"any-source", "any-tag", "named"}[i%3]
		t.Run(transport+", "+receives, func(t *testing.T) {
			inLab(t)
			for _, job := range []string{
				"synthetic --tasks 200 --size 5000 --compute 0 --slots 5 --fanout 4", "correlate --db FEW --slots 5 --fanout 4",
			} {
				want := checksumOf(t, mpirun(t, "-n 1 TASKFARM "+job))
				labtest.Impair(t, bad)
				o := mpirun(t, "-n 4 --transport "+transport+" TASKFARM "+job+" --receives "+receives)
				assert.Equal(t, want, checksumOf(t, o), job)
			}
		})
	}
}

// checksumOf is what a job says in the end.
func checksumOf(t *testing.T, o outcome) string {
	require.Zero(t, o.status, o.stderr)
	_, checksum, found := strings.Cut(o.stderr, "checksum ")
	require.True(t, found, o.stderr)
	return strings.TrimSpace(checksum)
}

// Ranks that cannot talk with one another say so at the start, and what to do: those that
// differ from rank 0 in Init, unless another has been quicker to look for them.
func TestKernelWithoutEncapsulationAndEngineDoNotMix(t *testing.T) {
	for name, line := range map[string]string{
		"kernel first": kernelRanks + " : " + engineRanks,
		"engine first": engineRanks + " : " + kernelRanks,
	} {
		t.Run(name, func(t *testing.T) {
			inLab(t)
			o := mpirun(t, line)
			assert.Equal(t, cli.Failure, o.status)
			assert.Regexp(t, `rank \d has transport sctp-\w+ \(sctp/[\w/]+\) and rank \d sctp-\w+ \(sctp/[\w/]+\), `+
				`which do not understand each other: set SCTPMPI_TRANSPORT alike for all ranks, `+
				`or SCTPMPI_ENCAPSULATE=1 for those whose transport is sctp-kernel`, o.stderr)
		})
	}
}
