// Package report writes what came of a run: one HTML page that needs nothing else, CSV, JSON, and the drawings.
package report

import (
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/record"
)

// row is a cell of an experiment with what its jobs have measured.
type row struct {
	cell     plan.Cell
	done     int
	failures []record.Result
	metrics  map[string]record.Summary
}

// rows sums up an experiment's results, in the order of its plan. Cells that nothing is known of are there too, unless no
// other of the variant is: then it was not asked for.
func rows(e *plan.Experiment, results []record.Result) []row {
	type key struct{ c, variant string }
	byCell := map[key][]record.Result{}
	for _, r := range results {
		if r.Experiment == e.Name {
			k := key{r.Case, r.Variant}
			byCell[k] = append(byCell[k], r)
		}
	}
	asked := map[string]bool{}
	for k := range byCell {
		asked[k.variant] = true
	}
	var all []row
	for _, cell := range e.Cells() {
		if asked[cell.Variant.Name] {
			all = append(all, sumUp(e, cell, byCell[key{cell.Case.ID(), cell.Variant.Name}]))
		}
	}
	return all
}

func sumUp(e *plan.Experiment, cell plan.Cell, jobs []record.Result) row {
	r := row{cell: cell, metrics: map[string]record.Summary{}}
	values := map[string][]float64{}
	for _, job := range jobs {
		if job.Status != record.Done {
			r.failures = append(r.failures, job)
			continue
		}
		r.done++
		for name, v := range job.Metrics {
			values[name] = append(values[name], v)
		}
	}
	for _, m := range e.Metrics {
		r.metrics[m.Name] = record.Summarize(values[m.Name])
	}
	return r
}
