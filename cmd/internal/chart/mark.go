package chart

import (
	"math"
	"slices"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
)

// Mark is what has been measured of a series at a place. One whose median is NaN, and on a logarithmic axis one that is negative, is left
// out: a measurement that is missing, or is no number that can be shown.
type Mark struct {
	Series string
	Label  string  // of the place, for bars
	X      float64 // of the place, for lines
	Figure measure.Figure
}

// point is a mark where it is drawn, with its interval. Without one low and high are y. The value differs from y if it is 0 on a
// logarithmic axis.
type point struct{ x, y, low, high, value float64 }

// series is a line, or the bars of one colour.
type series struct {
	name string
	runs [][]point // each without a gap
}

// series returns those of the chart, also those without points.
func (c *Chart) series() (all []series) {
	names, categories := slices.Clone(c.First), c.categories()
	var xs []float64 // of bars, their numbers from 0
	at := map[string]map[float64]measure.Figure{}
	for _, m := range c.Marks {
		if !slices.Contains(names, m.Series) {
			names = append(names, m.Series)
		}
		if c.Bars {
			m.X = float64(slices.Index(categories, m.Label))
		}
		xs = append(xs, m.X)
		if at[m.Series] == nil {
			at[m.Series] = map[float64]measure.Figure{}
		}
		at[m.Series][m.X] = m.Figure
	}
	slices.Sort(xs)
	xs = slices.Compact(xs)
	for _, name := range names {
		all = append(all, series{name, c.runs(xs, at[name])})
	}
	return all
}

// categories are the labels of bars, in the order of the marks.
func (c *Chart) categories() (all []string) {
	for _, m := range c.Marks {
		if !slices.Contains(all, m.Label) {
			all = append(all, m.Label)
		}
	}
	return all
}

// runs returns the points of a series at some places, from left to right. One that cannot be shown, or is not there, ends a run, and one
// that is 0 on a logarithmic axis is a run of its own.
func (c *Chart) runs(xs []float64, at map[float64]measure.Figure) (runs [][]point) {
	atX, atY := c.places()
	var run []point
	end := func() {
		if run != nil {
			runs, run = append(runs, run), nil
		}
	}
	for _, x := range xs {
		f, measured := at[x]
		p := point{x: atX.of(x), y: atY.of(f.Median), value: f.Median}
		if !measured || math.IsNaN(p.x) || math.IsNaN(p.y) {
			end()
			continue
		}
		p.low, p.high = p.y, p.y
		if low := atY.of(f.Low); low < p.y {
			p.low = low
		}
		if high := atY.of(f.High); high > p.y {
			p.high = high
		}
		apart := p.x == atX.zero || p.y == atY.zero
		if apart {
			end()
		}
		run = append(run, p)
		if apart {
			end()
		}
	}
	end()
	return runs
}
