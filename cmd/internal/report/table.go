package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// WriteTable writes a report for people: medians, with the least and the greatest value
// where a figure has several.
func (r *Report) WriteTable(w io.Writer) error {
	if r.Interrupted != nil {
		if _, err := fmt.Fprintf(w, "%v\n\n", r.Interrupted); err != nil {
			return err
		}
	}
	for _, table := range r.Tables {
		if err := table.write(w); err != nil {
			return err
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(r.Errors)) {
		fmt.Fprintf(&b, "%s: not measured: %s\n\n", name, r.Errors[name])
	}
	fmt.Fprintf(&b, "medians of %d rounds (%s)%s; %v\n", r.Rounds, r.between(), r.each(), r.Machine)
	if r.Others >= Busy {
		fmt.Fprintf(&b, "THE HOST WAS BUSY: other programs used %.1f of its %d processors meanwhile: alone, figures are better, and differ less\n", r.Others, r.Machine.CPUs)
	}
	if r.Interrupted != nil {
		fmt.Fprintf(&b, "%v\n", r.Interrupted)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// between says what low and high of a figure are.
func (r *Report) between() string {
	if r.Confidence > 0 {
		return fmt.Sprintf("confidence interval of %.0f%%", 100*r.Confidence)
	}
	return "least–greatest"
}

// each says how long a measurement took, if that was given.
func (r *Report) each() string {
	if r.DurationNS == 0 {
		return ""
	}
	return fmt.Sprintf(", %v each", time.Duration(r.DurationNS))
}

// write writes a table: a line for each point, or, where figures are to stand side by side, a block for each figure.
func (t *Table) write(w io.Writer) error {
	if len(t.Points) == 0 {
		return nil
	}
	columns := slices.DeleteFunc(slices.Clone(t.Columns), func(c Column) bool { return !t.has(c.Figure) })
	if heads := t.heads(); len(heads) > 1 || len(heads) == 1 && len(t.Across) == len(t.Dims) {
		return t.writeAcross(w, heads, columns)
	}
	lines := [][]string{slices.Clone(t.Dims)}
	for _, c := range columns {
		lines[0] = append(lines[0], c.Title)
	}
	for _, p := range t.Points {
		var line []string
		for _, value := range p.At {
			line = append(line, fmt.Sprint(value))
		}
		for _, c := range columns {
			line = append(line, p.cell(c))
		}
		lines = append(lines, line)
	}
	return writeGrid(w, lines)
}

// writeGrid writes cells in columns, and an empty line.
func writeGrid(w io.Writer, lines [][]string) error {
	if err := Grid(w, tabwriter.AlignRight, lines); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

// Grid writes lines of cells in columns as wide as they need, with flags of package text/tabwriter: 0 aligns left.
func Grid(w io.Writer, flags uint, lines [][]string) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', flags)
	end := "\n"
	if flags&tabwriter.AlignRight != 0 {
		end = "\t\n" // or the last cell would not be in a column
	}
	for _, line := range lines {
		fmt.Fprint(tw, strings.Join(line, "\t"), end)
	}
	return tw.Flush()
}

// has reports whether any point has a figure.
func (t *Table) has(figure string) bool {
	return slices.ContainsFunc(t.Points, func(p *Point) bool {
		_, ok := p.Figures[figure]
		return ok
	})
}

// cell is the text of a figure in a table.
func (p *Point) cell(c Column) string {
	f, ok := p.Figures[c.Figure]
	if !ok {
		return "-"
	}
	text := fmt.Sprintf(c.Format, f.Median)
	if f.N > 1 {
		text += fmt.Sprintf(" ("+c.Format+"–"+c.Format+")", f.Low, f.High)
	}
	return text
}
