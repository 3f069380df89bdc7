package publish

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sctpmpi/sctpmpi/cmd/internal/chart"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/record"
)

// Chart draws a metric over a factor, a series for each variant, into an SVG file that is named as in a link of the page, and returns
// that link. All other factors must be the same in all cases. A label is the axis's, with its unit. How it is drawn follows: bars, or
// lines, and on which axes, log-x, log-y.
func (d *Data) Chart(file, title, metric, label, over string, how ...string) (string, error) {
	columns, err := d.columns([]string{metric}, []string{over})
	if err != nil {
		return "", err
	}
	c := &chart.Chart{
		Title: title, XLabel: over, YLabel: label, Bars: slices.Contains(how, "bars"),
		LogX: slices.Contains(how, "log-x"), LogY: slices.Contains(how, "log-y"),
	}
	var unit string
	for _, column := range columns {
		value := valueOf(column.cells[0].factors, over).value
		if c.Bars {
			c.Categories = append(c.Categories, value)
		}
		_, unit = number(value)
	}
	if unit != "" && !c.Bars {
		c.XLabel += " (" + strings.TrimSpace(unit) + ")"
	}
	names := slices.Clone(plan.Transports)
	for _, variant := range d.Variants() {
		if !slices.Contains(names, variant) {
			names = append(names, variant)
		}
	}
	for _, variant := range names {
		s := chart.Series{Name: variant}
		for _, column := range columns {
			sum := record.Summarize(nil)
			for _, cell := range column.cells {
				if cell.Variant == variant && len(cell.values[metric]) > 0 {
					sum = record.Summarize(cell.values[metric])
				}
			}
			if !c.Bars {
				x, _ := number(valueOf(column.cells[0].factors, over).value)
				s.X = append(s.X, x)
			}
			s.Y, s.Low, s.High = append(s.Y, sum.Median), append(s.Low, sum.Low), append(s.High, sum.High)
		}
		if slices.Contains(plan.Transports, variant) || slices.ContainsFunc(s.Y, func(y float64) bool { return !math.IsNaN(y) }) {
			c.Series = append(c.Series, s)
		}
	}
	var svg bytes.Buffer
	if err := c.SVG(&svg); err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	d.page.drawings = append(d.page.drawings, File{filepath.Join(d.page.dir, filepath.FromSlash(file)), svg.Bytes()})
	return fmt.Sprintf("![%s](%s)", strings.ReplaceAll(title, "\n", ", "), file), nil
}
