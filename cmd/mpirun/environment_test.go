//go:build unix

package main

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// environments are those of the ranks of a run.
func environments(t *testing.T, m *mpirun) []map[string]string {
	t.Helper()
	require.NoError(t, m.Start())
	require.Zero(t, m.status(t), m.stderr.String())
	var ranks []map[string]string
	for line := range strings.Lines(m.stdout.String()) {
		number, setting, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		n, err := strconv.Atoi(number)
		if err != nil {
			continue // a value of more than one line
		}
		for len(ranks) <= n {
			ranks = append(ranks, make(map[string]string))
		}
		name, value, _ := strings.Cut(setting, "=")
		ranks[n][name] = value
	}
	return ranks
}

func TestEnvironmentOfARank(t *testing.T) {
	m := command(t, "-n", "2", "--transport", "pigeon", "--verbose", "-x", "NEW=a=b", "-x", "OLD", "-x", "CHANGED=2", "RANK", "environment")
	m.Env = append(m.Env, "OLD=old", "CHANGED=1")
	for rank, environment := range environments(t, m) {
		for name, value := range map[string]string{
			"PMI_FD": "3", "PMI_RANK": strconv.Itoa(rank), "PMI_SIZE": "2",
			"SCTPMPI_LOCAL_RANK": strconv.Itoa(rank), "SCTPMPI_LOCAL_SIZE": "2",
			"SCTPMPI_TRANSPORT": "pigeon", "SCTPMPI_DEBUG": "1",
			"NEW": "a=b", "OLD": "old", "CHANGED": "2",
		} {
			assert.Equal(t, value, environment[name], name)
		}
	}
}

func TestRanksKnowTheProcessThatHasStartedThem(t *testing.T) {
	m := command(t, "-n", "2", "RANK", "environment")
	m.Env = append(m.Env, "SCTPMPI_LAUNCHER=1") // of another job
	for _, environment := range environments(t, m) {
		assert.Equal(t, strconv.Itoa(m.Process.Pid), environment["SCTPMPI_LAUNCHER"])
	}
}

func TestGOMAXPROCSIsLeftAloneIfTheUserSetsIt(t *testing.T) {
	m := command(t, "-n", "1", "RANK", "environment", ":", "-n", "1", "-x", "GOMAXPROCS=5", "RANK", "environment")
	m.Env = append(m.Env, "GOMAXPROCS=3")
	ranks := environments(t, m)
	assert.Equal(t, "3", ranks[0]["GOMAXPROCS"])
	assert.Equal(t, "5", ranks[1]["GOMAXPROCS"])
}

func TestTransportIsLeftAloneUnlessGiven(t *testing.T) {
	m := command(t, "RANK", "environment")
	m.Env = append(m.Env, "SCTPMPI_TRANSPORT=mine")
	assert.Equal(t, "mine", environments(t, m)[0]["SCTPMPI_TRANSPORT"])
}

// The ranks get it over their connections to mpirun: the environment is there for all programs that they start.
func TestEachJobHasItsOwnToken(t *testing.T) {
	seen := make(map[string]bool)
	for range 2 {
		m := command(t, "-n", "3", "RANK", "token")
		m.Env = append(m.Env, "SCTPMPI_JOB_TOKEN=of-another-job")
		ranks := environments(t, m)
		token := ranks[0]["token of the job"]
		assert.Regexp(t, regexp.MustCompile(`^[0-9a-f]{64}$`), token)
		for _, environment := range ranks {
			assert.Equal(t, token, environment["token of the job"])
			delete(environment, "token of the job")
			assert.NotContains(t, environment, "SCTPMPI_JOB_TOKEN")
			assert.NotContains(t, slices.Collect(maps.Values(environment)), token)
		}
		assert.False(t, seen[token])
		seen[token] = true
	}
}

func TestMistakenVariableIsWarnedOfOnce(t *testing.T) {
	m := command(t, "-n", "5", "-x", "SCTPMPI_STREAM=1", "RANK", "exchange")
	m.Env = append(m.Env, "SCTPMPI_EAGER_LIMT=1")
	require.NoError(t, m.Start())
	assert.Zero(t, m.status(t))
	assert.Equal(t, "there is no variable SCTPMPI_EAGER_LIMT; did you mean SCTPMPI_EAGER_LIMIT?\n"+
		"there is no variable SCTPMPI_STREAM; did you mean SCTPMPI_STREAMS?\n", messages(m.stderr.String()))
}

func TestTooFewPortsAreFoundBeforeTheStart(t *testing.T) {
	status, stdout, stderr := runMpirun(t, "-n", "3", "-x", "SCTPMPI_PORT_RANGE=7000-7001", "RANK", "environment")
	assert.Equal(t, 1, status)
	assert.Empty(t, stdout)
	assert.Equal(t, "SCTPMPI_PORT_RANGE=7000-7001: 2 ports for 3 ranks on this host; each rank needs one\n", messages(stderr))
	status, _, stderr = runMpirun(t, "-n", "2", "-x", "SCTPMPI_PORT_RANGE=7000-7001", "RANK", "exit", "0", ":",
		"-n", "2", "-x", "SCTPMPI_PORT_RANGE=7002-7003", "RANK", "exit", "0")
	assert.Zero(t, status, stderr)
}

// mpirun may itself run inside a job, under Slurm say. Its ranks belong to it.
func TestOtherLaunchersAreForgotten(t *testing.T) {
	m := command(t, "RANK", "environment")
	foreign := []string{"PMI_PORT=x:1", "PMI_ID=3", "PMIX_RANK=7", "OMPI_COMM_WORLD_RANK=7", "MPI_LOCALNRANKS=9"}
	m.Env = append(m.Env, foreign...)
	environment := environments(t, m)[0]
	for _, setting := range foreign {
		name, _, _ := strings.Cut(setting, "=")
		assert.NotContains(t, environment, name)
	}
}
