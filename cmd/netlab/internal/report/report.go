// Package report writes what came of a run: one HTML page that needs nothing else, CSV, JSON, and the drawings.
package report

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
	output "github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/campaign"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/record"
)

// report is what the page and the JSON show.
type report struct {
	Environment campaign.Environment `json:"environment"`
	Jobs        int                  `json:"jobs"`
	Seconds     float64              `json:"seconds"` // of all jobs
	Late        float64              `json:"late"`    // milliseconds, see record.Result: median and maximum of all jobs
	LateMost    float64              `json:"lateMost"`
	Lacks       Lacks                `json:"lacks"`
	DisturbedBy int                  `json:"disturbedBy"` // milliseconds that a timer was late in a job that is not counted
	Sections    []section            `json:"experiments"`
}

// Page is the report's file in the directory of a run.
const Page = "report.html"

// Write writes the report of a run into its directory, and the same in short as text to w. Experiments that were not asked
// for and have no results are left out. It returns what is wrong with the results: jobs that have failed or were disturbed, and
// cells without any.
func Write(dir string, experiments []plan.Experiment, w io.Writer) (lacks Lacks, err error) {
	results, err := record.Read(dir)
	if err != nil {
		return lacks, err
	}
	environment, err := campaign.ReadEnvironment(dir)
	if err != nil {
		return lacks, err
	}
	cells := record.Cells(results)
	r := report{Environment: environment, Jobs: len(results), DisturbedBy: record.DisturbedBy}
	for i := range experiments {
		e := &experiments[i]
		if environment.Rounds > 0 {
			e.Rounds = environment.Rounds
		}
		s := newSection(e, cells, environment.Transports)
		if !slices.Contains(environment.Experiments, e.Name) && !slices.ContainsFunc(s.Rows, (*row).Ran) {
			continue
		}
		if err := s.draw(dir, e); err != nil {
			return lacks, err
		}
		r.Lacks.add(s.Rows)
		r.Sections = append(r.Sections, s)
	}
	var late []float64
	for _, result := range results {
		r.Seconds += result.Seconds
		late = append(late, result.Late)
	}
	if len(late) > 0 {
		f := measure.Range(late...)
		r.Late, r.LateMost = f.Median, f.High
	}
	for name, write := range map[string]func(w io.Writer) error{
		Page:           r.html,
		"summary.json": func(w io.Writer) error { return output.JSON(w, r) },
		"results.csv":  func(w io.Writer) error { return record.WriteCSV(w, results) },
		"cells.csv":    r.cells,
	} {
		if err := writeFile(filepath.Join(dir, name), write); err != nil {
			return lacks, err
		}
	}
	return r.Lacks, r.text(w)
}

// draw makes the drawings of an experiment: files, and parts of the page.
func (s *section) draw(dir string, e *plan.Experiment) error {
	for _, d := range s.drawings(e) {
		name := filepath.Join(dir, d.name)
		if d.chart.Empty() {
			s.Undrawn = append(s.Undrawn, d.name)
			for _, format := range []string{".svg", ".png"} { // of an earlier report
				if err := os.Remove(name + format); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return err
				}
			}
			continue
		}
		var svg bytes.Buffer
		err := writeFile(name+".svg", func(w io.Writer) error { return d.chart.SVG(io.MultiWriter(w, &svg)) })
		if err == nil {
			err = writeFile(name+".png", d.chart.PNG)
		}
		if err != nil {
			return err
		}
		_, element, _ := strings.Cut(svg.String(), "<svg")
		s.Figures = append(s.Figures, template.HTML("<svg"+element)) // our own; the chart package has escaped all text
	}
	return nil
}

// writeFile puts a file in place when all of it has been written.
func writeFile(name string, write func(w io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".netlab-*")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	defer os.Remove(f.Name())
	if err = cmp.Or(write(f), f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("report: %s: %w", name, err)
	}
	return nil
}
