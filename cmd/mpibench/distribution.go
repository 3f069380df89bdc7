package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/chart"
	"github.com/sctpmpi/sctpmpi/cmd/internal/cli"
	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/internal/stats"
)

const (
	distributionName  = "distribution"
	distributionAbout = `Draws how the messages of a job are distributed over lengths, and its waits over times.
The job is one that mpirun --stats-json FILE has run; nothing is measured. Each point has all from
its length, or time, to below the double. A second file, with "-waits" in its name, has the waits.
`
)

// distribution draws what a job has counted.
func distribution(args []string) error {
	fs := pflag.NewFlagSet("mpibench "+distributionName, pflag.ContinueOnError)
	from := fs.String("from", "", "the `file` of mpirun --stats-json")
	plot := fs.String("plot", "", "draw into this `file`, .svg or .png")
	rank := fs.Int("rank", -1, "only what this `rank` has sent, and its waits; -1: the whole job")
	if err := cli.Parse(fs, args, distributionAbout); err != nil {
		return err
	}
	if *from == "" || *plot == "" {
		return cli.Usagef("--from and --plot are both needed")
	}
	if err := report.CheckPlotFile(*plot); err != nil {
		return cli.Usagef("--plot: %w", err)
	}
	job, err := readJob(*from)
	if err != nil {
		return fmt.Errorf("--from %s: %w", *from, err)
	}
	whole := "all ranks"
	if *rank >= 0 {
		r, told := job.Ranks[*rank]
		if !told {
			return cli.Usagef("--rank %d: it has told nothing", *rank)
		}
		job.Ranks, whole = map[int]stats.Rank{*rank: r}, fmt.Sprintf("rank %d", *rank)
	}
	drawings := slices.DeleteFunc([]report.Drawing{
		{Name: "lengths", Chart: lengthsOf(job, whole)}, {Name: "waits", Chart: waitsOf(job, whole)},
	}, func(d report.Drawing) bool { return d.Empty() })
	return report.Draw(*plot, drawings...)
}

func readJob(name string) (job stats.Job, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return job, err
	}
	if err := json.Unmarshal(text, &job); err != nil {
		return job, fmt.Errorf("it is not what mpirun --stats-json writes: %w", err)
	}
	return job, nil
}

func lengthsOf(job stats.Job, whole string) *chart.Chart {
	c := &chart.Chart{
		Title: "Messages sent by " + whole, XLabel: "length (bytes)", YLabel: "messages", LogX: true, LogY: true,
	}
	add(c, job, "point-to-point", 1, func(r stats.Rank) stats.Histogram { return r.PointToPoint.Sent })
	add(c, job, "collective", 1, func(r stats.Rank) stats.Histogram { return r.Collective.Sent })
	return c
}

func waitsOf(job stats.Job, whole string) *chart.Chart {
	c := &chart.Chart{Title: "Waits for messages of " + whole, XLabel: "time (µs)", YLabel: "waits", LogX: true, LogY: true}
	add(c, job, "waits", 1e-3, func(r stats.Rank) stats.Histogram { return r.Waits })
	return c
}

// add adds the sum of the ranks' histograms as a series, whose values are in such units.
func add(c *chart.Chart, job stats.Job, name string, unit float64, of func(stats.Rank) stats.Histogram) {
	var sums []float64
	for _, r := range job.Ranks {
		for place, n := range of(r) {
			if place == len(sums) {
				sums = append(sums, 0)
			}
			sums[place] += float64(n)
		}
	}
	for place, n := range sums {
		x := 0.0
		if place > 0 {
			x = unit * float64(uint64(1)<<(place-1))
		}
		c.Marks = append(c.Marks, chart.Mark{Series: name, X: x, Figure: measure.Range(n)})
	}
}
