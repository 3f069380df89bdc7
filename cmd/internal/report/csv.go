package report

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
)

// WriteJSON writes a report as one JSON object.
func (r *Report) WriteJSON(w io.Writer) error { return JSON(w, r) }

// JSON writes a value as one object, with a line for each of its parts.
func JSON(w io.Writer, value any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(value)
}

// WriteCSV writes all figures in long form, a row for each point and figure, with a column
// for each dimension of any table, and one more, which says so, if the command was interrupted.
func (r *Report) WriteCSV(w io.Writer) error {
	var dims []string
	for _, t := range r.Tables {
		for _, dim := range t.Dims {
			if !slices.Contains(dims, dim) {
				dims = append(dims, dim)
			}
		}
	}
	rows := [][]string{slices.Concat([]string{"table"}, dims, []string{"figure", "median", "low", "high", "rounds"})}
	for _, t := range r.Tables {
		for _, p := range t.Points {
			for _, figure := range slices.Sorted(maps.Keys(p.Figures)) {
				row := []string{t.Name}
				for _, dim := range dims {
					row = append(row, t.text(p, dim))
				}
				rows = append(rows, slices.Concat(row, []string{figure}, texts(p.Figures[figure])))
			}
		}
	}
	if r.Interrupted != nil {
		rows[0] = append(rows[0], "interrupted")
		for i := range rows[1:] {
			rows[1+i] = append(rows[1+i], fmt.Sprintf("%d of %d steps", r.Interrupted.Done, r.Interrupted.Planned))
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// text is the value of a point in a dimension, empty if the table lacks the dimension.
func (t *Table) text(p *Point, dim string) string {
	if i := slices.Index(t.Dims, dim); i >= 0 {
		return fmt.Sprint(p.At[i])
	}
	return ""
}

// texts are the four columns of a figure.
func texts(f measure.Figure) []string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	return []string{number(f.Median), number(f.Low), number(f.High), strconv.Itoa(f.N)}
}
