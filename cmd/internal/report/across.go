package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// writeAcross writes a block of lines for each figure. The values of the dimensions in Across are
// the columns. A table without other dimensions is a single block, with a line for each figure.
func (t *Table) writeAcross(w io.Writer, heads []string, columns []Column) error {
	dims := slices.DeleteFunc(slices.Clone(t.Dims), func(dim string) bool { return slices.Contains(t.Across, dim) })
	var places []string
	for _, p := range t.Points {
		if _, place := t.place(p); !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	lines := [][]string{append([]string{strings.Join(dims, "\t")}, heads...)}
	for _, c := range columns {
		if len(dims) == 0 {
			lines = append(lines, append([]string{c.Title}, t.cells(c, heads, "")...))
			continue
		}
		if _, err := fmt.Fprintln(w, c.Title); err != nil {
			return err
		}
		for _, place := range places {
			lines = append(lines, append([]string{place}, t.cells(c, heads, place)...))
		}
		if err := writeGrid(w, lines); err != nil {
			return err
		}
		lines = lines[:1]
	}
	if len(dims) > 0 {
		return nil
	}
	return writeGrid(w, lines)
}

// cells returns the values of a figure in one line, one for each column.
func (t *Table) cells(c Column, heads []string, line string) []string {
	cells := slices.Repeat([]string{"-"}, len(heads))
	for _, p := range t.Points {
		if head, at := t.place(p); at == line {
			cells[slices.Index(heads, head)] = p.cell(c)
		}
	}
	return cells
}

// heads returns the heads of the columns: none if Across is empty.
func (t *Table) heads() []string {
	var heads []string
	for _, p := range t.Points {
		if head, _ := t.place(p); len(t.Across) > 0 && !slices.Contains(heads, head) {
			heads = append(heads, head)
		}
	}
	return heads
}

// place returns the column and the line of a point's figures.
func (t *Table) place(p *Point) (head, line string) {
	var heads, cells []string
	for i, dim := range t.Dims {
		if slices.Contains(t.Across, dim) {
			heads = append(heads, fmt.Sprint(p.At[i]))
		} else {
			cells = append(cells, fmt.Sprint(p.At[i]))
		}
	}
	return strings.Join(heads, " "), strings.Join(cells, "\t")
}
