package chart

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// plot makes the plot and its legend.
func (c *Chart) plot(all []series) (*plot.Plot, *plot.Legend) {
	p, legend := plot.New(), plot.NewLegend()
	legend.Top, legend.Left = true, true
	legend.Padding = 3
	for _, style := range []*text.Style{
		&legend.TextStyle, &p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label,
	} {
		style.Font = sans(10)
	}
	p.Title.TextStyle.Font.Size = 13
	p.X.Label.Text, p.Y.Label.Text = c.XLabel, c.YLabel // the title goes above the legend too, see draw

	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = gridColor, gridColor
	if c.Bars {
		grid.Vertical.Width = 0
	}
	p.Add(grid)
	if c.Bars {
		c.addBars(p, &legend, all)
		categories := c.categories()
		p.NominalX(categories...)
		p.X.Min, p.X.Max = -0.5, float64(len(categories))-0.5
	} else {
		addLines(p, &legend, all)
	}
	x, y := c.places()
	scale(&p.Y, c.LogY)
	p.Y.Tick.Marker = y.ticks(p.Y.Tick.Marker)
	if !c.Bars {
		scale(&p.X, c.LogX)
		if c.LogX && c.powersOfTwo() {
			p.X.Tick.Marker = binaryTicks{}
		}
		p.X.Tick.Marker = x.ticks(p.X.Tick.Marker)
	}
	return p, &legend
}

// scale makes an axis linear or logarithmic, with room for what it shows, which may be nothing.
func scale(a *plot.Axis, log bool) {
	nothing := math.IsInf(a.Min, 0) || math.IsInf(a.Max, 0)
	switch {
	case log && nothing:
		a.Min, a.Max = 1, 10
	case log:
		const room = 1.25
		a.Min, a.Max = a.Min/room, a.Max*room
	case nothing:
		a.Min, a.Max = 0, 1
	default:
		room := (a.Max - a.Min) / 20
		if room == 0 {
			if room = math.Abs(a.Max) / 25; room == 0 {
				room = 1
			}
		}
		if a.Max += room; a.Min > 0 {
			a.Min = 0 // or differences would look larger than they are
		} else if a.Min < 0 {
			a.Min -= room
		}
	}
	a.Tick.Marker = linearTicks{}
	if log {
		a.Scale, a.Tick.Marker = plot.LogScale{}, logTicks{}
	}
}

// addLines adds a line with points and intervals for each series.
func addLines(p *plot.Plot, legend *plot.Legend, all []series) {
	written := writesValues(all, fewPoints)
	for i, s := range all {
		look := styles[i]
		if s.runs == nil {
			continue
		}
		for _, run := range s.runs {
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
			if written {
				p.Add(values{run})
			}
			if errors.XYs != nil {
				p.Add(errors)
			}
		}
		legend.Add(s.name, &plotter.Line{LineStyle: look.line()}, &plotter.Scatter{GlyphStyle: look.glyph()})
	}
}

// legendWidth returns what the legend takes, with some more for fonts that are wider than ours.
func legendWidth(l *plot.Legend, names []string) vg.Length {
	var widest vg.Length
	for _, name := range names {
		widest = max(widest, l.TextStyle.Width(name))
	}
	return l.ThumbnailWidth + l.TextStyle.Width(" ") + widest*1.1
}

func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}
