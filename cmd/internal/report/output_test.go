package report_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
)

// output is what flags choose.
func output(t *testing.T, flags ...string) *report.Output {
	t.Helper()
	var o report.Output
	fs := pflag.NewFlagSet("test", pflag.ContinueOnError)
	o.Flags(fs)
	require.NoError(t, fs.Parse(flags))
	return &o
}

func TestFlagsChooseTheFormOfTheReport(t *testing.T) {
	for part, flags := range map[string][]string{
		"half RTT µs\n": nil, `"command": "latency"`: {"--json"}, "table,transport,bytes": {"--csv"},
	} {
		var b bytes.Buffer
		require.NoError(t, output(t, flags...).Write(example(), &b))
		assert.Contains(t, b.String(), part)
	}
}

// drawn is the chart that a report leaves in a file with this name.
func drawn(t *testing.T, r *report.Report, name string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, output(t, "--plot", file).Write(r, &bytes.Buffer{}))
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(content)
}

func TestChartIsDrawnBesideTheReport(t *testing.T) {
	assert.Contains(t, drawn(t, example(), "chart.svg"), "<svg")
}

func TestFurtherChartsHaveTheNamesOfTheirTables(t *testing.T) {
	r := example()
	r.Tables[1].Plot = &report.Plot{Title: "Other", Dim: "operation", Figure: "x", Bars: true}
	folder := t.TempDir()
	require.NoError(t, output(t, "--plot", filepath.Join(folder, "chart.svg")).Write(r, &bytes.Buffer{}))
	for file, title := range map[string]string{"chart.svg": "Latency", "chart-other.svg": "Other"} {
		content, err := os.ReadFile(filepath.Join(folder, file))
		require.NoError(t, err)
		assert.Contains(t, string(content), title)
	}
}

func TestTableMayHaveSeveralCharts(t *testing.T) {
	r := example()
	r.Tables = r.Tables[:1]
	again := *r.Tables[0].Plot
	again.Name, again.Title = "again", "The same again"
	r.Tables[0].Others = []*report.Plot{&again}
	folder := t.TempDir()
	require.NoError(t, output(t, "--plot", filepath.Join(folder, "chart.svg")).Write(r, &bytes.Buffer{}))
	second, err := os.ReadFile(filepath.Join(folder, "chart-again.svg"))
	require.NoError(t, err)
	assert.Contains(t, string(second), "The same again")
	assert.FileExists(t, filepath.Join(folder, "chart.svg"))
}

func TestReportThatLacksFiguresIsPrintedAndAnError(t *testing.T) {
	r := example()
	r.Failed = true
	var b bytes.Buffer
	require.ErrorIs(t, output(t).Write(r, &b), report.ErrIncomplete)
	assert.Contains(t, b.String(), "sctp-kernel: not measured: no such socket")
}

func TestOutputHasOneFormAndAChartAKnownFormat(t *testing.T) {
	assert.NoError(t, output(t, "--json", "--plot", "chart.png").Check())
	assert.ErrorContains(t, output(t, "--json", "--csv").Check(), "choose one of the two")
	assert.ErrorContains(t, output(t, "--plot", "chart.gif").Check(), "--plot: ")
}
