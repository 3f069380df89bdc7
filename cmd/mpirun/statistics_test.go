//go:build unix

package main

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A table follows what the ranks write, with a line for each figure.
func TestStatisticsAreOfAllRanks(t *testing.T) {
	for _, transport := range transports() {
		t.Run(transport, func(t *testing.T) {
			status, _, stderr := runMpirun(t, "--stats", "-n", "3", "--transport", transport, "RANK", "ring")
			assert.Zero(t, status, stderr)
			assert.Regexp(t, `mpirun: messages sent +[1-9]\d* +[1-9]\d* \(\d\) +[1-9]\d* \(\d\)\n`, stderr)
			assert.Equal(t, total(t, stderr, "messages sent"), total(t, stderr, "messages received"), stderr)
			assert.Regexp(t, `mpirun: time in the job +[0-9.]+m?s `, stderr)
			assert.Regexp(t, `mpirun: bytes sent +1\.1 MiB +390\.6 KiB \(0\) +390\.6 KiB \(0\)\n`, stderr)
			assert.NotContains(t, stderr, "no statistics")
		})
	}
}

// total is the figure of all ranks in a line of a table.
func total(t *testing.T, table, name string) string {
	t.Helper()
	found := regexp.MustCompile(`mpirun: ` + name + ` +(\d+) `).FindStringSubmatch(table)
	require.NotNil(t, found, "%s in %s", name, table)
	return found[1]
}

// Ranks that share no memory use streams of SCTP.
func TestStatisticsHaveTheStreamsOfSCTP(t *testing.T) {
	status, _, stderr := runMpirun(t, "--stats", "-n", "3", "--transport", "sctp-engine", "-x", "SCTPMPI_SHM=off", "RANK", "ring")
	assert.Zero(t, status, stderr)
	assert.Regexp(t, `mpirun: SCTP: streams used +[1-9]\d* +[1-9]\d* \(\d\) +[1-9]\d* \(\d\)\n`, stderr)
}

func TestStatisticsOfARankThatDoesNotFinalizeAreMissing(t *testing.T) {
	_, _, stderr := runMpirun(t, "--stats", "-n", "2", "RANK", "victim", "killed")
	assert.Regexp(t, "mpirun: no (statistics of ranks that have not finalized: |rank has told its statistics)", stderr)
}
