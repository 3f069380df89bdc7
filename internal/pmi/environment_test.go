package pmi

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

func lookupIn(environment map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := environment[name]
		return value, ok
	}
}

func TestWithoutALauncherTheWorldHasOneRank(t *testing.T) {
	for _, environment := range []map[string]string{
		nil, {"SLURM_STEP_NUM_TASKS": "1"}, {"FLUX_TASK_RANK": "0", "FLUX_JOB_SIZE": "1"},
		{"MV2_COMM_WORLD_RANK": "0", "MV2_COMM_WORLD_SIZE": "1"}, {"MVP_COMM_WORLD_RANK": "0", "MVP_COMM_WORLD_SIZE": "1"},
	} {
		_, err := open(t.Context(), lookupIn(environment))
		require.ErrorIs(t, err, ErrNoLauncher)
	}
}

// A rank that took such an environment for none would run as a world of one beside its siblings.
func TestUnusableLauncherIsAnError(t *testing.T) {
	for _, test := range []struct {
		environment map[string]string
		why         string
	}{
		{map[string]string{"PMIX_RANK": "3"}, "a launcher has set PMIX_RANK=3, but it offers PMIx, which C programs over this library speak and Go programs do not; use"},
		{map[string]string{"OMPI_COMM_WORLD_RANK": "0"}, "OMPI_COMM_WORLD_RANK=0, but it offers PMIx, which C programs over this library speak and Go programs do not; use"},
		{map[string]string{"PALS_RANKID": "2", "PMI_RANK": "2", "PMI_SIZE": "4"}, "PALS_RANKID=2, but PALS has no PMI that this library speaks"},
		{map[string]string{"FLUX_TASK_RANK": "0", "FLUX_JOB_SIZE": "2"}, "FLUX_TASK_RANK=0, but Flux offers PMI by flux run -o pmi=simple"},
		{map[string]string{"MV2_COMM_WORLD_RANK": "1", "MV2_COMM_WORLD_SIZE": "2"}, "MVAPICH's mpirun_rsh is not supported"},
		{map[string]string{"MVP_COMM_WORLD_RANK": "1", "MVP_COMM_WORLD_SIZE": "2"}, "MVAPICH's launcher is not supported"},
		{map[string]string{"SLURM_STEP_NUM_TASKS": "4"}, "srun has started 4 tasks without PMI; use srun --mpi=pmi2"},
		{map[string]string{"PMI_RANK": "0"}, "it passes neither PMI_FD nor PMI_PORT (unset PMI_RANK to run alone)"},
		{map[string]string{"PMI_FD": "x"}, "PMI_FD=x is not a file descriptor"},
		{map[string]string{"PMI_FD": "3"}, "the launcher has not set PMI_RANK"},
		{map[string]string{"PMI_FD": "3", "PMI_RANK": "0"}, "the launcher has not set PMI_SIZE"},
		{map[string]string{"PMI_FD": "3", "PMI_RANK": "-1", "PMI_SIZE": "2"}, "PMI_RANK=-1 is not a number from 0"},
		{map[string]string{"PMI_FD": "3", "PMI_RANK": "2", "PMI_SIZE": "2"}, "PMI_RANK=2 is not below PMI_SIZE=2"},
		{map[string]string{"PMI_FD": "9999", "PMI_RANK": "0", "PMI_SIZE": "2"}, "(unset PMI_FD to run alone)"},
		{map[string]string{"PMI_PORT": "somewhere", "PMI_ID": "0"}, "PMI_PORT=somewhere is not host:port"},
		{map[string]string{"PMI_PORT": "127.0.0.1:1"}, "the launcher has not set PMI_ID"},
	} {
		_, err := open(t.Context(), lookupIn(test.environment))
		require.ErrorContains(t, err, test.why)
		require.NotErrorIs(t, err, ErrNoLauncher)
	}
}

func TestDeadPortIsAnError(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	_, err = open(t.Context(), lookupIn(map[string]string{"PMI_PORT": l.Addr().String(), "PMI_ID": "1"}))
	require.ErrorContains(t, err, "pmi: PMI_PORT: ")
}

func TestPortThatBreaksTheHandshakeIsAnError(t *testing.T) {
	for _, test := range []struct {
		reply string
		why   string
	}{
		{"cmd=initack rc=-1 msg=no", "PMI_ID=5: launcher refused with rc=-1: no"},
		{"cmd=initack\ncmd=set rank=0", "set lacks size"},
		{"cmd=initack\ncmd=set size=2\ncmd=get", "where set was due"},
		{"cmd=initack\ncmd=set size=2\ncmd=set rank=2\ncmd=set debug=0", "rank 2 is not in a job of size 2"},
	} {
		near, far := net.Pipe()
		go func() {
			defer far.Close()
			playLauncherUnchecked(far, []string{"> cmd=initack pmiid=5", "< " + test.reply})
		}()
		_, err := newClient(near).beginPort(t.Context(), 5)
		require.ErrorContains(t, err, test.why)
		require.NoError(t, near.Close())
	}
}
