package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sctpmpi/sctpmpi/cmd/internal/chart"
	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
)

// drawing is a chart with the name of its files.
type drawing struct {
	name  string
	chart *chart.Chart
}

// drawings draws what an experiment asks for, of cells that have been measured.
func (s *section) drawings(e *plan.Experiment) (all []drawing) {
	for _, spec := range e.Charts {
		var groups []string
		byGroup := map[string][]*row{}
		for _, r := range s.Rows {
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
			all = append(all, drawing{name, draw(e, spec, g, byGroup[g])})
		}
	}
	return all
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

func draw(e *plan.Experiment, spec plan.Chart, group string, rows []*row) *chart.Chart {
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
	var lacks Lacks
	lacks.add(rows)
	if wrong := lacks.cells(); wrong != nil {
		c.Title += "\nINCOMPLETE: " + wrong[0]
	}
	for i, r := range rows {
		x := factor(r.cell.Case, spec.X)
		if i == 0 && x.Unit != "" && !spec.Bars {
			c.XLabel += " (" + strings.TrimSpace(x.Unit) + ")"
		}
		c.Marks = append(c.Marks, chart.Mark{
			Series: r.Variant, Label: x.String(), X: x.Value, Figure: measure.Interval(r.sum.Values[spec.Metric]),
		})
	}
	var variants []string
	for _, v := range e.Variants {
		if slices.ContainsFunc(rows, func(r *row) bool { return r.Variant == v.Name }) {
			variants = append(variants, v.Name)
		}
	}
	c.First = plan.Series(variants)
	return c
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
