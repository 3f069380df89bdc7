package chart_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/chart"
	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
)

// marks are those of a series at 0, 1 and so on: each value with its interval.
func marks(series string, figures ...measure.Figure) (all []chart.Mark) {
	for i, f := range figures {
		all = append(all, chart.Mark{Series: series, Label: fmt.Sprint(i, "%"), X: float64(i), Figure: f})
	}
	return all
}

// of is a value within an interval.
func of(median, low, high float64) measure.Figure {
	return measure.Figure{Median: median, Low: low, High: high}
}

func single(values ...float64) (all []measure.Figure) {
	for _, v := range values {
		all = append(all, measure.Range(v))
	}
	return all
}

func lines() *chart.Chart {
	return &chart.Chart{
		Title: "Ping-pong of 30 KiB, round trip 20 ms", XLabel: "loss (%)", YLabel: "throughput (Mbit/s)",
		Marks: append(marks("tcp-perpair", of(12, 11, 13), of(4, 3, 5), of(2, 1.5, 3)),
			marks("sctp-engine", of(11, 10, 13), of(9, 8, 10), of(7, 5, 8))...),
	}
}

func bars() *chart.Chart {
	return &chart.Chart{
		Title: "Farm", YLabel: "total time (s)", Bars: true,
		Marks: slices.Concat(marks("tcp-perpair", of(1, 1, 1), of(10, 9, 12), of(40, 30, 45)),
			marks("tcp-pertrc", single(2, math.NaN(), 3)...), marks("sctp-engine", single(1, 2, 4)...)),
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
		for _, m := range c.Marks {
			assert.Contains(t, out, m.Series)
			if c.Bars {
				assert.Contains(t, out, m.Label)
			}
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
	for i := range c.Marks {
		c.Marks[i].X = []float64{1, 60, 4000}[i%3]
	}
	out := svg(t, c)
	for _, label := range []string{">10<", ">100<", ">1000<", ">2<", ">5<"} {
		assert.Contains(t, out, label)
	}
	b := bars()
	b.LogY = true
	assert.Contains(t, svg(t, b), ">10<")

	short := &chart.Chart{LogY: true, Marks: marks("a", single(1100, 1234, 1430)...)}
	for _, label := range []string{">1000<", ">1200<", ">1400<"} {
		assert.Contains(t, svg(t, short), label, "less than a power of ten")
	}
	short.LogY = false
	for _, label := range []string{">0<", ">200<", ">1200<"} {
		assert.Contains(t, svg(t, short), label)
	}
}

// TestStackedBarsStandOnEachOther: the axis has room for their sum.
func TestStackedBarsStandOnEachOther(t *testing.T) {
	parts := append(marks("computing", single(20, 30)...), marks("spinning", single(80, 30)...)...)
	beside := &chart.Chart{Title: "Time", Bars: true, Marks: parts}
	stacked := &chart.Chart{Title: "Time", Bars: true, Stacked: true, Marks: parts}
	assert.NotContains(t, svg(t, beside), ">100<")
	drawn := svg(t, stacked)
	assert.Contains(t, drawn, ">100<")
	for _, text := range []string{">computing<", ">spinning<"} {
		assert.Contains(t, drawn, text)
	}
}

func TestZeroHasNoSign(t *testing.T) {
	drawn := svg(t, &chart.Chart{Title: "Change", Marks: marks("event", single(-80, 4000)...)})
	assert.Contains(t, drawn, ">0<")
	assert.NotContains(t, drawn, ">-0<")
}

func TestPowersOfTwoAreLabelledAsSuch(t *testing.T) {
	c := &chart.Chart{LogX: true, Marks: marks("a", single(1, 2, 3, 4)...)}
	for i, x := range []float64{8, 64, 4096, 1 << 20} {
		c.Marks[i].X = x
	}
	out := svg(t, c)
	for _, label := range []string{">8<", ">32<", ">2048<", ">512Ki<"} {
		assert.Contains(t, out, label)
	}
	c.Marks[0].X = 10
	assert.NotContains(t, svg(t, c), ">2048<", "not all are")
}

func TestValuesStandAtTheMarksWhereTheyAreFew(t *testing.T) {
	c := &chart.Chart{Marks: marks("a", single(12.34, 4.56, 2.71)...)}
	assert.Contains(t, svg(t, c), ">4.56<")
	for _, name := range []string{"b", "c", "d"} {
		c.Marks = append(c.Marks, marks(name, single(1, 2, 3)...)...)
	}
	assert.NotContains(t, svg(t, c), ">4.56<", "too many")
}

func TestSeriesWithoutDataIsNotInTheLegend(t *testing.T) {
	for _, c := range []*chart.Chart{lines(), bars()} {
		nan := math.NaN()
		c.Marks = append(c.Marks, marks("never measured", single(nan, nan, nan)...)...)
		assert.NotContains(t, svg(t, c), "never measured")
	}
}

// The length of a bar means nothing on an axis without zero.
func TestBarsOnALogarithmicAxisArePoints(t *testing.T) {
	const filled = `style="fill:#0072B2"`
	b := &chart.Chart{Bars: true, Marks: marks("", single(3, 4)...)}
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
		c.Marks = append(marks("failed", single(nan, nan, nan)...), marks("odd", of(3, nan, nan), of(4, 0, math.Inf(1)), of(5, -1, 9))...)
		assert.NotContains(t, svg(t, c), "NaN")
		c.Marks = c.Marks[:3]
		assert.True(t, c.Empty())
		assert.ErrorIs(t, c.SVG(io.Discard), chart.ErrEmpty)
		c.Bars = true
		assert.ErrorIs(t, c.PNG(io.Discard), chart.ErrEmpty)
	}
	assert.ErrorIs(t, new(chart.Chart).SVG(io.Discard), chart.ErrEmpty)
}

// zero has a 0 on both axes.
func zero() *chart.Chart {
	c := &chart.Chart{
		Title: "Wait by length", XLabel: "message (bytes)", YLabel: "wait (µs)", LogX: true, LogY: true,
		Marks: marks("sctp-engine", of(3, 0, 3), of(5, 4, 6), of(0, 0, 0), of(20, 20, 30)),
	}
	for i, x := range []float64{0, 8, 64, 1024} {
		c.Marks[i].X = x
	}
	return c
}

// 0 has a place on a logarithmic axis, apart from the other values, and is written as what it is.
func TestZeroIsOnALogarithmicAxis(t *testing.T) {
	out := svg(t, zero())
	assert.Equal(t, 3, strings.Count(out, ">0<"), "on both axes, and at the mark")
	assert.Equal(t, 5, strings.Count(out, `style="fill:#0072B2"`), "four marks, and that of the legend")
	assert.NotContains(t, out, "NaN")
	c := zero()
	c.Marks = []chart.Mark{{Figure: measure.Range(0)}}
	assert.NotContains(t, svg(t, c), "NaN", "there is nothing else")
	b := bars()
	b.LogY, b.Marks[0].Figure = true, measure.Range(0)
	assert.Contains(t, svg(t, b), ">0<")
}

// What is drawn is named, also if it is alone.
func TestSingleSeriesIsNamed(t *testing.T) {
	c := lines()
	c.Marks = c.Marks[:3]
	assert.Contains(t, svg(t, c), ">tcp-perpair<")
}

func TestConstantSeriesHasRoom(t *testing.T) {
	c := &chart.Chart{Marks: marks("zero", single(0, 0)...)}
	assert.NotContains(t, svg(t, c), "NaN")
	assert.Contains(t, svg(t, c), ">1<", "the axis goes to 1, not to a billionth")
	assert.NotContains(t, svg(t, c), ">0.0000")
}

func TestSeriesThatCannotBeToldApartAreAnError(t *testing.T) {
	c := lines()
	for i := range chart.MaxSeries + 1 {
		c.First = append(c.First, fmt.Sprint(i))
	}
	assert.ErrorContains(t, c.SVG(io.Discard), "21 series")
	assert.ErrorContains(t, c.PNG(io.Discard), "21 series")
}

func TestFirstSeriesKeepTheirColours(t *testing.T) {
	c := lines()
	c.First = []string{"sctp-engine", "tcp-pertrc", "tcp-perpair"}
	out := svg(t, c)
	assert.Contains(t, out, "#0072B2")
	assert.NotContains(t, out, "#D55E00", "of a series that has no marks")
	assert.Contains(t, out, "#009E73")
	assert.NotContains(t, out, "tcp-pertrc")
}

// Marks may come in any order, but bars stand in it.
func TestLinesGoFromLeftToRight(t *testing.T) {
	c := lines()
	forwards := svg(t, c)
	slices.Reverse(c.Marks)
	c.First = []string{"tcp-perpair", "sctp-engine"}
	assert.Equal(t, forwards, svg(t, c))
	b := bars()
	before := svg(t, b)
	b.First = []string{"tcp-perpair", "tcp-pertrc", "sctp-engine"}
	slices.Reverse(b.Marks)
	assert.NotEqual(t, before, svg(t, b))
}

// A line does not lead over a place where only others have been measured.
func TestLineIsInterruptedWhereItHasNoMark(t *testing.T) {
	const line = `L[0-9.,]+" style="fill:none;stroke:#0072B2;stroke-width:1.6"`
	c := lines()
	c.Marks = slices.Delete(c.Marks, 1, 2)
	others := svg(t, c)
	c.Marks = c.Marks[:2]
	count := func(svg string) int { return len(regexp.MustCompile(line).FindAllString(svg, -1)) }
	assert.Equal(t, 1, count(others), "that of the legend")
	assert.Equal(t, 2, count(svg(t, c)), "there are no others")
}
