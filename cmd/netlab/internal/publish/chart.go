package publish

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sctpmpi/sctpmpi/cmd/internal/chart"
	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
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
	for i, column := range columns {
		value := valueOf(column.cells[0].factors, over).value
		x, unit := number(value)
		if i == 0 && unit != "" && !c.Bars {
			c.XLabel += " (" + strings.TrimSpace(unit) + ")"
		}
		for _, cell := range column.cells {
			c.Marks = append(c.Marks, chart.Mark{Series: cell.Variant, Label: value, X: x, Figure: measure.Interval(cell.Values[metric])})
		}
	}
	c.First = plan.Series(d.Variants())
	var svg bytes.Buffer
	if err := c.SVG(&svg); err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	d.page.drawings = append(d.page.drawings, File{filepath.Join(d.page.dir, filepath.FromSlash(file)), svg.Bytes()})
	return fmt.Sprintf("![%s](%s)", strings.ReplaceAll(title, "\n", ", "), file), nil
}
