// Package report is what has been measured, for people and for programs.
package report

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/machine"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/stat"
)

// Report is the outcome of a command.
type Report struct {
	Command string   `json:"command"`
	Tables  []*Table `json:"tables"`
	// Ratio has figures divided by those that they are to be compared with.
	Ratio   map[string]float64 `json:"ratio,omitempty"`
	Machine machine.Machine    `json:"machine"`
	// Rounds is how often all was measured, which may be less than was asked for.
	Rounds int `json:"rounds"`
	// DurationNS is about how long one measurement took.
	DurationNS int64 `json:"duration_ns"`
	// Errors says why figures are missing.
	Errors map[string]string `json:"errors,omitempty"`
	// Failed: not all that was asked for and can be had here has been measured.
	Failed bool `json:"-"`
}

// Table is a set of figures at points of the same dimensions.
type Table struct {
	Name string `json:"name"`
	// Dims are the names of the dimensions, such as transport.
	Dims    []string `json:"dims"`
	Columns []Column `json:"-"`
	// Across are dimensions whose values are columns where people read the table, so that
	// what is to be compared stands side by side.
	Across []string `json:"-"`
	Points []*Point `json:"points"`
	// Plot is nil for a table that makes no chart.
	Plot *Plot `json:"-"`
}

// Column is a figure as a table shows it.
type Column struct {
	Figure string
	Title  string // says the unit
	Format string // of fmt, for a float64
}

// Point is where something was measured, a value for each dimension, and what was found.
type Point struct {
	At      []any             `json:"at"`
	Figures map[string]Figure `json:"figures"`
}

// Figure sums up the results of all rounds.
type Figure struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Rounds int     `json:"rounds"`
}

// Summary makes a figure of results, of which there must be one at least.
func Summary(values []float64) Figure {
	return Figure{
		Median: stat.Median(values), Low: slices.Min(values), High: slices.Max(values), Rounds: len(values),
	}
}

// Table returns the table of a name, nil if there is none.
func (r *Report) Table(name string) *Table {
	for _, t := range r.Tables {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// Point returns the point with these values, nil if there is none.
func (t *Table) Point(at ...any) *Point {
	for _, p := range t.Points {
		if slices.Equal(p.At, at) {
			return p
		}
	}
	return nil
}

// Median returns the median of a figure, and whether there is one. A nil Point has none.
func (p *Point) Median(figure string) (float64, bool) {
	if p == nil {
		return 0, false
	}
	f, ok := p.Figures[figure]
	return f.Median, ok
}
