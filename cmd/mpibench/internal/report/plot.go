package report

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sctpmpi/sctpmpi/cmd/internal/chart"
)

// Plot is how a table is drawn: a figure over a dimension, a line, or bars of one colour, for
// each combination of others.
type Plot struct {
	Title          string
	Dim, XLabel    string
	Figure, YLabel string
	LogX, LogY     bool
	// By are the dimensions that name lines.
	By []string
	// Bars is for a dimension whose values are no numbers. Spaces and underscores in them
	// break the line.
	Bars bool
	// Only, unless nil, chooses the points that are drawn.
	Only func(at []any) bool
}

// Formats of charts, by the end of the file's name.
const (
	svg = ".svg"
	png = ".png"
)

// CheckPlotFile says what is wrong with the name of a file for a chart.
func CheckPlotFile(name string) error {
	switch strings.ToLower(filepath.Ext(name)) {
	case svg, png:
		return nil
	}
	return fmt.Errorf("%q: a chart's file ends in %s or %s", name, svg, png)
}

// WritePlot draws the first table that makes a chart, in the format of the file's name.
func (r *Report) WritePlot(w io.Writer, name string) error {
	for _, t := range r.Tables {
		if t.Plot == nil || len(t.drawn()) == 0 {
			continue
		}
		c := t.chart()
		if strings.EqualFold(filepath.Ext(name), png) {
			return c.PNG(w)
		}
		return c.SVG(w)
	}
	return errors.New("there is nothing to draw")
}

func (t *Table) chart() *chart.Chart {
	plot := t.Plot
	x := slices.Index(t.Dims, plot.Dim)
	c := &chart.Chart{
		Title: plot.Title, XLabel: plot.XLabel, YLabel: plot.YLabel, LogX: plot.LogX, LogY: plot.LogY, Bars: plot.Bars,
	}
	points := t.drawn()
	if plot.Bars {
		for _, p := range points {
			if name := category(p.At[x]); !slices.Contains(c.Categories, name) {
				c.Categories = append(c.Categories, name)
			}
		}
	}
	for _, p := range points {
		f := p.Figures[plot.Figure]
		s := seriesOf(c, t.series(p))
		if plot.Bars {
			i := slices.Index(c.Categories, category(p.At[x]))
			s.Y[i], s.Low[i], s.High[i] = f.Median, f.Low, f.High
			continue
		}
		s.X = append(s.X, number(p.At[x]))
		s.Y, s.Low, s.High = append(s.Y, f.Median), append(s.Low, f.Low), append(s.High, f.High)
	}
	return c
}

// drawn are the points that the chart shows.
func (t *Table) drawn() []*Point {
	var points []*Point
	for _, p := range t.Points {
		_, has := p.Figures[t.Plot.Figure]
		if has && (t.Plot.Only == nil || t.Plot.Only(p.At)) {
			points = append(points, p)
		}
	}
	return points
}

// seriesOf returns the series of a name, a new one if there is none yet.
func seriesOf(c *chart.Chart, name string) *chart.Series {
	for i := range c.Series {
		if c.Series[i].Name == name {
			return &c.Series[i]
		}
	}
	nothing := func() []float64 { return slices.Repeat([]float64{math.NaN()}, len(c.Categories)) }
	c.Series = append(c.Series, chart.Series{Name: name, Y: nothing(), Low: nothing(), High: nothing()})
	return &c.Series[len(c.Series)-1]
}

// series is the name of the line that a point is on.
func (t *Table) series(p *Point) string {
	var name []string
	for _, dim := range t.Plot.By {
		name = append(name, t.text(p, dim))
	}
	return strings.Join(name, " ")
}

var breaks = strings.NewReplacer(" ", "\n", "_", "\n")

func category(value any) string { return breaks.Replace(fmt.Sprint(value)) }

// number makes a position on an axis of a value; NaN, which is not drawn, if it is none.
func number(value any) float64 {
	switch v := value.(type) {
	case int:
		return float64(v)
	case float64:
		return v
	}
	return math.NaN()
}
