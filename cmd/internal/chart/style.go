package chart

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// gridColor is light enough to stay behind the data.
var gridColor = color.Gray{Y: 225}

// style is how a series looks. Series differ in colour, shape and, beyond six and twelve, dashes, so that they can be told apart
// without seeing colours.
type style struct {
	color  color.RGBA
	shape  draw.GlyphDrawer
	dashes []vg.Length
	fill   color.RGBA // of bars, which have an edge of the colour
}

// styles has the colours of Okabe and Ito, which people with any kind of colour vision tell apart.
var styles = func() (all [MaxSeries]style) {
	colors := []color.RGBA{
		{0x00, 0x72, 0xb2, 0xff}, // blue
		{0xd5, 0x5e, 0x00, 0xff}, // vermilion
		{0x00, 0x9e, 0x73, 0xff}, // green
		{0xcc, 0x79, 0xa7, 0xff}, // purple
		{0xe6, 0x9f, 0x00, 0xff}, // orange
		{0x33, 0x33, 0x33, 0xff}, // nearly black
	}
	shapes := []draw.GlyphDrawer{
		draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{},
	}
	for i := range all {
		c, round := colors[i%len(colors)], i/len(colors)
		all[i] = style{color: c, shape: shapes[(i+round)%len(shapes)], fill: c}
		switch round {
		case 1:
			all[i].dashes = []vg.Length{5, 3}
			all[i].fill = color.RGBA{c.R/3 + 170, c.G/3 + 170, c.B/3 + 170, 0xff}
		case 2:
			all[i].dashes = []vg.Length{1.5, 2.5}
			all[i].fill = color.RGBA{0xff, 0xff, 0xff, 0xff}
		}
	}
	return all
}()

func (s style) line() draw.LineStyle {
	return draw.LineStyle{Color: s.color, Width: 1.6, Dashes: s.dashes}
}

// thin is the line of intervals.
func (s style) thin() draw.LineStyle {
	return draw.LineStyle{Color: s.color, Width: 0.8}
}

func (s style) glyph() draw.GlyphStyle {
	return draw.GlyphStyle{Color: s.color, Radius: 3, Shape: s.shape}
}
