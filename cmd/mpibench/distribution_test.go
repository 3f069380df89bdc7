package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/stats"
)

func TestDistributionOfAJobIsDrawn(t *testing.T) {
	folder := t.TempDir()
	from, plot := filepath.Join(folder, "job.json"), filepath.Join(folder, "job.svg")
	var text bytes.Buffer
	require.NoError(t, stats.Job{Size: 2, Ranks: map[int]stats.Rank{
		0: {PointToPoint: stats.Lengths{Sent: stats.Histogram{3, 0, 0, 1234}}, Waits: stats.Histogram{11: 3}},
		1: {PointToPoint: stats.Lengths{Sent: stats.Histogram{4}}, Collective: stats.Lengths{Sent: stats.Histogram{0, 5}}},
	}}.Write(&text))
	require.NoError(t, os.WriteFile(from, text.Bytes(), 0o600))
	draw := func(args ...string) (lengths, waits string) {
		require.NoError(t, run(t.Context(), append([]string{"distribution", "--from", from, "--plot", plot}, args...), nil, nil))
		for file, content := range map[string]*string{"job.svg": &lengths, "job-waits.svg": &waits} {
			drawn, err := os.ReadFile(filepath.Join(folder, file))
			require.NoError(t, err)
			*content = string(drawn)
		}
		return lengths, waits
	}
	lengths, waits := draw()
	for _, word := range []string{"Messages sent by all ranks", "length (bytes)", ">messages<", "point-to-point", "collective", ">7<", ">1234<"} {
		assert.Contains(t, lengths, word)
	}
	assert.Contains(t, waits, "time (µs)")
	lengths, _ = draw("--rank", "0")
	assert.Contains(t, lengths, "Messages sent by rank 0")
	assert.NotContains(t, lengths, "collective")

	for line, want := range map[string]string{
		"distribution": "--from and --plot are both needed",
		"distribution --from " + from + " --plot x.gif":                "a chart's file ends in",
		"distribution --from " + from + " --plot x.svg --rank 7":       "--rank 7: it has told nothing",
		"distribution --from " + folder + "/none --plot x.svg":         "no such file",
		"distribution --from " + plot + " --plot " + folder + "/x.svg": "it is not what mpirun --stats-json writes",
	} {
		assert.ErrorContains(t, run(t.Context(), strings.Fields(line), nil, nil), want, line)
	}
}
