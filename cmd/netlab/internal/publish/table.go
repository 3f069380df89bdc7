package publish

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
)

// Table returns a table with a row for each variant and a column for each metric of each combination of the factors, in the order of
// their values, and below it how many jobs it rests on. Metrics are separated by blanks; one with a ± behind it has its interval
// too. All other factors must be the same in all cases. A dash is a cell without a measurement, with how many of its jobs failed
// if any did; a cell that was not planned is empty.
func (d *Data) Table(metrics string, factors ...string) (string, error) {
	columns, err := d.columns(strings.Fields(metrics), factors)
	if err != nil {
		return "", err
	}
	var t strings.Builder
	t.WriteString("|")
	for _, c := range columns {
		t.WriteString(" | " + c.heading)
	}
	t.WriteString(" |\n|" + strings.Repeat(" --- |", 1+len(columns)) + "\n")
	for _, variant := range d.Variants() {
		t.WriteString("| " + variant)
		for _, c := range columns {
			text, err := c.text(variant)
			if err != nil {
				return "", err
			}
			t.WriteString(" | " + text)
		}
		t.WriteString(" |\n")
	}
	fmt.Fprintf(&t, "\nMedians of %s jobs: [%s](%s).", d.Jobs(), path.Base(d.link), d.link)
	if least, _ := d.jobs(); least < plan.LeastJobs {
		fmt.Fprintf(&t, " Fewer than %d jobs are too few for intervals of 95%%: small differences mean nothing.", plan.LeastJobs)
	}
	return t.String(), nil
}

// column is one of a table: a metric of the cells of a case.
type column struct {
	heading string
	cells   []*Cell
	metric  string
	spread  bool // its interval is shown
}

// columns returns those of a table. Each factor is named only where it differs from that of the column before.
func (d *Data) columns(metrics, factors []string) (columns []column, err error) {
	var cases [][]factor
	for _, c := range d.cells {
		if !slices.ContainsFunc(cases, func(other []factor) bool { return slices.Equal(other, c.factors) }) {
			cases = append(cases, c.factors)
		}
	}
	for _, name := range factors {
		if d.Values(name) == nil {
			return nil, fmt.Errorf("%s has no factor %q", d.link, name)
		}
	}
	for _, f := range cases[0] {
		if values := d.Values(f.name); len(values) > 1 && !slices.Contains(factors, f.name) {
			return nil, fmt.Errorf("%s has several values of %q: make it a column, or choose one with Where", d.link, f.name)
		}
	}
	slices.SortStableFunc(cases, func(a, b []factor) int {
		for _, name := range factors {
			if c := compareFactors(valueOf(a, name), valueOf(b, name)); c != 0 {
				return c
			}
		}
		return 0
	})
	var before []string
	for _, all := range cases {
		var names []string
		for _, name := range factors {
			names = append(names, valueOf(all, name).label())
		}
		heading := names
		for len(before) > 0 && len(heading) > 1 && heading[0] == before[0] {
			heading, before = heading[1:], before[1:]
		}
		before = names
		for i, metric := range metrics {
			metric, spread := strings.CutSuffix(metric, "±")
			c := column{heading: strings.Join(heading, ", "), metric: metric, spread: spread}
			switch {
			case len(metrics) > 1 && (i > 0 || c.heading == ""):
				c.heading = metric
			case len(metrics) > 1:
				c.heading += ": " + metric
			}
			for _, cell := range d.cells {
				if slices.Equal(cell.factors, all) {
					c.cells = append(c.cells, cell)
				}
			}
			columns = append(columns, c)
		}
	}
	return columns, nil
}

// label is a factor's value, with its name if it is a mere number, which says nothing: "fanout 10", but "10 tags".
func (f factor) label() string {
	one, plural := strings.CutSuffix(f.name, "s")
	_, unit := number(f.value)
	switch {
	case unit != "":
		return f.value
	case !plural:
		return f.name + " " + f.value
	case f.value == "1":
		return f.value + " " + one
	}
	return f.value + " " + f.name
}

func valueOf(factors []factor, name string) factor {
	for _, f := range factors {
		if f.name == name {
			return f
		}
	}
	return factor{name: name}
}

// Values are those of a factor.
func (d *Data) Values(name string) (values []string) {
	for _, c := range d.cells {
		if f := valueOf(c.factors, name); f.value != "" && !slices.Contains(values, f.value) {
			values = append(values, f.value)
		}
	}
	return values
}

// Variants are those that there are, in their order.
func (d *Data) Variants() (names []string) {
	for _, c := range d.cells {
		if !slices.Contains(names, c.Variant) {
			names = append(names, c.Variant)
		}
	}
	slices.SortStableFunc(names, compareVariants)
	return names
}

// text is what a column has of a variant.
func (c column) text(variant string) (string, error) {
	for _, cell := range c.cells {
		if cell.Variant != variant {
			continue
		}
		switch {
		case cell.Done == 0 && len(cell.Failures) > 0:
			return fmt.Sprintf("– (%d failed)", len(cell.Failures)), nil
		case len(cell.Values[c.metric]) == 0:
			return "–", nil
		case c.spread:
			return interval(cell, c.metric)
		}
		return median(cell, c.metric)
	}
	return "", nil
}
