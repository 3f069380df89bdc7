package chart

import (
	"image/color"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// So many marks of a chart have their values beside them at most: more would hide each other.
const (
	fewPoints = 8
	fewBars   = 21
)

// writesValues reports whether there are so few marks that each can have its value beside it.
func writesValues(all []series, few int) bool {
	marks := 0
	for _, s := range all {
		for _, run := range s.runs {
			marks += len(run)
		}
	}
	return marks <= few
}

// values are those of points, written above them.
type values struct{ points []point }

// Plot implements plot.Plotter.
func (v values) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, q := range v.points {
		writeValue(c, vg.Point{X: x(q.x), Y: y(q.high) + 4}, q.value)
	}
}

// writeValue writes a value above a place.
func writeValue(c draw.Canvas, at vg.Point, value float64) {
	s := draw.TextStyle{Color: color.Gray{Y: 60}, Font: sans(7), XAlign: draw.XCenter, YAlign: draw.YBottom, Handler: plot.DefaultTextHandler}
	c.FillText(s, at, digits(value))
}

// digits returns three significant ones, and all of whole numbers.
func digits(v float64) string {
	const large = 1000
	if v >= large || v <= -large {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}
