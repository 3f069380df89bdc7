package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// writeAcross writes a block of lines for each figure. The values of the dimensions in Across are
// the columns. A table without other dimensions is a single block, with a line for each figure.
func (t *Table) writeAcross(w io.Writer, columns []Column) error {
	if len(t.Across) == len(t.Dims) {
		return t.writeFigures(w, columns)
	}
	for _, c := range columns {
		if err := t.writeBlock(w, c); err != nil {
			return err
		}
	}
	return nil
}

// writeFigures writes a line for each figure.
func (t *Table) writeFigures(w io.Writer, columns []Column) error {
	tw := newTabs(w)
	heads := t.heads()
	fmt.Fprintf(tw, "\t%s\t\n", strings.Join(heads, "\t"))
	for _, c := range columns {
		fmt.Fprintf(tw, "%s\t%s\t\n", c.Title, strings.Join(t.cells(c, heads, ""), "\t"))
	}
	fmt.Fprintln(tw)
	return tw.Flush()
}

// writeBlock writes one figure, a line for each combination of the other dimensions.
func (t *Table) writeBlock(w io.Writer, c Column) error {
	if _, err := fmt.Fprintf(w, "%s\n", c.Title); err != nil {
		return err
	}
	tw := newTabs(w)
	heads := t.heads()
	var dims, lines []string
	for _, dim := range t.Dims {
		if !slices.Contains(t.Across, dim) {
			dims = append(dims, dim)
		}
	}
	fmt.Fprintf(tw, "%s\t%s\t\n", strings.Join(dims, "\t"), strings.Join(heads, "\t"))
	for _, p := range t.Points {
		if _, line := t.place(p); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	for _, line := range lines {
		fmt.Fprintf(tw, "%s\t%s\t\n", line, strings.Join(t.cells(c, heads, line), "\t"))
	}
	fmt.Fprintln(tw)
	return tw.Flush()
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
