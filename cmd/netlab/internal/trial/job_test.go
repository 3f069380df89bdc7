package trial

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/ranks"
)

func TestEachRankIsStartedOnAHostOfItsOwn(t *testing.T) {
	cell := plan.Cell{
		Case: &plan.Case{
			Ranks: 2, Program: "pingpong", Params: ranks.PingPong{Size: 8}, Timeout: 90 * time.Second,
		},
		Variant: &plan.Variant{Transport: "sctp-engine"},
	}
	p := Programs{Mpirun: "/bin/mpirun", Rank: "/bin/netlab"}
	args, err := p.arguments(cell, func(rank int) []string { return []string{"enter", string(rune('a' + rank))} })
	require.NoError(t, err)
	params := `{"Size":8,"Least":0,"AtLeast":0}`
	assert.Equal(t, []string{
		"--timeout", "1m30s", "--transport", "sctp-engine",
		"-n", "1", "enter", "a", "/bin/netlab", "rank", "pingpong", params, "0", ":",
		"-n", "1", "enter", "b", "/bin/netlab", "rank", "pingpong", params, "1",
	}, args)
}

func TestMetricsAreTheLineOfJSON(t *testing.T) {
	begun := 0
	o := said{begun: func() { begun++ }}
	for _, part := range []string{ranks.Begun[:5], ranks.Begun[5:] + "\n", `{"p50":`, "12.5}\n"} {
		_, err := o.Write([]byte(part))
		require.NoError(t, err)
	}
	m, err := o.metrics()
	require.NoError(t, err)
	assert.Equal(t, map[string]float64{"p50": 12.5}, m)
	assert.Equal(t, 1, begun)
}

// What is measured are transports, not memory that ranks of one host share.
func TestRanksShareNoMemory(t *testing.T) {
	mpirun := filepath.Join(t.TempDir(), "mpirun")
	require.NoError(t, os.WriteFile(mpirun, []byte("#!/bin/sh\n[ \"$SCTPMPI_SHM\" = off ] && echo '{\"off\": 1}'\n"), 0o755))
	cell := plan.Cell{Case: &plan.Case{Ranks: 1, Timeout: time.Minute}, Variant: new(plan.Variant)}
	m, err := Programs{Mpirun: mpirun}.job(t.Context(), cell, func(int) []string { return nil }, nil)
	require.NoError(t, err)
	assert.Contains(t, m, "off")
}

func TestJobWithoutAResultHasFailed(t *testing.T) {
	for _, text := range []string{"", "text\n", "{\"p50\":\n"} {
		o := said{text: []byte(text)}
		_, err := o.metrics()
		assert.ErrorContains(t, err, "gave no result")
	}
}

func TestApplicationIsBesideMpirun(t *testing.T) {
	cell := plan.Cell{
		Case: &plan.Case{
			Ranks: 2, App: &plan.App{Name: "taskfarm", Args: []string{"search", "--json"}}, Params: plan.Load{}, Timeout: time.Minute,
		},
		Variant: new(plan.Variant),
	}
	args, err := Programs{Mpirun: "/bin/mpirun", Rank: "/bin/netlab"}.arguments(cell, func(int) []string { return []string{"enter"} })
	require.NoError(t, err)
	assert.Equal(t, []string{
		"--timeout", "1m0s", "-n", "1", "enter", "/bin/taskfarm", "search", "--json", ":", "-n", "1", "enter", "/bin/taskfarm", "search", "--json",
	}, args)
}

func TestWrongAnswerIsAFailure(t *testing.T) {
	o := said{text: []byte("text\n" + `{"seconds": 1.5, "checksum": "ab12", "queries": 3}` + "\n")}
	m, err := o.answer("ab12")
	require.NoError(t, err)
	assert.Equal(t, map[string]float64{"time": 1.5}, m)
	_, err = o.answer("ab13")
	assert.ErrorContains(t, err, `its checksum is "ab12" in place of "ab13"`)
	_, err = new(said).answer("ab12")
	assert.ErrorContains(t, err, "gave no result")
}
