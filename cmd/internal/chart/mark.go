package chart

import (
	"math"
	"slices"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
)

// Mark is what has been measured of a series at a place.
type Mark struct {
	Series string
	Label  string  // of the place, for bars
	X      float64 // of the place, for lines
	Figure measure.Figure
}

// Place makes the series of a chart, and the categories of bars, from marks. Bars are in the order of the marks, points in that of X; a
// line is interrupted where the others have a mark. These series are the first, and there even without any mark: so each keeps its colour
// in several charts.
func (c *Chart) Place(marks []Mark, first ...string) {
	var xs []float64
	for _, m := range marks {
		switch {
		case !c.Bars:
			xs = append(xs, m.X)
		case !slices.Contains(c.Categories, m.Label):
			c.Categories = append(c.Categories, m.Label)
		}
	}
	slices.Sort(xs)
	xs = slices.Compact(xs)
	for _, name := range first {
		c.series(name, xs)
	}
	for _, m := range marks {
		i := slices.Index(c.Categories, m.Label)
		if !c.Bars {
			i, _ = slices.BinarySearch(xs, m.X)
		}
		s := c.series(m.Series, xs)
		s.Y[i], s.Low[i], s.High[i] = m.Figure.Median, m.Figure.Low, m.Figure.High
	}
}

// series returns the series with a name, and adds it if there is none.
func (c *Chart) series(name string, xs []float64) *Series {
	for i := range c.Series {
		if c.Series[i].Name == name {
			return &c.Series[i]
		}
	}
	nothing := func() []float64 { return slices.Repeat([]float64{math.NaN()}, max(len(xs), len(c.Categories))) }
	c.Series = append(c.Series, Series{Name: name, X: xs, Y: nothing(), Low: nothing(), High: nothing()})
	return &c.Series[len(c.Series)-1]
}
