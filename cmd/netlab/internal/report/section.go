package report

import (
	"cmp"
	"html/template"
	"slices"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/record"
)

// section is an experiment.
type section struct {
	Name     string          `json:"name"`
	Title    string          `json:"title"`
	Question string          `json:"question"`
	Setup    string          `json:"setup"`
	Network  []string        `json:"conditions"` // that occur
	Figures  []template.HTML `json:"-"`
	Metrics  []string        `json:"-"` // headings
	Rows     []*row          `json:"rows"`
	Planned  int             `json:"planned"` // jobs
	Failures []failure       `json:"failures,omitempty"`
	Undrawn  []string        `json:"-"` // charts of which nothing has been measured
}

// row is a cell with what its jobs have measured.
type row struct {
	Case      string            `json:"case"`
	Variant   string            `json:"variant"`
	Params    any               `json:"parameters"`
	Done      int               `json:"done"`
	Failed    int               `json:"failed"`
	Disturbed int               `json:"disturbed,omitempty"` // done, but not counted
	Ended     bool              `json:"ended,omitempty"`     // all have failed, which is a result
	Ends      bool              `json:"-"`                   // jobs that fail are results
	Few       bool              `json:"few,omitempty"`       // fewer than plan.LeastJobs are done, where the plan has as many
	Metrics   map[string]figure `json:"metrics,omitempty"`
	Ratios    map[string]figure `json:"ratios,omitempty"` // by title
	Values    []string          `json:"-"`                // the text of all metrics and ratios
	First     bool              `json:"-"`                // of its case

	cell plan.Cell
	sum  *record.Cell
}

// figure is a measure.Figure as JSON has it here. One without measurements is left out.
type figure struct {
	Median     float64 `json:"median"`
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	Confidence float64 `json:"confidence"`
	N          int     `json:"n"`
}

// failure is a job that has failed, of which there may be several alike.
type failure struct {
	Case    string        `json:"case"`
	Variant string        `json:"variant"`
	Round   int           `json:"round"`
	Status  record.Status `json:"status"`
	Error   string        `json:"error"`
}

// newSection sums up an experiment's results, in the order of its plan. Cells of the transports that were asked for are there even
// if nothing is known of them.
func newSection(e *plan.Experiment, results []*record.Cell, transports []string) section {
	s := section{Name: e.Name, Title: e.Title, Question: e.Question, Setup: e.Setup}
	for _, m := range e.Metrics {
		heading := m.Title
		if m.Unit != "" {
			heading += ", " + m.Unit
		}
		s.Metrics = append(s.Metrics, heading)
	}
	for _, ratio := range e.Ratios {
		s.Metrics = append(s.Metrics, ratio.Title)
	}
	last := ""
	for _, cell := range e.Cells() {
		if !cell.Variant.Among(transports) {
			continue
		}
		r := newRow(e, cell, results)
		r.First, last = r.Case != last, r.Case
		s.Rows = append(s.Rows, r)
		if c := cell.Case.Network(); c != "" && !slices.Contains(s.Network, c) {
			s.Network = append(s.Network, c)
		}
		for _, f := range r.sum.Failures {
			s.Failures = append(s.Failures, failure{f.Case, f.Variant, f.Round, f.Status, f.Error})
		}
	}
	s.Planned = e.Rounds * len(s.Rows)
	for _, r := range s.Rows {
		if r.Ended = e.Ends && r.endsAlone(s.Rows); r.Ended {
			for i := range r.Values {
				r.Values[i] = string(r.sum.Failures[0].Status)
			}
		}
		for _, ratio := range e.Ratios {
			r.show(r.Ratios, ratio.Title, r.by(ratio, e, s.Rows))
		}
	}
	return s
}

func newRow(e *plan.Experiment, cell plan.Cell, results []*record.Cell) *row {
	r := &row{
		Case: cell.Case.ID(), Variant: cell.Variant.Name, Params: cell.Case.Params, Ends: e.Ends,
		Metrics: map[string]figure{}, Ratios: map[string]figure{}, cell: cell, sum: &record.Cell{},
	}
	for _, c := range results {
		if c.Experiment == e.Name && c.Case == r.Case && c.Variant == r.Variant {
			r.sum = c
		}
	}
	r.Done, r.Failed, r.Disturbed = r.sum.Done, len(r.sum.Failures), r.sum.Disturbed
	measured := r.Done
	if e.Ends {
		measured += r.Failed
	}
	r.Few = e.Rounds >= plan.LeastJobs && 0 < measured && measured < plan.LeastJobs
	for _, m := range e.Metrics {
		r.show(r.Metrics, m.Name, measure.Interval(r.sum.Values[m.Name]))
	}
	return r
}

// show adds a figure.
func (r *row) show(among map[string]figure, name string, f measure.Figure) {
	r.Values = append(r.Values, f.String())
	if f.N > 0 {
		among[name] = figure(f)
	}
}

// endsAlone reports whether all jobs of a cell have failed, but not those of all variants: that would be no variant's fault.
func (r *row) endsAlone(all []*row) bool {
	return r.Done == 0 && r.Failed > 0 && slices.ContainsFunc(all, func(o *row) bool { return o.Done > 0 && o.Case == r.Case })
}

// by is a ratio of a cell's metric and that of another of all cells. There is none if the other is not there, is the cell itself, or has
// measured a zero.
func (r *row) by(ratio plan.Ratio, e *plan.Experiment, all []*row) measure.Figure {
	variant := cmp.Or(ratio.Variant, r.Variant)
	c, found := ratio.Other(r.cell.Case, e.Cases)
	for _, o := range all {
		if found && o != r && o.Case == c.ID() && o.Variant == variant && !slices.Contains(o.sum.Values[ratio.Metric], 0) {
			return measure.Ratio(r.sum.Values[ratio.Metric], o.sum.Values[ratio.Metric])
		}
	}
	return measure.Range()
}

// Ran reports whether any job of the cell has been run.
func (r *row) Ran() bool { return r.run() > 0 }

// run is how many were.
func (r *row) run() int { return r.Done + r.Disturbed + r.Failed }
