package record

import (
	"encoding/csv"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"
)

// Columns are those that each line of CSV has, before the metrics: no metric may have such a name.
var Columns = []string{"experiment", "case", "conditions", "variant", "round", "status", "started", "seconds", "late", "error"}

// WriteCSV writes a line for each result, with a column for each metric that any has.
func WriteCSV(w io.Writer, results []Result) error {
	names := map[string]bool{}
	for _, r := range results {
		for name := range r.Metrics {
			names[name] = true
		}
	}
	metrics := slices.Sorted(maps.Keys(names))
	lines := [][]string{slices.Concat(Columns, metrics)}
	for _, r := range results {
		line := []string{
			r.Experiment, r.Case, r.Conditions, r.Variant, strconv.Itoa(r.Round), string(r.Status),
			r.Started.Format(time.RFC3339Nano), Number(r.Seconds), Number(r.Late), r.Error,
		}
		for _, name := range metrics {
			cell := ""
			if v, ok := r.Metrics[name]; ok {
				cell = Number(v)
			}
			line = append(line, cell)
		}
		lines = append(lines, line)
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// Number is a number in CSV, with all its digits.
func Number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// ReadCSV reads what says how jobs ended and what they have measured. Late is NaN where a line does not say it.
func ReadCSV(r io.Reader) (results []Result, err error) {
	lines, err := csv.NewReader(r).ReadAll()
	if err != nil || len(lines) == 0 {
		return nil, err
	}
	for _, line := range lines[1:] {
		r := Result{Metrics: map[string]float64{}, Late: math.NaN()}
		texts := map[string]*string{
			"experiment": &r.Experiment, "case": &r.Case, "variant": &r.Variant, "status": (*string)(&r.Status), "error": &r.Error,
		}
		for i, column := range lines[0] {
			number, err := strconv.ParseFloat(line[i], 64)
			switch text := texts[column]; {
			case text != nil:
				*text = line[i]
			case column == "round":
				r.Round = int(number)
			case column == "late" && err == nil:
				r.Late = number
			case err == nil && !slices.Contains(Columns, column):
				r.Metrics[column] = number
			}
		}
		results = append(results, r)
	}
	return results, nil
}
