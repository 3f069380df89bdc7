package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/cli"
	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// TestMain makes the test program a launcher or a rank when it starts itself.
func TestMain(m *testing.M) {
	if status, started := startedByItself(os.Args[1:]); started {
		os.Exit(status)
	}
	os.Exit(m.Run())
}

// small has flags with which each command measures little: the tests show that it works, not how
// fast the library is.
var small = map[string][]string{
	"latency":       {"--size", "0,8", "--progress", "inline,event"},
	"bandwidth":     {"--size", "1024", "--window", "4", "--progress", "inline,hybrid"},
	"rate":          {"--size", "8", "--window", "4", "--goroutines", "1,3", "--tags", "1,5"},
	"loggp":         {"--depth", "1,4", "--size", "4096", "--targets", "1,2", "--link", "tcp"},
	"overlap":       {"--size", "100000", "--compute", "20us,1M"},
	"unexpected":    {"--size", "8,100000", "--window", "4", "--progress", "event,hybrid"},
	"matching":      {"--depth", "0,10"},
	"connections":   {"--idle", "0,3", "--size", "8"},
	"waiting":       {"--connections", "3"},
	"pushback":      {"--unread", "1x1x3000000,5x2x100", "--size", "8", "--window", "4"},
	"multiprogram":  {"--work", "synthetic,is", "--class", "S", "--copies", "2", "--sequential", "1", "--steps", "10", "--compute", "10us"},
	"oversubscribe": {"--ranks", "2,3"},
	"collectives":   {"--ranks", "3", "--size", "8"},
	"nas":           {"--kernels", "is,lu", "--ranks", "1,2"},
	"hpl":           {"--programs", "testdata/hpl", "--grid", "1x1"},
	"onesided":      {},
	"peers":         {"--idle", "2"},
}

func TestEveryCommandMeasuresAllItsPoints(t *testing.T) {
	for _, c := range commands {
		t.Run(c.name, func(t *testing.T) {
			args := append([]string{c.name, "--json", "--rounds", "1", "--duration", "1ms", "--transport", "sctp-engine"}, small[c.name]...)
			var out, stderr bytes.Buffer
			require.NoError(t, run(t.Context(), args, &out, &stderr), "%s", &out)
			var r report.Report
			require.NoError(t, json.Unmarshal(out.Bytes(), &r))
			assert.Equal(t, c.name, r.Command)
			require.NotEmpty(t, r.Tables)
			for _, table := range r.Tables {
				require.NotEmpty(t, table.Points, table.Name)
				for _, p := range table.Points {
					assert.Len(t, p.At, len(table.Dims))
					assert.NotEmpty(t, p.Figures)
				}
			}
			assert.Regexp(t, `(?m)^mpibench: \d+ steps, about \d+`, stderr.String(), "it says how long it will take")
			assert.Contains(t, stderr.String(), "100%", "and then how much of it is done")
		})
	}
}

func TestReportIsPrintedAsCSVAndDrawn(t *testing.T) {
	chart := filepath.Join(t.TempDir(), "chart.svg")
	var out bytes.Buffer
	args := []string{"latency", "--csv", "--plot", chart, "--rounds", "2", "--duration", "1ms", "--size", "8,16", "--transport", "tcp-perpair"}
	require.NoError(t, run(t.Context(), args, &out, &bytes.Buffer{}))
	rows, err := csv.NewReader(&out).ReadAll()
	require.NoError(t, err)
	assert.Equal(t, []string{"table", "transport", "progress", "bytes", "figure", "median", "low", "high", "rounds"}, rows[0])
	assert.Greater(t, len(rows), 4)
	drawn, err := os.ReadFile(chart)
	require.NoError(t, err)
	assert.Contains(t, string(drawn), "<svg")
}

func TestTransportsAreComparedOverTheNetworkUnlessTheUserChooses(t *testing.T) {
	said := func() string {
		var stderr bytes.Buffer
		args := []string{"latency", "--rounds", "1", "--duration", "1ms", "--size", "8", "--transport", "sctp-engine"}
		require.NoError(t, run(t.Context(), args, &bytes.Buffer{}, &stderr))
		return stderr.String()
	}
	t.Setenv(rpi.EnvSharedMemory, "auto")
	assert.Contains(t, said(), "SCTPMPI_SHM=auto\n")
	require.NoError(t, os.Unsetenv(rpi.EnvSharedMemory))
	assert.Contains(t, said(), "SCTPMPI_SHM=off\n")
	assert.Equal(t, "off", os.Getenv(rpi.EnvSharedMemory), "for the ranks")
}

func TestTransportThatCannotRunIsReportedBesideTheOthers(t *testing.T) {
	t.Setenv("SCTPMPI_EAGER_LIMIT", "no number")
	var out bytes.Buffer
	err := run(t.Context(), []string{"latency", "--rounds", "2", "--duration", "1ms", "--size", "8"}, &out, &bytes.Buffer{})
	require.ErrorIs(t, err, report.ErrIncomplete)
	assert.Contains(t, out.String(), "sctp-engine: not measured: ")
	assert.Contains(t, out.String(), "SCTPMPI_EAGER_LIMIT=no number")

	var stderr bytes.Buffer
	err = run(t.Context(), []string{"latency", "--csv", "--rounds", "1", "--duration", "1ms", "--size", "8", "--transport", "tcp-perpair"}, &out, &stderr)
	require.ErrorIs(t, err, report.ErrIncomplete)
	assert.Contains(t, stderr.String(), "mpibench: not measured: tcp-perpair", "figures in CSV have no place for it")
}

func TestInterruptedRunHasNoReport(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	require.ErrorIs(t, run(ctx, []string{"latency"}, &out, &bytes.Buffer{}), context.Canceled)
	assert.Empty(t, out.String())
}

func TestWrongCommandLinesAreExplained(t *testing.T) {
	for line, want := range map[string]string{
		"":                           "a command is missing",
		"frobnicate":                 `"frobnicate" is not a command; the commands are latency, bandwidth`,
		"latency 8":                  `"8" is one argument too many`,
		"latency --rounds 0":         "--rounds 0: it must be 1 to 1000",
		"latency --duration 1h":      "--duration 1h0m0s: it must be 1ms to 1m",
		"latency --size -1":          "--size -1: it must be 0 to",
		"latency --json --csv":       "choose one of the two",
		"latency --plot chart.gif":   `"chart.gif": a chart's file ends in .svg or .png`,
		"latency --progress slow":    `--progress: "slow" is none of inline, event and hybrid`,
		"overlap --compute 1K":       `--compute: "1K": it must be a time of 1us to 10s, or increments as 10M`,
		"overlap --compute 0M":       `--compute: "0M": increments are 1M to 10000M`,
		"overlap --compute 1M,1M":    "--compute: 1M is named twice",
		"latency --transport pigeon": `"pigeon" is none of the transports`,
		"latency --transport=":       "--transport: no name",
		"latency --transport tcp-perpair,tcp-perpair": "tcp-perpair is named twice",
		"bandwidth --window 0":                        "--window 0: it must be 1 to",
		"bandwidth --size 1000000000":                 "--size 1000000000: it must be 0 to 16777216",
		"loggp --size 8":                              "--size 8: it must be 9 to",
		"loggp --operation accumulate":                `--operation "accumulate": it is none of send, put, get`,
		"loggp --link pigeon":                         `--link "pigeon": it is none of`,
		"loggp --targets 0":                           "--targets 0: it must be 1 to 64",
		"matching --depth 1000000":                    "--depth 1000000: it must be 0 to 200000",
		"rate --tags 0":                               "--tags 0: it must be 1 to",
		"pushback --unread 10x1":                      `--unread "10x1": it must be three numbers`,
		"pushback --unread 1x1x1x1":                   `--unread "1x1x1x1": it must be three numbers`,
		"pushback --unread 0x1x1":                     "--unread 0x1x1: it must be at least 1 of each",
		"pushback --unread 1000x1000x1":               "at most 200000 messages",
		"multiprogram --steps 0":                      "--steps 0: it must be 1 to",
		"multiprogram --work xy":                      `--work: neither synthetic, nor a kernel: "xy" is no kernel`,
		"multiprogram --work lu,lu":                   "--work: lu is named twice",
		"multiprogram --work lu --ranks 3":            "--work: lu runs on a power of two of ranks, not on 3",
		"multiprogram --copies 1":                     "--copies 1: it must be 2 to 16",
		"multiprogram --sequential 17":                "--sequential 17: it must be 1 to 16",
		"oversubscribe --ranks 1":                     "--ranks 1: it must be 2 to 64",
		"collectives --operation pot-latch":           `--operation "pot-latch": it is none of`,
		"nas --kernels xy":                            `--kernels: "xy" is no kernel`,
		"nas --kernels lu,lu":                         "--kernels: lu is named twice",
		"nas --class D":                               `--class: class "D" is none of S, W, A, B and C`,
		"nas --progress slow":                         `--progress: "slow" is none of inline, event and hybrid`,
		"nas --kernels lu --ranks 3":                  "none of the kernels lu runs on any of so many ranks: [3]",
		"hpl --grid 2":                                `--grid "2": it must be as 2x3, and have 64 ranks at most`,
		"hpl --grid 8x9":                              `--grid "8x9": it must be as 2x3`,
		"hpl --size 10":                               "--block 128: it must be 1 to 10",
		"hpl --progress slow":                         `--progress: "slow" is none of inline, event and hybrid`,
		"peers --idle -1":                             "--idle -1: it must be 0 to",
		"peers --limit -1s":                           "--limit -1s: it must not be negative",
	} {
		t.Run(line, func(t *testing.T) {
			err := run(t.Context(), strings.Fields(line), &bytes.Buffer{}, &bytes.Buffer{})
			require.ErrorContains(t, err, want)
			var stderr bytes.Buffer
			assert.Equal(t, cli.Usage, program.Exit(err, false, &bytes.Buffer{}, &stderr))
			assert.Contains(t, stderr.String(), "See mpibench help.")
		})
	}
}

func TestHPLNeedsItsProgram(t *testing.T) {
	err := run(t.Context(), []string{"hpl", "--programs", t.TempDir()}, &bytes.Buffer{}, &bytes.Buffer{})
	assert.ErrorContains(t, err, "make conformance PROGRAMS=hpl builds it")
}

func TestHelpExplainsEveryCommand(t *testing.T) {
	text := func(args ...string) string {
		var out bytes.Buffer
		err := run(t.Context(), args, &bytes.Buffer{}, &bytes.Buffer{})
		require.Equal(t, 0, program.Exit(err, false, &out, &bytes.Buffer{}))
		return out.String()
	}
	all := text("help")
	for _, c := range commands {
		assert.Contains(t, all, "\n  "+c.name+" ")
		own := text(c.name, "--help")
		assert.Contains(t, own, "usage: mpibench "+c.name)
		assert.Contains(t, own, "--transport")
	}
}

func TestMoreCoresThanThereAreChangeNothing(t *testing.T) {
	assert.NoError(t, useCores(1<<20), "otherwise this process would have been executed again")
}
