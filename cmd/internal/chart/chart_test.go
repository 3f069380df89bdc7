package chart_test

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/chart"
	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
)

func lines() *chart.Chart {
	return &chart.Chart{
		Title: "Ping-pong of 30 KiB, round trip 20 ms", XLabel: "loss (%)", YLabel: "throughput (Mbit/s)",
		Series: []chart.Series{
			{Name: "tcp-perpair", X: []float64{0, 1, 2}, Y: []float64{12, 4, 2}, Low: []float64{11, 3, 1.5}, High: []float64{13, 5, 3}},
			{Name: "sctp-engine", X: []float64{0, 1, 2}, Y: []float64{11, 9, 7}, Low: []float64{10, 8, 5}, High: []float64{13, 10, 8}},
		},
	}
}

func bars() *chart.Chart {
	return &chart.Chart{
		Title: "Farm", YLabel: "total time (s)", Bars: true, Categories: []string{"0%", "1%", "2%"},
		Series: []chart.Series{
			{Name: "tcp-perpair", Y: []float64{1, 10, 40}, Low: []float64{1, 9, 30}, High: []float64{1, 12, 45}},
			{Name: "tcp-pertrc", Y: []float64{2, math.NaN(), 3}},
			{Name: "sctp-engine", Y: []float64{1, 2, 4}},
		},
	}
}

func svg(t *testing.T, c *chart.Chart) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, c.SVG(&b))
	for d := xml.NewDecoder(bytes.NewReader(b.Bytes())); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else {
			require.NoError(t, err, "an SVG document is well-formed XML")
		}
	}
	return b.String()
}

func TestSVGHasEveryTextAndIsSmall(t *testing.T) {
	for _, c := range []*chart.Chart{lines(), bars()} {
		out := svg(t, c)
		for _, s := range c.Series {
			assert.Contains(t, out, s.Name)
		}
		for _, category := range c.Categories {
			assert.Contains(t, out, category)
		}
		assert.Contains(t, out, c.Title)
		assert.Contains(t, out, c.YLabel)
		assert.Less(t, len(out), 30<<10)
	}
}

func TestOutputIsTheSameEveryTime(t *testing.T) {
	for _, c := range []*chart.Chart{lines(), bars()} {
		assert.Equal(t, svg(t, c), svg(t, c))
		var first, second bytes.Buffer
		require.NoError(t, c.PNG(&first))
		require.NoError(t, c.PNG(&second))
		assert.Equal(t, first.Bytes(), second.Bytes())
	}
}

// With SCTPMPI_CHARTS set to a directory the images are left there to be looked at.
func TestPNGIsAnImage(t *testing.T) {
	for name, c := range map[string]*chart.Chart{"lines": lines(), "bars": bars(), "zero": zero()} {
		var b bytes.Buffer
		require.NoError(t, c.PNG(&b))
		if dir := os.Getenv("SCTPMPI_CHARTS"); dir != "" {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name+".png"), b.Bytes(), 0o644))
		}
		image, err := png.Decode(&b)
		require.NoError(t, err)
		assert.Greater(t, image.Bounds().Dx(), image.Bounds().Dy())
	}
}

func TestEveryAxisLabelsThreeValuesAtLeast(t *testing.T) {
	c := lines()
	c.LogX, c.LogY = true, true
	for i := range c.Series {
		c.Series[i].X = []float64{1, 60, 4000}
	}
	out := svg(t, c)
	for _, label := range []string{">10<", ">100<", ">1000<", ">2<", ">5<"} {
		assert.Contains(t, out, label)
	}
	b := bars()
	b.LogY = true
	assert.Contains(t, svg(t, b), ">10<")

	short := &chart.Chart{LogY: true, Series: []chart.Series{{Name: "a", X: []float64{0, 1, 2}, Y: []float64{1100, 1234, 1430}}}}
	for _, label := range []string{">1000<", ">1200<", ">1400<"} {
		assert.Contains(t, svg(t, short), label, "less than a power of ten")
	}
	short.LogY = false
	for _, label := range []string{">0<", ">200<", ">1200<"} {
		assert.Contains(t, svg(t, short), label)
	}
}

func TestPowersOfTwoAreLabelledAsSuch(t *testing.T) {
	c := &chart.Chart{LogX: true, Series: []chart.Series{{Name: "a", X: []float64{8, 64, 4096, 1 << 20}, Y: []float64{1, 2, 3, 4}}}}
	out := svg(t, c)
	for _, label := range []string{">8<", ">32<", ">2048<", ">512Ki<"} {
		assert.Contains(t, out, label)
	}
	c.Series[0].X[0] = 10
	assert.NotContains(t, svg(t, c), ">2048<", "not all are")
}

func TestValuesStandAtTheMarksWhereTheyAreFew(t *testing.T) {
	c := lines()
	c.Series = c.Series[:1]
	c.Series[0].Y = []float64{12.34, 4.56, 2.71}
	assert.Contains(t, svg(t, c), ">4.56<")
	for range 3 {
		c.Series = append(c.Series, c.Series[0])
	}
	assert.NotContains(t, svg(t, c), ">4.56<", "too many")
}

func TestSeriesWithoutDataIsNotInTheLegend(t *testing.T) {
	for _, c := range []*chart.Chart{lines(), bars()} {
		c.Series = append(c.Series, c.Series[0])
		nan := math.NaN()
		c.Series[0].Name, c.Series[0].Y = "never measured", []float64{nan, nan, nan}
		assert.NotContains(t, svg(t, c), "never measured")
	}
}

// The length of a bar means nothing on an axis without zero.
func TestBarsOnALogarithmicAxisArePoints(t *testing.T) {
	const filled = `style="fill:#0072B2"`
	b := &chart.Chart{Bars: true, Categories: []string{"a", "b"}, Series: []chart.Series{{Y: []float64{3, 4}}}}
	bar := svg(t, b)
	b.LogY = true
	point := svg(t, b)
	assert.Equal(t, 2, strings.Count(bar, filled))
	assert.Equal(t, 2, strings.Count(point, filled))
	assert.NotRegexp(t, `d="M[^"]*A[^"]*" `+filled, bar)
	assert.Regexp(t, `d="M[^"]*A[^"]*" `+filled, point, "a circle")
}

func TestMissingMeasurementsAreLeftOut(t *testing.T) {
	nan := math.NaN()
	for _, log := range []bool{false, true} {
		c := lines()
		c.LogX, c.LogY = log, log
		c.Series[0].Y = []float64{nan, nan, nan}
		c.Series[1].Low, c.Series[1].High = []float64{nan, 0, -1}, []float64{nan, math.Inf(1), 9}
		assert.NotContains(t, svg(t, c), "NaN")
		c.Series = c.Series[:1]
		assert.True(t, c.Empty())
		assert.ErrorIs(t, c.SVG(io.Discard), chart.ErrEmpty)
		b := bars()
		b.LogY = log
		b.Series = []chart.Series{{Name: "failed", Y: []float64{nan, nan, nan}}}
		assert.ErrorIs(t, b.PNG(io.Discard), chart.ErrEmpty)
	}
}

// zero has a 0 on both axes.
func zero() *chart.Chart {
	return &chart.Chart{
		Title: "Wait by length", XLabel: "message (bytes)", YLabel: "wait (µs)", LogX: true, LogY: true,
		Series: []chart.Series{{
			Name: "sctp-engine", X: []float64{0, 8, 64, 1024}, Y: []float64{3, 5, 0, 20}, Low: []float64{0, 4, 0, 20}, High: []float64{3, 6, 0, 30},
		}},
	}
}

// 0 has a place on a logarithmic axis, apart from the other values, and is written as what it is.
func TestZeroIsOnALogarithmicAxis(t *testing.T) {
	out := svg(t, zero())
	assert.Equal(t, 3, strings.Count(out, ">0<"), "on both axes, and at the mark")
	assert.Equal(t, 5, strings.Count(out, `style="fill:#0072B2"`), "four marks, and that of the legend")
	assert.NotContains(t, out, "NaN")
	c := zero()
	c.Series[0].X, c.Series[0].Y = []float64{0, 0, 0, 0}, []float64{0, 0, 0, 0}
	assert.NotContains(t, svg(t, c), "NaN", "there is nothing else")
	b := bars()
	b.LogY, b.Series[0].Y[0] = true, 0
	assert.Contains(t, svg(t, b), ">0<")
}

// What is drawn is named, also if it is alone.
func TestSingleSeriesIsNamed(t *testing.T) {
	c := lines()
	c.Series = c.Series[:1]
	assert.Contains(t, svg(t, c), ">tcp-perpair<")
}

func TestConstantSeriesHasRoom(t *testing.T) {
	c := &chart.Chart{Series: []chart.Series{{Name: "zero", X: []float64{0, 1}, Y: []float64{0, 0}}}}
	assert.NotContains(t, svg(t, c), "NaN")
	assert.Contains(t, svg(t, c), ">1<", "the axis goes to 1, not to a billionth")
	assert.NotContains(t, svg(t, c), ">0.0000")
}

func TestMistakesAreNamed(t *testing.T) {
	for want, change := range map[string]func(c *chart.Chart){
		"no series":                func(c *chart.Chart) { c.Series = nil },
		"19 series":                func(c *chart.Chart) { c.Series = make([]chart.Series, chart.MaxSeries+1) },
		"2 X for 3 Y":              func(c *chart.Chart) { c.Series[0].X = c.Series[0].X[:2] },
		"both Low and High":        func(c *chart.Chart) { c.Series[0].Low = nil },
		"intervals from 1 Low":     func(c *chart.Chart) { c.Series[0].Low = c.Series[0].Low[:1] },
		"3 bars for 0 categories":  func(c *chart.Chart) { c.Bars = true },
		"bars have categories, no": func(c *chart.Chart) { c.Bars, c.Categories = true, make([]string, 3) },
	} {
		c := lines()
		change(c)
		assert.ErrorContains(t, c.SVG(io.Discard), want)
		assert.ErrorContains(t, c.PNG(io.Discard), want)
	}
}

func TestMarksHaveTheirPlaces(t *testing.T) {
	nan := math.NaN()
	marks := []chart.Mark{
		{Series: "b", Label: "two", X: 2, Figure: measure.Range(4, 6)},
		{Series: "b", Label: "one", X: 1, Figure: measure.Range(3)},
		{Series: "c", Label: "two", X: 2, Figure: measure.Range(7)},
	}
	for bars, ys := range map[bool][3][]float64{false: {{nan, nan}, {3, 5}, {nan, 7}}, true: {{nan, nan}, {5, 3}, {7, nan}}} {
		c := chart.Chart{Bars: bars}
		c.Place(marks, "a")
		for i, s := range c.Series {
			assert.Equal(t, []string{"a", "b", "c"}[i], s.Name)
			assert.InDeltaSlice(t, ys[i], s.Y, 0, "%s, bars: %v", s.Name, bars)
		}
		if bars {
			assert.Equal(t, []string{"two", "one"}, c.Categories)
			continue
		}
		assert.Equal(t, []float64{1, 2}, c.Series[1].X)
		assert.Equal(t, 4.0, c.Series[1].Low[1])
		assert.Equal(t, 6.0, c.Series[1].High[1])
	}
}
