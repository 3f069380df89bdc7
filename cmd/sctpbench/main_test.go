package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/cli"
	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
)

// TestMain makes the test program a worker process when it starts itself.
func TestMain(m *testing.M) {
	serveAsWorker(os.Args[1:])
	os.Exit(m.Run())
}

// quick measures little: it shows that everything can be measured, not how fast.
var quick = []string{"--rounds", "1", "--duration", "1ms"}

func measure(t *testing.T, flags ...string) string {
	t.Helper()
	var out, stderr bytes.Buffer
	require.NoError(t, run(t.Context(), append(quick, flags...), &out, &stderr), "%s", &out)
	assert.Regexp(t, `^sctpbench: \d+ steps, about \d+`, stderr.String())
	assert.Contains(t, stderr.String(), "100%")
	return out.String()
}

func TestEveryContenderHasAllItsFigures(t *testing.T) {
	var r report.Report
	require.NoError(t, json.Unmarshal([]byte(measure(t, "--json", "--no-pion")), &r))
	all := []string{"half_rtt_us", "half_rtt_p50_us", "half_rtt_p99_us", "msgs_per_s_64b", "gbit_1k", "gbit_64k", "gbit_4m"}
	noChecksum := []string{"gbit_1k_nocrc", "gbit_64k_nocrc", "gbit_4m_nocrc"}
	for name, figures := range map[string][]string{
		"engine": append(noChecksum, all...), "rawudp": append(noChecksum, all...), "tcp": all,
		"engine/rawudp": append(noChecksum, all...), "engine/tcp": all,
	} {
		point := r.Table("transports").Point(name)
		require.NotNil(t, point, name)
		assert.Len(t, point.Figures, len(figures), name)
		for _, figure := range figures {
			value, ok := point.Median(figure)
			assert.True(t, ok, "%s of %s", figure, name)
			assert.Positive(t, value, "%s of %s", figure, name)
		}
	}
	idle := r.Table("idle").Point(2000.0)
	for _, figure := range []string{"half_rtt_us", "ratio", "bytes_per_association"} {
		assert.Contains(t, idle.Figures, figure)
	}
}

func TestOnlyTheNamedContendersAreMeasured(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(measure(t, "--csv", "--only", "tcp"))).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1+7)
	for _, row := range rows[1:] {
		assert.Equal(t, "tcp", row[1])
	}
}

func TestTableHasALineForEachFigure(t *testing.T) {
	text := measure(t, "--only", "engine")
	for _, line := range []string{"half round trip of 64 B, µs", "4 MiB without CRC32c, Gbit/s", "idle associations"} {
		assert.Contains(t, text, line)
	}
}

func TestInterruptedRunHasNoReport(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	require.ErrorIs(t, run(ctx, []string{"--only", "tcp"}, &out, &bytes.Buffer{}), context.Canceled)
	assert.Empty(t, out.String())
}

func TestWrongCommandLinesAreExplained(t *testing.T) {
	for line, want := range map[string]string{
		"engine":                `"engine" is one argument too many`,
		"--rounds 0":            "--rounds 0: it must be 1 to 1000",
		"--duration 1h":         "--duration 1h0m0s: it must be 1ms to 1m",
		"--json --csv":          "choose one of the two",
		"--only nothing":        `--only: "nothing" is none of`,
		"--only pion --no-pion": "nothing is left to measure",
	} {
		err := run(t.Context(), strings.Fields(line), &bytes.Buffer{}, &bytes.Buffer{})
		require.ErrorContains(t, err, want)
		assert.ErrorAs(t, err, new(cli.UsageError))
	}
}

func TestHelpExplainsFlagsAndContenders(t *testing.T) {
	err := run(t.Context(), []string{"--help"}, &bytes.Buffer{}, &bytes.Buffer{})
	for _, text := range []string{"usage: sctpbench [flag]", "--no-pion", "--only names", "rawudp  ", "pion  "} {
		var help cli.Help
		require.ErrorAs(t, err, &help)
		assert.Contains(t, string(help), text)
	}
}
