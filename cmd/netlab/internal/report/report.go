package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/campaign"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/record"
)

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
	r := report{Environment: environment, Jobs: len(results), DisturbedBy: record.DisturbedBy}
	for i := range experiments {
		e := &experiments[i]
		if environment.Rounds > 0 {
			e.Rounds = environment.Rounds
		}
		all := rows(e, results, environment.Transports)
		if !slices.Contains(environment.Experiments, e.Name) && !hasResults(all) {
			continue
		}
		s, err := r.section(dir, e, all)
		if err != nil {
			return lacks, err
		}
		r.Lacks.add(&s)
		r.Sections = append(r.Sections, s)
	}
	var late []float64
	for _, result := range results {
		r.Seconds += result.Seconds
		late = append(late, result.Late)
	}
	if len(late) > 0 {
		r.Late, r.LateMost = record.Summarize(late).Median, slices.Max(late)
	}
	for name, write := range map[string]func(w io.Writer) error{
		Page:           r.html,
		"summary.json": r.json,
		"results.csv":  func(w io.Writer) error { return CSV(w, results) },
		"cells.csv":    r.cells,
	} {
		if err := writeFile(filepath.Join(dir, name), write); err != nil {
			return lacks, err
		}
	}
	return r.Lacks, r.text(w)
}

// section makes the part of an experiment, and its drawings.
func (r *report) section(dir string, e *plan.Experiment, all []row) (section, error) {
	s := newSection(e, all)
	for _, f := range figures(e, all) {
		if f.chart.Empty() {
			s.Undrawn = append(s.Undrawn, f.name)
			for _, format := range []string{".svg", ".png"} { // of an earlier report
				if err := os.Remove(filepath.Join(dir, f.name+format)); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return s, err
				}
			}
			continue
		}
		var svg bytes.Buffer
		if err := f.chart.SVG(&svg); err != nil {
			return s, err
		}
		s.addFigure(svg.Bytes())
		err := writeFile(filepath.Join(dir, f.name+".svg"), func(w io.Writer) error {
			_, err := w.Write(svg.Bytes())
			return err
		})
		if err != nil {
			return s, err
		}
		if err := writeFile(filepath.Join(dir, f.name+".png"), f.chart.PNG); err != nil {
			return s, err
		}
	}
	return s, nil
}

// writeFile puts a file in place when all of it has been written.
func writeFile(name string, write func(w io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".netlab-*")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	defer os.Remove(f.Name())
	err = write(f)
	if e := f.Chmod(0o644); err == nil {
		err = e
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("report: %s: %w", name, err)
	}
	return nil
}
