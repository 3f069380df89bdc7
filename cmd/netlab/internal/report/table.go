// Package report writes what came of a run: one HTML page that needs nothing else, CSV, JSON, and the drawings.
package report

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/record"
)

// row is a cell of an experiment with what its jobs have measured.
type row struct {
	cell      plan.Cell
	done      int // those whose measurements count
	disturbed int
	failures  []record.Result
	ended     bool // all jobs have failed, which is a result
	few       bool // some, but fewer than plan.LeastJobs where the plan has as many
	values    map[string][]float64
	metrics   map[string]record.Summary
	ratios    []record.Summary // as the experiment has them
}

// rows sums up an experiment's results, in the order of its plan. Cells of the transports that were asked for are there even
// if nothing is known of them.
func rows(e *plan.Experiment, results []record.Result, transports []string) []row {
	type key struct{ c, variant string }
	byCell := map[key][]record.Result{}
	last := map[record.Key]int{} // a job that was run again has the last of its results
	for i, r := range results {
		last[r.Key] = i
	}
	for i, r := range results {
		if r.Experiment == e.Name && last[r.Key] == i {
			k := key{r.Case, r.Variant}
			byCell[k] = append(byCell[k], r)
		}
	}
	var all []row
	for _, cell := range e.Cells() {
		if cell.Variant.Among(transports) {
			all = append(all, sumUp(e, cell, byCell[key{cell.Case.ID(), cell.Variant.Name}]))
		}
	}
	for i := range all {
		all[i].ended = e.Ends && all[i].endsAlone(all)
		for _, ratio := range e.Ratios {
			all[i].ratios = append(all[i].ratios, all[i].by(ratio, e, all))
		}
	}
	return all
}

// endsAlone reports whether all jobs of a cell have failed, but not those of all variants: that would be no variant's fault.
func (r *row) endsAlone(all []row) bool {
	return r.done == 0 && len(r.failures) > 0 && slices.ContainsFunc(all, func(o row) bool {
		return o.done > 0 && o.cell.Case.ID() == r.cell.Case.ID()
	})
}

// by is a ratio of a cell's metric and that of another of all cells. There is none if the other is not there, is the cell itself, or has
// measured a zero.
func (r *row) by(ratio plan.Ratio, e *plan.Experiment, all []row) record.Summary {
	variant := r.cell.Variant.Name
	if ratio.Variant != "" {
		variant = ratio.Variant
	}
	c, found := ratio.Other(r.cell.Case, e.Cases)
	var others []float64
	for i := range all {
		if o := &all[i]; found && o != r && o.cell.Case.ID() == c.ID() && o.cell.Variant.Name == variant {
			others = o.values[ratio.Metric]
		}
	}
	if slices.Contains(others, 0) {
		others = nil
	}
	return record.Ratio(r.values[ratio.Metric], others)
}

func sumUp(e *plan.Experiment, cell plan.Cell, jobs []record.Result) row {
	r := row{cell: cell, metrics: map[string]record.Summary{}, values: map[string][]float64{}}
	for _, job := range jobs {
		if job.Status != record.Done {
			r.failures = append(r.failures, job)
			continue
		}
		if job.Disturbed() {
			r.disturbed++
			continue
		}
		r.done++
		for name, v := range job.Metrics {
			r.values[name] = append(r.values[name], v)
		}
	}
	for _, m := range e.Metrics {
		r.metrics[m.Name] = record.Summarize(r.values[m.Name])
	}
	measured := r.done
	if e.Ends {
		measured += len(r.failures)
	}
	r.few = e.Rounds >= plan.LeastJobs && 0 < measured && measured < plan.LeastJobs
	return r
}

func hasResults(all []row) bool {
	return slices.ContainsFunc(all, func(r row) bool { return r.done+r.disturbed+len(r.failures) > 0 })
}
