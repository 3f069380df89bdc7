//go:build !race

package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
)

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

// What all commands share is in the other tests under the race detector, and what their ranks do in those of internal/rank.
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
