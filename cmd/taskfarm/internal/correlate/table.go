package correlate

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"text/tabwriter"
)

// WriteTSV writes the matrix as tab-separated values, with a line and a column of names. A correlation that is not defined is NaN.
func (j *Job) WriteTSV(w io.Writer) error {
	b := bufio.NewWriter(w)
	for _, name := range j.table.Names {
		b.WriteString("\t" + name)
	}
	n := j.Variables()
	for row, name := range j.table.Names {
		b.WriteString("\n" + name)
		for _, r := range j.matrix[row*n : (row+1)*n] {
			b.WriteString("\t" + strconv.FormatFloat(r, 'g', -1, 64))
		}
	}
	b.WriteString("\n")
	return b.Flush()
}

// WriteTable writes the strongest correlations of different variables for people.
func (j *Job) WriteTable(w io.Writer, top int) error {
	type pair struct {
		a, b int
		r    float64
	}
	var pairs []pair
	n := j.Variables()
	for a := range n {
		for b := a + 1; b < n; b++ {
			if r := j.matrix[a*n+b]; !math.IsNaN(r) {
				pairs = append(pairs, pair{a, b, r})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(math.Abs(b.r), math.Abs(a.r)) })
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "CORRELATION\tOF\tAND\n")
	for _, p := range pairs[:min(top, len(pairs))] {
		fmt.Fprintf(t, "%+.3f\t%s\t%s\n", p.r, j.table.Names[p.a], j.table.Names[p.b])
	}
	return t.Flush()
}
