package report

import (
	"encoding/csv"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/record"
)

// cells writes a line for each metric and ratio of each cell. Those of cells with fewer jobs than may be published have no figures.
func (r *report) cells(w io.Writer) error {
	lines := [][]string{{
		"experiment", "case", "variant", "jobs", "failed", "disturbed", "metric", "median", "low", "high", "confidence",
	}}
	for _, s := range r.Sections {
		for _, l := range s.Rows {
			add := func(metric string, figures ...string) {
				cell := []string{s.Name, l.Case, l.Variant, strconv.Itoa(l.Done), strconv.Itoa(l.Failed), strconv.Itoa(l.Disturbed), metric}
				lines = append(lines, append(cell, figures...))
			}
			if l.Ended {
				add(l.Values[0], "", "", "", "")
			}
			for _, figures := range []map[string]figure{l.Metrics, l.Ratios} {
				for _, name := range slices.Sorted(maps.Keys(figures)) {
					f := figures[name]
					if l.Done < plan.LeastJobs {
						add(name, "", "", "", "")
						continue
					}
					add(name, record.Number(f.Median), record.Number(f.Low), record.Number(f.High), record.Number(f.Confidence))
				}
			}
		}
	}
	return csv.NewWriter(w).WriteAll(lines)
}
