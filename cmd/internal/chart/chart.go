// Package chart draws measurements as line and bar charts, in SVG and PNG, the same every time.
package chart

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Size of a chart; in pixels of a PNG at resolution dots per inch.
const (
	width      = 7.5 * vg.Inch
	height     = 4 * vg.Inch
	resolution = 110
)

// MaxSeries is the number of series that the styles tell apart: a chart with more is an error.
const MaxSeries = 18

// Chart is what to draw: lines with points from left to right, or, with Bars, a group of bars for each label of Marks, in their order, one
// bar in it for each series. A line is interrupted where it has no mark and another has one. Bars begin at zero: on a logarithmic axis,
// which has none, they are points. Such an axis has a place for 0, apart from the others. A series with nothing to show is left out, and a
// chart without any other is not drawn: ErrEmpty. Where there are few marks their values are written beside them.
type Chart struct {
	Title, XLabel, YLabel string
	LogX, LogY            bool // logarithmic axes; bars have no X axis
	Bars                  bool
	Stacked               bool // bars of a label stand on each other, in the order of the series, without intervals and values; none is negative
	Marks                 []Mark
	First                 []string // series that come before all others, so that each has one colour in several charts
}

// SVG writes the chart as an SVG document.
func (c *Chart) SVG(w io.Writer) error {
	canvas := vgsvg.New(width, height)
	if err := c.draw(canvas); err != nil {
		return err
	}
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return err
	}
	_, err := w.Write(bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans"), []byte("font-family:"+fontFamily)))
	return err
}

// fontFamily names fonts of the same widths that a viewer may have in place of the first.
const fontFamily = "'Liberation Sans',Arial,Helvetica,sans-serif"

// PNG writes the chart as a PNG image.
func (c *Chart) PNG(w io.Writer) error {
	canvas := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(resolution))
	if err := c.draw(canvas); err != nil {
		return err
	}
	_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(w)
	return err
}

// draw puts the title above the plot and its legend, which stand side by side.
func (c *Chart) draw(canvas vg.CanvasSizer) error {
	all := c.series()
	var err error
	switch {
	case len(all) > MaxSeries:
		err = fmt.Errorf("%d series; %d can be told apart", len(all), MaxSeries)
	case c.Empty():
		err = ErrEmpty
	}
	if err != nil {
		return fmt.Errorf("chart %q: %w", c.Title, err)
	}
	const margin = 8
	p, legend := c.plot(all)
	area := draw.Crop(draw.New(canvas), margin, -margin, margin, -margin)
	title := p.Title.TextStyle
	area.FillText(title, vg.Point{X: area.Center().X, Y: area.Max.Y}, c.Title)
	area.Max.Y -= title.Height(c.Title) + margin
	var beside vg.Length
	if names := shown(all); len(names) > 1 || names[0] != "" {
		beside = legendWidth(legend, names) + margin
		legend.Draw(draw.Crop(area, area.Max.X-area.Min.X-beside+margin, 0, 0, 0))
	}
	p.Draw(draw.Crop(area, 0, -beside, 0, 0))
	return nil
}

// ErrEmpty is the error of a chart that has nothing to show.
var ErrEmpty = errors.New("there is nothing to draw: nothing has been measured")

// Empty reports whether the chart has nothing to show.
func (c *Chart) Empty() bool { return len(shown(c.series())) == 0 }

// shown are the names of those that have something to show.
func shown(all []series) (names []string) {
	for _, s := range all {
		if s.runs != nil {
			names = append(names, s.name)
		}
	}
	return names
}
