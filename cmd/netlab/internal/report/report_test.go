package report_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/chart"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/campaign"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/experiments"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/record"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/report"
)

// run makes a directory with results of all cells of experiments, two each; the second of the first cell has failed.
func run(t *testing.T, all []plan.Experiment) (dir string) {
	t.Helper()
	dir = t.TempDir()
	require.NoError(t, campaign.Describe([]string{"netlab", "run", "<all>"}, true, 1).Keep(dir))
	f, err := record.Open(dir)
	require.NoError(t, err)
	defer f.Close()
	for i := range all {
		e := &all[i]
		for j, cell := range e.Cells() {
			for round := 1; round <= 2; round++ {
				r := record.Result{
					Key:     record.Key{Experiment: e.Name, Case: cell.Case.ID(), Variant: cell.Variant.Name, Round: round},
					Factors: cell.Case.Factors, Status: record.Done, Metrics: map[string]float64{},
				}
				for _, m := range e.Metrics {
					r.Metrics[m.Name] = 1234 * float64(round)
				}
				if i == 0 && j == 0 && round == 2 {
					r.Status, r.Metrics, r.Error = record.TimedOut, nil, "more than <30s>"
				}
				require.NoError(t, f.Add(r))
			}
		}
	}
	return dir
}

// write writes the report and returns its text.
func write(t *testing.T, dir string, all []plan.Experiment) string {
	t.Helper()
	var text bytes.Buffer
	_, err := report.Write(dir, all, &text)
	require.NoError(t, err)
	return text.String()
}

func TestTextHasEveryCellAndWhatFailed(t *testing.T) {
	all := experiments.All(true)[:1]
	all[0].Rounds = 5
	dir := run(t, all)
	var text bytes.Buffer
	lacks, err := report.Write(dir, all, &text)
	require.NoError(t, err)
	assert.Equal(t, report.Lacks{Failed: 1, Cells: len(all[0].Cells())}, lacks)
	assert.ErrorContains(t, lacks.Err(), "the results are incomplete: 1 jobs failed. ")
	for _, cell := range all[0].Cells() {
		assert.Contains(t, text.String(), cell.Case.ID())
	}
	assert.Contains(t, text.String(), "1851 (1234–2468)")
	assert.Contains(t, text.String(), "round 2: timed out: more than <30s>")
	planned := all[0].Rounds * len(all[0].Cells())
	assert.Contains(t, text.String(), fmt.Sprintf("time was up: %d of %d jobs, 1 failed\n", 2*len(all[0].Cells()), planned))
}

// What others have disturbed is no result: it is not in medians and drawings, and a cell without another measurement has none.
func TestDisturbedJobsDoNotCount(t *testing.T) {
	all := experiments.All(true)[:1]
	dir := t.TempDir()
	environment := campaign.Describe([]string{"netlab"}, true, 1)
	environment.Experiments, environment.Transports = []string{all[0].Name}, []string{"tcp-perpair"}
	require.NoError(t, environment.Keep(dir))
	cells := slices.DeleteFunc(all[0].Cells(), func(c plan.Cell) bool { return c.Variant.Name != "tcp-perpair" })
	add := func(late map[int]float64, rounds ...int) {
		f, err := record.Open(dir)
		require.NoError(t, err)
		defer f.Close()
		for i, cell := range cells {
			for _, round := range rounds {
				r := record.Result{
					Key:     record.Key{Experiment: all[0].Name, Case: cell.Case.ID(), Variant: cell.Variant.Name, Round: round},
					Factors: cell.Case.Factors, Status: record.Done, Late: late[i],
					Metrics: map[string]float64{"throughput": float64(10 * (i + 1)), "roundtrip": 1},
				}
				if !f.Has(r.Key) {
					require.NoError(t, f.Add(r))
				}
			}
		}
	}
	add(map[int]float64{0: record.DisturbedBy + 1, 1: record.DisturbedBy}, 1)
	var text bytes.Buffer
	lacks, err := report.Write(dir, all, &text)
	require.NoError(t, err)
	assert.Equal(t, report.Lacks{Disturbed: 1, Missing: 1, Cells: len(cells)}, lacks)
	assert.ErrorContains(t, lacks.Err(), fmt.Sprintf("1 of %d cells have no measurement, 1 jobs were disturbed", len(cells)))
	assert.Contains(t, text.String(), "0, 1 disturbed")
	svg, err := os.ReadFile(filepath.Join(dir, all[0].Name+"-throughput-1.svg"))
	require.NoError(t, err)
	assert.Contains(t, string(svg), "INCOMPLETE: 1 of 3 cells have no measurement")
	page, err := os.ReadFile(filepath.Join(dir, report.Page))
	require.NoError(t, err)
	assert.Contains(t, string(page), "the results are incomplete")
	assert.Contains(t, string(page), "1 disturbed")

	add(nil, 1) // what was disturbed is measured again
	lacks, err = report.Write(dir, all, &text)
	require.NoError(t, err)
	assert.NoError(t, lacks.Err())
}

// A cell of a full run with fewer than six jobs is shown as such, has no figures where they are published, and makes the run incomplete.
func TestCellWithFewJobsIsNotPublished(t *testing.T) {
	e := experiments.All(false)[0]
	e.Rounds = plan.LeastJobs
	e.Cases, e.Charts = e.Cases[:3], e.Charts[:1]
	e.Variants = slices.DeleteFunc(e.Variants, func(v plan.Variant) bool { return v.Name != "tcp-perpair" })
	dir := t.TempDir()
	require.NoError(t, campaign.Describe([]string{"netlab"}, false, 1).Keep(dir))
	f, err := record.Open(dir)
	require.NoError(t, err)
	defer f.Close()
	for i, cell := range e.Cells() {
		for round := 1; round <= plan.LeastJobs-i%2; round++ {
			require.NoError(t, f.Add(record.Result{
				Key:    record.Key{Experiment: e.Name, Case: cell.Case.ID(), Variant: cell.Variant.Name, Round: round},
				Status: record.Done, Metrics: map[string]float64{"throughput": float64(round), "roundtrip": 1},
			}))
		}
	}
	var text bytes.Buffer
	lacks, err := report.Write(dir, []plan.Experiment{e}, &text)
	require.NoError(t, err)
	assert.Equal(t, report.Lacks{Few: 1, Cells: 3}, lacks)
	assert.ErrorContains(t, lacks.Err(), "1 of 3 cells have fewer than 6 jobs")
	assert.Contains(t, text.String(), "5 of 6")
	assert.Contains(t, text.String(), "1 of 3 cells have fewer than 6 jobs, too few to publish")
	svg, err := os.ReadFile(filepath.Join(dir, e.Name+"-throughput.svg"))
	require.NoError(t, err)
	assert.Contains(t, string(svg), "INCOMPLETE: 1 of 3 cells have fewer than 6 jobs")
	lines := readCSV(t, filepath.Join(dir, "cells.csv"))
	require.Len(t, lines, 1+3*2)
	throughput := func(cell int) []string { return lines[2+2*cell][3:] }
	assert.Equal(t, []string{"6", "0", "0", "throughput", "3.5", "1", "6", "0.96875"}, throughput(0))
	assert.Equal(t, []string{"5", "0", "0", "throughput", "", "", "", ""}, throughput(1))
}

// Where the question is how far a variant goes, that it fails is the answer.
func TestFailureIsAResultWhereVariantsEnd(t *testing.T) {
	e := plan.Experiment{
		Name: "e", Title: "E", Rounds: 6, Ends: true, Variants: []plan.Variant{{Name: "tcp"}, {Name: "sctp"}},
		Cases:   []plan.Case{{Factors: []plan.Factor{{Name: "tags", Value: 4096}}}},
		Metrics: []plan.Metric{{Name: "sockets", Title: "sockets"}}, Charts: []plan.Chart{{Metric: "sockets", X: "tags"}},
	}
	dir := t.TempDir()
	require.NoError(t, campaign.Describe([]string{"netlab"}, false, 1).Keep(dir))
	f, err := record.Open(dir)
	require.NoError(t, err)
	defer f.Close()
	add := func(rounds int) {
		for round := 1; round <= rounds; round++ {
			for _, cell := range e.Cells() {
				r := record.Result{
					Key:    record.Key{Experiment: e.Name, Case: cell.Case.ID(), Variant: cell.Variant.Name, Round: round},
					Status: record.TimedOut, Error: "more than 2m0s",
				}
				if cell.Variant.Name == "sctp" {
					r.Status, r.Metrics = record.Done, map[string]float64{"sockets": 2}
				}
				if !f.Has(r.Key) {
					require.NoError(t, f.Add(r))
				}
			}
		}
	}
	add(5)
	var text bytes.Buffer
	lacks, err := report.Write(dir, []plan.Experiment{e}, &text)
	require.NoError(t, err)
	assert.Equal(t, report.Lacks{Few: 2, Cells: 2}, lacks)
	add(6)
	text.Reset()
	lacks, err = report.Write(dir, []plan.Experiment{e}, &text)
	require.NoError(t, err)
	assert.NoError(t, lacks.Err())
	assert.Regexp(t, `tcp +0, 6 failed +timed out`, text.String())
	assert.Contains(t, text.String(), "12 of 12 jobs, 6 failed")
	assert.Contains(t, readCSV(t, filepath.Join(dir, "cells.csv")),
		[]string{"e", "tags=4096", "tcp", "0", "6", "0", "timed out", "", "", "", ""})
	e.Variants = e.Variants[:1] // and so no variant with a result
	lacks, err = report.Write(dir, []plan.Experiment{e}, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, report.Lacks{Missing: 1, Cells: 1}, lacks, "nothing is known of a case in which all fail")
	e.Ends = false
	lacks, err = report.Write(dir, []plan.Experiment{e}, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, report.Lacks{Failed: 6, Missing: 1, Cells: 1}, lacks)
}

func TestRatiosAreByTheCellThatThePlanNames(t *testing.T) {
	loss := func(percent float64) plan.Case {
		return plan.Case{Factors: []plan.Factor{{Name: "loss", Value: percent, Unit: "%"}}}
	}
	e := plan.Experiment{
		Name: "e", Title: "E", Rounds: 6, Cases: []plan.Case{loss(0), loss(2)}, Variants: []plan.Variant{{Name: "tcp"}, {Name: "sctp"}},
		Metrics: []plan.Metric{{Name: "time", Title: "time", Unit: "s"}},
		Ratios: []plan.Ratio{
			{Metric: "time", Variant: "tcp", Title: "by that of tcp"}, {Metric: "time", Factor: "loss", Value: 0, Title: "by that at 0%"},
		},
	}
	dir := t.TempDir()
	require.NoError(t, campaign.Describe([]string{"netlab"}, false, 1).Keep(dir))
	f, err := record.Open(dir)
	require.NoError(t, err)
	defer f.Close()
	for i, cell := range e.Cells() { // 1, 2, 3, 4
		for round := 1; round <= e.Rounds; round++ {
			require.NoError(t, f.Add(record.Result{
				Key:    record.Key{Experiment: e.Name, Case: cell.Case.ID(), Variant: cell.Variant.Name, Round: round},
				Status: record.Done, Metrics: map[string]float64{"time": float64(i + 1)},
			}))
		}
	}
	write(t, dir, []plan.Experiment{e})
	ratios := map[string]string{}
	for _, line := range readCSV(t, filepath.Join(dir, "cells.csv"))[1:] {
		ratios[line[1]+" "+line[2]+" "+line[6]] = line[7]
	}
	for cell, want := range map[string]string{
		"loss=0% sctp by that of tcp": "2", "loss=2% sctp by that of tcp": "1.3333333333333333",
		"loss=2% tcp by that at 0%": "3", "loss=2% sctp by that at 0%": "2",
		"loss=0% tcp by that of tcp": "", "loss=0% tcp by that at 0%": "", // it is that cell itself
	} {
		assert.Equal(t, want, ratios[cell], cell)
	}
}

func readCSV(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	return lines
}

// What list promises is in the report, whatever came of it.
func TestWhatWasAskedForAndNotRunIsMissing(t *testing.T) {
	all := experiments.All(true)[:2]
	dir := t.TempDir()
	environment := campaign.Describe([]string{"netlab"}, true, 1)
	environment.Experiments, environment.Transports = []string{all[0].Name}, []string{"tcp-perpair"}
	require.NoError(t, environment.Keep(dir))
	f, err := record.Open(dir)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	text := write(t, dir, all)
	drawn, err := filepath.Glob(filepath.Join(dir, "*.svg"))
	require.NoError(t, err)
	assert.Empty(t, drawn, "there is nothing to draw")
	assert.Contains(t, text, "-throughput-1 is not drawn, as nothing of it has been measured")
	cells := strings.Count(text, "missing  ")
	assert.Positive(t, cells)
	assert.Contains(t, text, fmt.Sprintf("time was up: 0 of %d jobs; %d of %d cells have no measurement", cells*all[0].Rounds, cells, cells))
	assert.NotContains(t, text, "sctp", "transports that were not asked for")
	assert.NotContains(t, text, all[1].Title)
}

func TestPageShowsEveryExperimentAndFailure(t *testing.T) {
	all := experiments.All(true)
	dir := run(t, all)
	write(t, dir, all)
	text, err := os.ReadFile(filepath.Join(dir, report.Page))
	require.NoError(t, err)
	page := string(text)
	for _, e := range all {
		assert.Contains(t, page, `id="`+e.Name+`"`)
		assert.Contains(t, page, e.Question)
	}
	assert.Contains(t, page, "1851 (1234–2468)", "median and interval")
	assert.Contains(t, page, "1 failed")
	assert.Contains(t, page, "more than &lt;30s&gt;")
	assert.Contains(t, page, "<svg")
	assert.NotContains(t, page, "<?xml")
	assert.NotContains(t, page, `src="`, "the page needs no other file")
	assert.NotContains(t, page, "NaN")
}

func TestDrawingsAreFilesToo(t *testing.T) {
	// No others, as a drawing takes long under the race detector.
	all := slices.DeleteFunc(experiments.All(true), func(e plan.Experiment) bool { return e.Name != "hol" && e.Name != "farm-loss" })
	dir := run(t, all)
	write(t, dir, all)
	for _, pattern := range []string{"hol-p95*.svg", "hol-p95*.png", "farm-loss-time-1.svg"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		require.NoError(t, err)
		assert.NotEmpty(t, found, pattern)
	}
}

// Also in one that has not all of them.
func TestTransportHasOneColourInAllDrawings(t *testing.T) {
	all := slices.DeleteFunc(experiments.All(true), func(e plan.Experiment) bool { return e.Name != "streams" })
	dir := run(t, all)
	write(t, dir, all)
	svg, err := os.ReadFile(filepath.Join(dir, "streams-p95.svg"))
	require.NoError(t, err)
	assert.Contains(t, string(svg), "#009E73", "sctp-kernel is the third transport")
	assert.NotContains(t, string(svg), "#0072B2", "tcp-perpair, the first, is not in it")
}

func TestCSVHasALineForEachJob(t *testing.T) {
	all := experiments.All(true)[:1]
	dir := run(t, all)
	write(t, dir, all)
	lines := readCSV(t, filepath.Join(dir, "results.csv"))
	assert.Len(t, lines, 1+2*len(all[0].Cells()))
	assert.Equal(t, []string{"roundtrip", "throughput"}, lines[0][10:])
	assert.Equal(t, []string{"1234", "1234"}, lines[1][10:])
	assert.Equal(t, []string{"", ""}, lines[2][10:], "a failure has measured nothing")
}

func TestJSONHasMediansAndIntervals(t *testing.T) {
	all := experiments.All(true)[:1]
	dir := run(t, all)
	write(t, dir, all)
	text, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	require.NoError(t, err)
	var r struct {
		Experiments []struct {
			Rows []struct {
				Done, Failed int
				Metrics      map[string]struct{ Median, Low, High, Confidence float64 }
			}
		}
	}
	require.NoError(t, json.Unmarshal(text, &r))
	require.Len(t, r.Experiments, 1)
	first, second := r.Experiments[0].Rows[0], r.Experiments[0].Rows[1]
	assert.Equal(t, 1, first.Failed)
	assert.Equal(t, 2, second.Done)
	assert.Equal(t, 1851.0, second.Metrics["throughput"].Median)
	assert.Equal(t, 0.5, second.Metrics["throughput"].Confidence)
}

func TestRunWithoutResultsIsSaid(t *testing.T) {
	_, err := report.Write(t.TempDir(), experiments.All(true), io.Discard)
	assert.ErrorContains(t, err, record.FileName)
}

// A full run has more variants than a quick one: hol most of all, each of which is a series beside the transports.
func TestFullRunsCanBeDrawn(t *testing.T) {
	for _, e := range experiments.All(false) {
		names := slices.Clone(plan.Transports)
		for _, v := range e.Variants {
			names = append(names, v.Name)
		}
		slices.Sort(names)
		assert.LessOrEqual(t, len(slices.Compact(names)), chart.MaxSeries, e.Name)
	}
	all := slices.DeleteFunc(experiments.All(false), func(e plan.Experiment) bool { return e.Name != "hol" })
	all[0].Charts = all[0].Charts[:1]
	dir := run(t, all)
	write(t, dir, all)
	found, err := filepath.Glob(filepath.Join(dir, "hol-blocked*.svg"))
	require.NoError(t, err)
	assert.NotEmpty(t, found)
}
