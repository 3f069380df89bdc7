package chart

import (
	"image/color"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// bars are those of one series. Unlike plotter.BarChart they have intervals, and values written above them. On a logarithmic
// axis they are points, as a bar's length would mean nothing there.
type bars struct {
	points  []point
	look    style
	nth     int // among the bars of a category
	of      int
	log     bool
	written bool // with their values
	// below, unless nil, has the heights on which they stand, by the numbers of their labels.
	below map[float64]float64
}

func (c *Chart) addBars(p *plot.Plot, legend *plot.Legend, all []series) {
	written, nth, heights := writesValues(all, fewBars), 0, make(map[float64]float64)
	for i, s := range all {
		b := &bars{look: styles[i], nth: nth, of: len(shown(all)), log: c.LogY, written: written}
		b.points = slices.Concat(s.runs...)
		if b.points == nil {
			continue
		}
		nth++
		if c.Stacked {
			b.nth, b.of, b.written = 0, 1, false
			b.stack(heights)
		}
		p.Add(b)
		legend.Add(s.name, b)
	}
}

// stack puts the bars on others with these heights, and adds theirs.
func (b *bars) stack(heights map[float64]float64) {
	b.below = maps.Clone(heights)
	b.points = slices.Clone(b.points)
	for i, q := range b.points {
		heights[q.x] += q.y
		b.points[i] = point{x: q.x, y: heights[q.x], low: heights[q.x], high: heights[q.x], value: q.value}
	}
}

// groupWidth is the part of a category that its bars take.
const groupWidth = 0.8

// Plot implements plot.Plotter.
func (b *bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	width := groupWidth / float64(b.of)
	for _, q := range b.points {
		left := q.x - groupWidth/2 + float64(b.nth)*width
		middle := x(left + 0.46*width)
		if b.written {
			writeValue(c, vg.Point{X: middle, Y: y(max(q.y, q.high)) + 3}, q.value)
		}
		if b.log {
			c.DrawGlyph(b.look.glyph(), vg.Point{X: middle, Y: y(q.y)})
		} else {
			b.fill(c, vg.Rectangle{
				Min: vg.Point{X: x(left), Y: y(max(b.below[q.x], p.Y.Min))},
				Max: vg.Point{X: x(left + 0.92*width), Y: y(q.y)},
			})
		}
		if q.low == q.high {
			continue
		}
		tick, low, high := vg.Length(2), y(q.low), y(q.high)
		dark := draw.LineStyle{Color: color.Gray{Y: 40}, Width: 0.8}
		c.StrokeLine2(dark, middle, low, middle, high)
		c.StrokeLine2(dark, middle-tick, low, middle+tick, low)
		c.StrokeLine2(dark, middle-tick, high, middle+tick, high)
	}
}

// fill draws a bar; those beyond six are paler, and beyond twelve white, with an edge.
func (b *bars) fill(c draw.Canvas, r vg.Rectangle) {
	corners := []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
	c.FillPolygon(b.look.fill, corners)
	c.StrokeLines(b.look.thin(), append(corners, r.Min))
}

// DataRange implements plot.DataRanger.
func (b *bars) DataRange() (xmin, xmax, ymin, ymax float64) {
	ymin, ymax = math.Inf(1), math.Inf(-1)
	for _, q := range b.points {
		ymin, ymax = min(ymin, q.low), max(ymax, q.high)
	}
	if !b.log {
		ymin, ymax = min(ymin, 0), max(ymax, 0)
	}
	return -0.5, 0.5, ymin, ymax
}

// Thumbnail implements plot.Thumbnailer.
func (b *bars) Thumbnail(c *draw.Canvas) {
	if b.log {
		c.DrawGlyph(b.look.glyph(), c.Center())
		return
	}
	r := c.Rectangle
	r.Min.Y += 2
	b.fill(*c, r)
}
