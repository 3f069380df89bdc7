package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sctpmpi/sctpmpi/cmd/internal/chart"
)

// Plot says how a table is drawn: a figure over a dimension. Each combination of the dimensions
// By has a line, or bars of one colour.
type Plot struct {
	// Name is added to the file's if there is a chart before it. Without one it is that of the table.
	Name, Title    string
	Dim, XLabel    string
	Figure, YLabel string
	LogX, LogY     bool
	// By are the dimensions whose values name a line.
	By []string
	// Bars draws bars instead of lines, for values of Dim that are not numbers. Their names are
	// broken into lines at spaces and underscores.
	Bars bool
	// Stacked puts the bars of a value on each other.
	Stacked bool
	// Only chooses the points to draw. If it is nil, all are drawn.
	Only func(at []any) bool
}

// Formats of charts, by the suffix of the file's name.
const (
	svg = ".svg"
	png = ".png"
)

// CheckPlotFile reports a file name whose suffix is not that of a chart, or whose folder is not there.
func CheckPlotFile(name string) error {
	switch strings.ToLower(filepath.Ext(name)) {
	case svg, png:
		_, err := os.Stat(filepath.Dir(name))
		return err
	}
	return fmt.Errorf("%q: a chart's file ends in %s or %s", name, svg, png)
}

// charts makes the charts of each table that have points to draw.
func (r *Report) charts() (drawings []Drawing) {
	for _, t := range r.Tables {
		for _, plot := range append([]*Plot{t.Plot}, t.Others...) {
			if plot == nil {
				continue
			}
			c := t.chart(plot)
			if c.Empty() {
				continue
			}
			if r.Interrupted != nil {
				c.Title += "\n" + r.Interrupted.String()
			}
			drawings = append(drawings, Drawing{cmp.Or(plot.Name, t.Name), c})
		}
	}
	return drawings
}

// write draws a chart in the format that the suffix of the file's name selects.
func (d Drawing) write(w io.Writer, name string) error {
	if strings.EqualFold(filepath.Ext(name), png) {
		return d.PNG(w)
	}
	return d.SVG(w)
}

func (t *Table) chart(plot *Plot) *chart.Chart {
	x := slices.Index(t.Dims, plot.Dim)
	c := &chart.Chart{
		Title: plot.Title, XLabel: plot.XLabel, YLabel: plot.YLabel, LogX: plot.LogX, LogY: plot.LogY, Bars: plot.Bars, Stacked: plot.Stacked,
	}
	points := t.drawn(plot)
	by := t.telling(plot, points)
	for _, p := range points {
		at := p.At[x]
		c.Marks = append(c.Marks, chart.Mark{Series: t.series(p, by), Label: category(at), X: number(at), Figure: p.Figures[plot.Figure]})
	}
	return c
}

// drawn returns the points that a chart shows.
func (t *Table) drawn(plot *Plot) []*Point {
	var points []*Point
	for _, p := range t.Points {
		_, has := p.Figures[plot.Figure]
		if has && (plot.Only == nil || plot.Only(p.At)) {
			points = append(points, p)
		}
	}
	return points
}

// telling are the dimensions of By in which points differ, and the first if they differ in none: what tells lines from each other.
func (t *Table) telling(plot *Plot, points []*Point) (dims []string) {
	for _, dim := range plot.By {
		if slices.ContainsFunc(points, func(p *Point) bool { return t.text(p, dim) != t.text(points[0], dim) }) {
			dims = append(dims, dim)
		}
	}
	if dims == nil && len(plot.By) > 0 {
		dims = plot.By[:1]
	}
	return dims
}

// series is the name of the line that a point is on. A number has the name of its dimension before it.
func (t *Table) series(p *Point, by []string) string {
	var name []string
	for _, dim := range by {
		text := t.text(p, dim)
		if _, err := strconv.ParseFloat(text, 64); err == nil {
			text = dim + " " + text
		}
		name = append(name, text)
	}
	return strings.Join(name, ", ")
}

var breaks = strings.NewReplacer(" ", "\n", "_", "\n")

func category(value any) string { return breaks.Replace(fmt.Sprint(value)) }

// number is the position of a value on an axis. A value that is not a number is NaN, which is
// not drawn.
func number(value any) float64 {
	switch v := value.(type) {
	case int:
		return float64(v)
	case float64:
		return v
	}
	return math.NaN()
}
