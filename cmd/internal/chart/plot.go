package chart

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// plot makes the plot and its legend.
func (c *Chart) plot() (*plot.Plot, *plot.Legend) {
	p, legend := plot.New(), plot.NewLegend()
	legend.Top, legend.Left = true, true
	legend.Padding = 3
	legend.TextStyle.Font.Size = 10
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.Title, c.XLabel, c.YLabel
	p.Title.Padding = 8
	p.Title.TextStyle.Font.Size = 13

	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = gridColor, gridColor
	if c.Bars {
		grid.Vertical.Width = 0
	}
	p.Add(grid)
	if c.Bars {
		c.addBars(p, &legend)
		p.NominalX(c.Categories...)
		p.X.Min, p.X.Max = -0.5, float64(len(c.Categories))-0.5
	} else {
		c.addLines(p, &legend)
	}
	scale(&p.Y, c.LogY, c.Bars)
	if !c.Bars {
		scale(&p.X, c.LogX, false)
	}
	return p, &legend
}

// scale makes an axis linear or logarithmic, with room for what it shows, which may be nothing.
func scale(a *plot.Axis, log, fromZero bool) {
	nothing := math.IsInf(a.Min, 0) || math.IsInf(a.Max, 0)
	switch {
	case log && nothing:
		a.Min, a.Max = 1, 10
	case log:
		const room = 1.15
		a.Min, a.Max = a.Min/room, a.Max*room
		if fromZero {
			a.Min = math.Pow(10, math.Floor(math.Log10(a.Min))) // bars begin at a tick
		}
	case nothing:
		a.Min, a.Max = 0, 1
	default:
		room := (a.Max - a.Min) / 25
		if room == 0 {
			room = max(math.Abs(a.Max)/25, 1e-9)
		}
		if a.Max += room; a.Min > 0 {
			a.Min = 0 // or differences would look larger than they are
		} else if a.Min < 0 {
			a.Min -= room
		}
	}
	if log {
		a.Scale, a.Tick.Marker = plot.LogScale{}, logTicks{}
	}
}

// point is a measurement with its interval, of no extent where there is none.
type point struct{ x, y, low, high float64 }

// points returns those of a series that can be shown, cut where one cannot.
func (c *Chart) points(s Series) (runs [][]point) {
	var run []point
	for i, y := range s.Y {
		x := float64(i)
		if s.X != nil {
			x = s.X[i]
		}
		if !shown(x, c.LogX && !c.Bars) || !shown(y, c.LogY) {
			if run != nil {
				runs, run = append(runs, run), nil
			}
			continue
		}
		p := point{x, y, y, y}
		if s.Low != nil {
			if low := s.Low[i]; shown(low, c.LogY) {
				p.low = min(low, y)
			}
			if high := s.High[i]; shown(high, c.LogY) {
				p.high = max(high, y)
			}
		}
		run = append(run, p)
	}
	if run != nil {
		runs = append(runs, run)
	}
	return runs
}

func shown(v float64, log bool) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (!log || v > 0)
}

// addLines adds a line with points and intervals for each series.
func (c *Chart) addLines(p *plot.Plot, legend *plot.Legend) {
	for i, s := range c.Series {
		look := styles[i]
		for _, run := range c.points(s) {
			line := &plotter.Line{LineStyle: look.line()}
			scatter := &plotter.Scatter{GlyphStyle: look.glyph()}
			errors := &plotter.YErrorBars{LineStyle: look.thin(), CapWidth: 5}
			for _, q := range run {
				xy := plotter.XY{X: q.x, Y: q.y}
				line.XYs, scatter.XYs = append(line.XYs, xy), append(scatter.XYs, xy)
				if q.low < q.high {
					errors.XYs = append(errors.XYs, xy)
					errors.YErrors = append(errors.YErrors, struct{ Low, High float64 }{q.y - q.low, q.high - q.y})
				}
			}
			p.Add(line, scatter)
			if errors.XYs != nil {
				p.Add(errors)
			}
		}
		legend.Add(s.Name, &plotter.Line{LineStyle: look.line()}, &plotter.Scatter{GlyphStyle: look.glyph()})
	}
}

// legendWidth returns what the legend takes.
func legendWidth(l *plot.Legend, series []Series) vg.Length {
	var widest vg.Length
	for _, s := range series {
		widest = max(widest, l.TextStyle.Width(s.Name))
	}
	return l.ThumbnailWidth + l.TextStyle.Width(" ") + widest
}
