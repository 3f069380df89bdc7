package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/chart"
)

// ErrIncomplete is the error of a program whose report was printed but lacks figures.
var ErrIncomplete = errors.New("the report is incomplete: not everything could be measured")

// Output is the form in which a report is printed, as flags choose it.
type Output struct {
	json, csv bool
	plot      string
}

// Flags adds the flags.
func (o *Output) Flags(fs *pflag.FlagSet) {
	fs.BoolVar(&o.json, "json", false, "print one JSON object instead of tables")
	fs.BoolVar(&o.csv, "csv", false, "print comma-separated values instead of tables")
	fs.StringVar(&o.plot, "plot", "", "also draw a chart into this `file`, .svg or .png; further ones go to files with more to their names")
}

// HidesErrors says that the form has no place for what could not be measured, and why.
func (o *Output) HidesErrors() bool { return o.csv }

// Check reports what is wrong with the values of the flags.
func (o *Output) Check() error {
	if o.json && o.csv {
		return errors.New("--json and --csv: choose one of the two")
	}
	if o.plot == "" {
		return nil
	}
	if err := CheckPlotFile(o.plot); err != nil {
		return fmt.Errorf("--plot: %w", err)
	}
	return nil
}

// Write prints a report, and draws its chart if there is a file for it. It returns ErrIncomplete
// after printing a report that has Failed.
func (o *Output) Write(r *Report, w io.Writer) error {
	write := r.WriteTable
	switch {
	case o.json:
		write = r.WriteJSON
	case o.csv:
		write = r.WriteCSV
	}
	if err := write(w); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	if o.plot != "" {
		if err := r.plotTo(o.plot); err != nil {
			return fmt.Errorf("--plot: %w", err)
		}
	}
	if r.Failed {
		return ErrIncomplete
	}
	return nil
}

// plotTo draws the charts of a report.
func (r *Report) plotTo(name string) error { return Draw(name, r.charts()...) }

// Drawing is a chart, and what is added to the name of its file if there is one before it.
type Drawing struct {
	Name string
	*chart.Chart
}

// Draw draws charts, the first into the file with this name. It leaves no file if there is nothing to draw.
func Draw(name string, drawings ...Drawing) error {
	if len(drawings) == 0 {
		return chart.ErrEmpty
	}
	for i, d := range drawings {
		file := name
		if i > 0 {
			suffix := filepath.Ext(name)
			file = strings.TrimSuffix(name, suffix) + "-" + d.Name + suffix
		}
		var b bytes.Buffer
		if err := d.write(&b, file); err != nil {
			return err
		}
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}
