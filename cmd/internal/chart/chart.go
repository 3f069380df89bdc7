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

// Chart is what to draw: lines with points, or, with Bars, a group of bars for each of Categories, one bar in it for each
// of Series. Bars begin at zero: on a logarithmic axis, which has none, they are points. A series with nothing to show is
// left out, and a chart without any other is not drawn: ErrEmpty. Where there are few marks their values are written beside them.
type Chart struct {
	Title, XLabel, YLabel string
	LogX, LogY            bool // logarithmic axes; bars have no X axis
	Series                []Series
	Bars                  bool
	Categories            []string // of bars
}

// Series is a line, or the bars of one colour. A point whose Y is NaN, and on a logarithmic axis one that is negative,
// is left out, and a line is interrupted there: a measurement that is missing, or is no number that can be shown. A logarithmic axis has a
// place for 0, apart from the others.
type Series struct {
	Name string    // in the legend; empty if there is one series, which the title names
	X, Y []float64 // of equal length; bars have no X, and one Y for each category

	// Low and High are the ends of the confidence interval of each Y, both nil for none. NaN is none for that point.
	Low, High []float64
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
	err := c.validate()
	if err == nil && c.Empty() {
		err = ErrEmpty
	}
	if err != nil {
		return fmt.Errorf("chart %q: %w", c.Title, err)
	}
	const margin = 8
	p, legend := c.plot()
	area := draw.Crop(draw.New(canvas), margin, -margin, margin, -margin)
	title := p.Title.TextStyle
	area.FillText(title, vg.Point{X: area.Center().X, Y: area.Max.Y}, c.Title)
	area.Max.Y -= title.Height(c.Title) + margin
	var beside vg.Length
	if names := c.shownSeries(); len(names) > 1 || names[0] != "" {
		beside = legendWidth(legend, names) + margin
		legend.Draw(draw.Crop(area, area.Max.X-area.Min.X-beside+margin, 0, 0, 0))
	}
	p.Draw(draw.Crop(area, 0, -beside, 0, 0))
	return nil
}

// ErrEmpty is the error of a chart that has nothing to show.
var ErrEmpty = errors.New("there is nothing to draw: nothing has been measured")

// Empty reports whether the chart has nothing to show.
func (c *Chart) Empty() bool { return len(c.shownSeries()) == 0 }

// shownSeries are the names of those that have something to show.
func (c *Chart) shownSeries() (names []string) {
	for _, s := range c.Series {
		if c.points(s) != nil {
			names = append(names, s.Name)
		}
	}
	return names
}

// validate finds what could only be drawn wrongly.
func (c *Chart) validate() error {
	if len(c.Series) == 0 {
		return errors.New("no series")
	}
	if len(c.Series) > MaxSeries {
		return fmt.Errorf("%d series; %d can be told apart", len(c.Series), MaxSeries)
	}
	for _, s := range c.Series {
		if err := c.validateSeries(s); err != nil {
			return fmt.Errorf("series %q: %w", s.Name, err)
		}
	}
	return nil
}

func (c *Chart) validateSeries(s Series) error {
	switch {
	case c.Bars && len(s.Y) != len(c.Categories):
		return fmt.Errorf("%d bars for %d categories", len(s.Y), len(c.Categories))
	case c.Bars && s.X != nil:
		return errors.New("bars have categories, no X")
	case !c.Bars && len(s.X) != len(s.Y):
		return fmt.Errorf("%d X for %d Y", len(s.X), len(s.Y))
	case (s.Low == nil) != (s.High == nil):
		return errors.New("an interval has both Low and High")
	case s.Low != nil && (len(s.Low) != len(s.Y) || len(s.High) != len(s.Y)):
		return fmt.Errorf("intervals from %d Low to %d High for %d Y", len(s.Low), len(s.High), len(s.Y))
	}
	return nil
}
