package report_test

import (
	"bytes"
	"encoding/json"
	"image/png"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/machine"
	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
)

func example() *report.Report {
	return &report.Report{
		Command: "latency", Rounds: 3, DurationNS: 150e6,
		Machine: machine.Machine{CPUs: 2, System: "linux/amd64", Kernel: "6.1", Go: "go1.26"},
		Errors:  map[string]string{"sctp-kernel": "no such socket"},
		Ratio:   map[string]float64{"half_rtt_8b": 0.5},
		Tables: []*report.Table{
			{
				Name: "latency", Dims: []string{"transport", "bytes"},
				Columns: []report.Column{
					{Figure: "half_rtt_us", Title: "half RTT µs", Format: "%.2f"},
					{Figure: "unheard_of", Title: "unheard of", Format: "%.2f"},
				},
				Points: []*report.Point{
					{At: []any{"sctp-engine", 8}, Figures: map[string]measure.Figure{"half_rtt_us": measure.Range(4, 2, 3)}},
					{At: []any{"tcp-perpair", 8}, Figures: map[string]measure.Figure{"half_rtt_us": measure.Range(5)}},
					{At: []any{"tcp-perpair", 64}, Figures: map[string]measure.Figure{"cpu_s": measure.Range(1)}},
				},
				Plot: &report.Plot{Title: "Latency", Dim: "bytes", Figure: "half_rtt_us", By: []string{"transport"}},
			},
			{
				Name: "other", Dims: []string{"operation"},
				Points: []*report.Point{{At: []any{"all to all"}, Figures: map[string]measure.Figure{"x": measure.Range(1, 2)}}},
			},
		},
	}
}

func TestTableHasMediansAndRanges(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, example().WriteTable(&b))
	var lines []string
	for line := range strings.Lines(b.String()) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	assert.Equal(t, []string{
		"transport bytes half RTT µs",
		"sctp-engine 8 3.00 (2.00–4.00)",
		"tcp-perpair 8 5.00",
		"tcp-perpair 64 -",
		"",
		"operation",
		"all to all",
		"",
		"sctp-kernel: not measured: no such socket",
		"",
		"medians of 3 rounds (least–greatest), 150ms each; linux/amd64, kernel 6.1, 2 CPUs, go1.26",
	}, lines)
}

func TestTableSaysWhatIntervalsAre(t *testing.T) {
	r := example()
	r.Confidence, r.DurationNS = 0.95, 0
	var b bytes.Buffer
	require.NoError(t, r.WriteTable(&b))
	assert.Contains(t, b.String(), "\nmedians of 3 rounds (confidence interval of 95%); linux/amd64")
}

func TestTransportsAreColumns(t *testing.T) {
	r := example()
	r.Tables, r.Errors = r.Tables[:1], nil
	r.Tables[0].Across = []string{"transport"}
	var b bytes.Buffer
	require.NoError(t, r.WriteTable(&b))
	text, _, _ := strings.Cut(b.String(), "\nmedians")
	assert.Equal(t, `half RTT µs
  bytes       sctp-engine  tcp-perpair
      8  3.00 (2.00–4.00)         5.00
     64                 -            -
`, text)
}

func TestOnlyTransportIsInALineOfItsOwn(t *testing.T) {
	r := example()
	r.Tables, r.Errors = r.Tables[:1], nil
	r.Tables[0].Across, r.Tables[0].Points = []string{"transport"}, r.Tables[0].Points[:1]
	var b bytes.Buffer
	require.NoError(t, r.WriteTable(&b))
	text, _, _ := strings.Cut(b.String(), "\nmedians")
	assert.Equal(t, `    transport  bytes       half RTT µs
  sctp-engine      8  3.00 (2.00–4.00)
`, text)
}

func TestTableOfTransportsAloneHasALineForEachFigure(t *testing.T) {
	r := example()
	r.Tables, r.Errors = r.Tables[:1], nil
	r.Tables[0].Dims, r.Tables[0].Across = []string{"transport"}, []string{"transport"}
	r.Tables[0].Points = r.Tables[0].Points[:2]
	var b bytes.Buffer
	require.NoError(t, r.WriteTable(&b))
	text, _, _ := strings.Cut(b.String(), "\nmedians")
	assert.Equal(t, `                    sctp-engine  tcp-perpair
  half RTT µs  3.00 (2.00–4.00)         5.00
`, text)
}

func TestCSVHasARowForEachFigure(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, example().WriteCSV(&b))
	assert.Equal(t, `table,transport,bytes,operation,figure,median,low,high,rounds
latency,sctp-engine,8,,half_rtt_us,3,2,4,3
latency,tcp-perpair,8,,half_rtt_us,5,5,5,1
latency,tcp-perpair,64,,cpu_s,1,1,1,1
other,,,all to all,x,1.5,1,2,2
`, b.String())
}

func TestJSONHasTheSame(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, example().WriteJSON(&b))
	var r report.Report
	require.NoError(t, json.Unmarshal(b.Bytes(), &r))
	assert.Equal(t, "latency", r.Command)
	assert.Equal(t, map[string]float64{"half_rtt_8b": 0.5}, r.Ratio)
	assert.Equal(t, measure.Figure{Median: 3, Low: 2, High: 4, N: 3}, r.Tables[0].Points[0].Figures["half_rtt_us"])
	assert.Equal(t, []any{"sctp-engine", 8.0}, r.Tables[0].Points[0].At)
	assert.Equal(t, "no such socket", r.Errors["sctp-kernel"])
}

func TestChartIsInTheFormatOfTheFile(t *testing.T) {
	assert.Contains(t, drawn(t, example(), "chart.svg"), "tcp-perpair")
	_, err := png.Decode(strings.NewReader(drawn(t, example(), "chart.PNG")))
	assert.NoError(t, err)
	assert.NoError(t, report.CheckPlotFile("a.svg"))
	assert.NoError(t, report.CheckPlotFile("a.PNG"))
	assert.ErrorIs(t, report.CheckPlotFile("not there/a.svg"), fs.ErrNotExist)
	assert.ErrorContains(t, report.CheckPlotFile("a.pdf"), `"a.pdf": a chart's file ends in .svg or .png`)
}

func TestBarsStandForValuesThatAreNoNumbers(t *testing.T) {
	r := example()
	r.Tables = r.Tables[1:]
	r.Tables[0].Plot = &report.Plot{Title: "Other", Dim: "operation", Figure: "x", Bars: true}
	svg := drawn(t, r, "chart.svg")
	for _, word := range []string{">all<", ">to<"} {
		assert.Contains(t, svg, word, "a line for each word")
	}
}

// A line is named by what tells it from the others, and by nothing else.
func TestLinesAreNamedByWhatTellsThemApart(t *testing.T) {
	for want, at := range map[string][2][]any{
		"tcp-perpair":          {{"tcp-perpair", "one way", 1, 8}, {"tcp-perpair", "one way", 1, 16}},
		"one way, tags 16":     {{"tcp-perpair", "one way", 16, 8}, {"tcp-perpair", "both ways", 1, 8}},
		"tcp-perpair, one way": {{"tcp-perpair", "one way", 1, 8}, {"sctp-engine", "both ways", 1, 8}},
	} {
		table := &report.Table{
			Name: "rate", Dims: []string{"transport", "direction", "tags", "bytes"},
			Plot: &report.Plot{By: []string{"transport", "direction", "tags"}, Dim: "bytes", Figure: "x", LogX: true},
		}
		for _, place := range at {
			table.Points = append(table.Points, &report.Point{At: place, Figures: map[string]measure.Figure{"x": measure.Range(1)}})
		}
		assert.Contains(t, drawn(t, &report.Report{Tables: []*report.Table{table}}, "x.svg"), ">"+want+"<")
	}
}

// Others that use the processors spoil what is measured.
func TestBusyHostIsSaid(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, (&report.Report{Others: 1.26}).WriteTable(&out))
	assert.Contains(t, out.String(), "THE HOST WAS BUSY: other programs used 1.3 of its")
	out.Reset()
	require.NoError(t, (&report.Report{Others: report.Busy / 2}).WriteTable(&out))
	assert.NotContains(t, out.String(), "BUSY")
}

func TestChartOfNothingIsAnError(t *testing.T) {
	r := example()
	r.Tables[0].Plot.Only = func(at []any) bool { return at[0] == "sctp-kernel" }
	file := filepath.Join(t.TempDir(), "chart.svg")
	assert.ErrorContains(t, output(t, "--plot", file).Write(r, &bytes.Buffer{}), "nothing to draw")
	assert.NoFileExists(t, file)
}

func TestRatioOfPointsHasAnIntervalOfItsOwn(t *testing.T) {
	point := func(samples ...float64) *report.Point {
		return &report.Point{Samples: map[string][]float64{"x": samples}}
	}
	p, base := point(2, 4, 6, 8), point(1, 2, 3, 4)
	f, ok := p.By("x", base)
	assert.True(t, ok)
	assert.Equal(t, measure.Ratio(p.Samples["x"], base.Samples["x"]), f)
	f, ok = p.By("x", p)
	assert.True(t, ok)
	assert.Equal(t, "1", f.String())
	for _, other := range []*report.Point{nil, point(), point(0, 0, 0, 0)} {
		_, ok = p.By("x", other)
		assert.False(t, ok)
	}
	_, ok = p.By("y", p)
	assert.False(t, ok)
}

func TestPointsAndTablesAreFoundByWhatTheyAre(t *testing.T) {
	r := example()
	assert.Nil(t, r.Table("none"))
	table := r.Table("latency")
	value, ok := table.Point("sctp-engine", 8).Median("half_rtt_us")
	assert.True(t, ok)
	assert.Equal(t, 3.0, value)
	_, ok = table.Point("sctp-engine", 9).Median("half_rtt_us")
	assert.False(t, ok)
}
