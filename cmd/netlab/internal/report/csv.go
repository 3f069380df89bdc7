package report

import (
	"encoding/csv"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/record"
)

// JobColumns are those that each line of CSV has, before the metrics: no metric may have such a name.
var JobColumns = []string{"experiment", "case", "conditions", "variant", "round", "status", "started", "seconds", "late", "error"}

// CSV writes a line for each job, with a column for each metric that any has.
func CSV(w io.Writer, results []record.Result) error {
	names := map[string]bool{}
	for _, r := range results {
		for name := range r.Metrics {
			names[name] = true
		}
	}
	metrics := slices.Sorted(maps.Keys(names))
	out := csv.NewWriter(w)
	_ = out.Write(slices.Concat(JobColumns, metrics)) // errors come with Flush
	for _, r := range results {
		line := []string{
			r.Experiment, r.Case, r.Conditions, r.Variant, strconv.Itoa(r.Round), status(&r),
			r.Started.Format(time.RFC3339Nano), number(r.Seconds), number(r.Late), r.Error,
		}
		for _, name := range metrics {
			cell := ""
			if v, ok := r.Metrics[name]; ok {
				cell = number(v)
			}
			line = append(line, cell)
		}
		_ = out.Write(line)
	}
	out.Flush()
	return out.Error()
}

// cells writes a line for each metric and ratio of each cell. Those of cells with fewer jobs than may be published have no figures.
func (r *report) cells(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{
		"experiment", "case", "variant", "jobs", "failed", "disturbed", "metric", "median", "low", "high", "confidence",
	}) // errors come with Flush
	for _, s := range r.Sections {
		for _, l := range s.Rows {
			if l.Ended {
				_ = out.Write([]string{
					s.Name, l.Case, l.Variant, "0", strconv.Itoa(l.Failed), strconv.Itoa(l.Disturbed), l.Values[0], "", "", "", "",
				})
			}
			for _, figures := range []map[string]figsum{l.Metrics, l.Ratios} {
				for _, name := range slices.Sorted(maps.Keys(figures)) {
					line := []string{
						s.Name, l.Case, l.Variant, strconv.Itoa(l.Done), strconv.Itoa(l.Failed), strconv.Itoa(l.Disturbed), name,
					}
					f := figures[name]
					for _, v := range []float64{f.Median, f.Low, f.High, f.Coverage} {
						cell := ""
						if l.Done >= plan.LeastJobs {
							cell = number(v)
						}
						line = append(line, cell)
					}
					_ = out.Write(line)
				}
			}
		}
	}
	out.Flush()
	return out.Error()
}

// status is how a job ended, and whether it was disturbed.
func status(r *record.Result) string {
	if r.Disturbed() {
		return "disturbed"
	}
	return string(r.Status)
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
