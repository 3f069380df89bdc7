// Package report prints what was measured: as tables for people, as JSON, CSV and charts for
// programs and documents.
package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/sctpmpi/sctpmpi/cmd/internal/machine"
	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
)

// Report is the result of a command.
type Report struct {
	Command string   `json:"command"`
	Tables  []*Table `json:"tables"`
	// Ratio has figures divided by the figures that they are compared with.
	Ratio map[string]float64 `json:"ratio,omitempty"`
	// RatioShared has such ratios for messages through shared memory.
	RatioShared map[string]float64 `json:"ratio_shm,omitempty"`
	Machine     machine.Machine    `json:"machine"`
	// Rounds is how often everything was measured. It may be less than was asked for.
	Rounds int `json:"rounds"`
	// Confidence, unless 0, is that of the intervals of medians from low to high. Otherwise these are the least and the
	// greatest value.
	Confidence float64 `json:"confidence,omitempty"`
	// DurationNS is about how long one measurement took. It is 0 if they took as long as their programs make them.
	DurationNS int64 `json:"duration_ns"`
	// Interrupted is not nil if the command was interrupted: figures are missing, or of fewer rounds.
	Interrupted *Interruption `json:"interrupted,omitempty"`
	// Others is how many processors other programs used meanwhile, on average: the more, the less figures say.
	Others float64 `json:"other_programs"`
	// Errors says why figures are missing.
	Errors map[string]string `json:"errors,omitempty"`
	// Failed reports that something is missing which this machine should be able to measure.
	Failed bool `json:"-"`
}

// Interruption is how many of the steps of an interrupted command were done.
type Interruption struct {
	Done    int `json:"steps_done"`
	Planned int `json:"steps_planned"`
}

func (i *Interruption) String() string {
	return fmt.Sprintf("INTERRUPTED after %d of %d steps: figures are missing, or of fewer rounds", i.Done, i.Planned)
}

// Busy is from how many processors on that other programs have used meanwhile the host is called busy.
const Busy = 0.1

// Table is a set of figures at points of the same dimensions.
type Table struct {
	Name string `json:"name"`
	// Dims are the names of the dimensions, such as transport.
	Dims    []string `json:"dims"`
	Columns []Column `json:"-"`
	// Across are the dimensions whose values are columns of the printed table, so that the
	// figures to compare stand side by side.
	Across []string `json:"-"`
	Points []*Point `json:"points"`
	// Plot is nil for a table that makes no chart. Others are further charts, each with a Name.
	Plot   *Plot   `json:"-"`
	Others []*Plot `json:"-"`
}

// Column says how a table shows a figure.
type Column struct {
	Figure string
	Title  string // with the unit
	Format string // of fmt, for a float64
}

// Point is one place in a table: a value for each dimension, and the figures measured there.
type Point struct {
	At      []any                     `json:"at"`
	Figures map[string]measure.Figure `json:"figures"`
	// Samples are what Figures sum up: the value of each round.
	Samples map[string][]float64 `json:"-"`
}

// Table returns the table with a name, or nil if there is none.
func (r *Report) Table(name string) *Table {
	for _, t := range r.Tables {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// Point returns the point with these values, or nil if there is none.
func (t *Table) Point(at ...any) *Point {
	for _, p := range t.Points {
		if slices.Equal(p.At, at) {
			return p
		}
	}
	return nil
}

// By returns how many times a figure is that of another point, with the interval of this ratio, and whether there is one that is a number:
// see measure.Ratio. That of a point by itself is 1.
func (p *Point) By(figure string, other *Point) (measure.Figure, bool) {
	if p == nil || other == nil {
		return measure.Figure{}, false
	}
	f := measure.Ratio(p.Samples[figure], other.Samples[figure])
	if f.N > 0 && p == other {
		f.Median, f.Low, f.High = 1, 1, 1
	}
	return f, !math.IsNaN(f.Median) && !math.IsInf(f.High, 0)
}

// Median returns the median of a figure, and whether there is one. A nil Point has none.
func (p *Point) Median(figure string) (float64, bool) {
	if p == nil {
		return 0, false
	}
	f, ok := p.Figures[figure]
	return f.Median, ok
}
