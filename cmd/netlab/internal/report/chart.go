package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sctpmpi/sctpmpi/cmd/internal/chart"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
)

// figure is a drawing with the name of its files.
type figure struct {
	name  string
	chart *chart.Chart
}

// figures draws what an experiment asks for, of cells that have been measured.
func figures(e *plan.Experiment, all []row) []figure {
	var drawn []figure
	for _, spec := range e.Charts {
		var groups []string
		byGroup := map[string][]row{}
		for _, r := range all {
			g := others(r.cell.Case, spec.X)
			if byGroup[g] == nil {
				groups = append(groups, g)
			}
			byGroup[g] = append(byGroup[g], r)
		}
		for i, g := range groups {
			name := fmt.Sprintf("%s-%s", e.Name, spec.Metric)
			if len(groups) > 1 {
				name += fmt.Sprintf("-%d", i+1)
			}
			drawn = append(drawn, figure{name, draw(e, spec, g, byGroup[g])})
		}
	}
	return drawn
}

// others names a case by its factors but one.
func others(c *plan.Case, except string) string {
	var names []string
	for _, f := range c.Factors {
		if f.Name != except {
			names = append(names, f.Name+" "+f.String())
		}
	}
	return strings.Join(names, ", ")
}

func draw(e *plan.Experiment, spec plan.Chart, group string, all []row) *chart.Chart {
	m := e.Metric(spec.Metric)
	c := &chart.Chart{
		Title: e.Title, XLabel: spec.X, YLabel: m.Title, LogX: spec.LogX, LogY: spec.LogY, Bars: spec.Bars,
	}
	if group != "" {
		c.Title += "\n" + group // side by side they would be too long
	}
	if m.Unit != "" {
		c.YLabel += " (" + m.Unit + ")"
	}
	var xs []plan.Factor
	for _, r := range all {
		f := factor(r.cell.Case, spec.X)
		if !slices.Contains(xs, f) {
			xs = append(xs, f)
		}
	}
	for _, f := range xs {
		if spec.Bars {
			c.Categories = append(c.Categories, f.String())
		}
	}
	if len(xs) > 0 && xs[0].Unit != "" && !spec.Bars {
		c.XLabel += " (" + strings.TrimSpace(xs[0].Unit) + ")"
	}
	switch none, few := missing(all); {
	case none > 0:
		c.Title += fmt.Sprintf("\nINCOMPLETE: %d of %d cells have no measurement", none, len(all))
	case few > 0:
		c.Title += fmt.Sprintf("\nINCOMPLETE: %d of %d cells have fewer than %d jobs", few, len(all), plan.LeastJobs)
	}
	names := slices.Clone(plan.Transports)
	for _, v := range e.Variants {
		if !slices.Contains(names, v.Name) {
			names = append(names, v.Name)
		}
	}
	for _, name := range names {
		if s, some := series(spec, name, xs, all); some || slices.Contains(plan.Transports, name) {
			c.Series = append(c.Series, s)
		}
	}
	return c
}

// missing is of how many cells nothing has been measured at all, and of how many too little. (A metric may be one that a cell does not
// have.)
func missing(all []row) (none, few int) {
	for _, r := range all {
		switch {
		case r.done == 0 && !r.ended:
			none++
		case r.few:
			few++
		}
	}
	return none, few
}

// series are the medians of a variant, NaN where it has none. It reports whether it has been measured at all.
func series(spec plan.Chart, variant string, xs []plan.Factor, all []row) (s chart.Series, some bool) {
	s.Name = variant
	for _, f := range xs {
		y, low, high := math.NaN(), math.NaN(), math.NaN()
		for _, r := range all {
			if r.cell.Variant.Name == variant && factor(r.cell.Case, spec.X) == f {
				sum := r.metrics[spec.Metric]
				y, low, high, some = sum.Median, sum.Low, sum.High, true
			}
		}
		if !spec.Bars {
			s.X = append(s.X, f.Value)
		}
		s.Y, s.Low, s.High = append(s.Y, y), append(s.Low, low), append(s.High, high)
	}
	return s, some
}

// factor returns a factor of a case, or none.
func factor(c *plan.Case, name string) plan.Factor {
	for _, f := range c.Factors {
		if f.Name == name {
			return f
		}
	}
	return plan.Factor{}
}
