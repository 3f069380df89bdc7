//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/stats"
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

// The lengths of messages add up to how many there are, of each rank, and as many are received as sent. Finalize's take no bytes.
func TestStatisticsHaveTheLengthsOfMessages(t *testing.T) {
	const ranks, bytes = 3, 400_000 // a message of each rank to the next
	for _, transport := range transports() {
		t.Run(transport, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "job.json")
			status, _, stderr := runMpirun(t, "--stats-json", name, "-n", "3", "--transport", transport, "RANK", "ring")
			require.Zero(t, status, stderr)
			assert.Regexp(t, `mpirun: sent, 256-512 KiB +3 +1 \(0\) +1 \(0\)\n`, stderr)
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			var job stats.Job
			require.NoError(t, json.Unmarshal(text, &job))
			assert.Equal(t, ranks, job.Size)
			require.Len(t, job.Ranks, ranks)
			var sent, received uint64
			for number, r := range job.Ranks {
				assert.Equal(t, r.Sent, r.PointToPoint.Sent.Sum()+r.Collective.Sent.Sum(), "rank %d", number)
				assert.Equal(t, r.Received, r.PointToPoint.Received.Sum()+r.Collective.Received.Sum(), "rank %d", number)
				assert.Equal(t, stats.Histogram{19: 1}, r.PointToPoint.Sent)
				assert.Equal(t, stats.Histogram{19: 1}, r.PointToPoint.Received)
				assert.EqualValues(t, bytes, r.BytesSent)
				sent, received = sent+r.Sent, received+r.Received
			}
			assert.EqualValues(t, ranks+2*(ranks-1), sent, "and two of Finalize for each rank but the first")
			assert.Equal(t, sent, received)
		})
	}
}

func TestStatisticsThatCannotBeWrittenAreSaidBeforeTheJob(t *testing.T) {
	status, _, stderr := runMpirun(t, "--stats-json", t.TempDir()+"/none/job.json", "-n", "2", "RANK", "ring")
	assert.Equal(t, 1, status)
	assert.Contains(t, stderr, "--stats-json: open ")
	assert.NotContains(t, stderr, "messages sent")
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
