package search

import (
	"bufio"
	"fmt"
	"io"
	"text/tabwriter"
)

// WriteTSV writes the hits of all queries, in the order of the queries and
// then by score, as tab-separated values with a line of column names. Among
// hits of the same score the target that is first in the database comes first.
func (j *Job) WriteTSV(w io.Writer) error {
	b := bufio.NewWriter(w)
	b.WriteString("query\tscore\ttarget\tquery_end\ttarget_end\n")
	for q, hits := range j.best {
		for _, h := range hits {
			fmt.Fprintf(b, "%s\t%d\t%s\t%d\t%d\n", j.queries.IDs[q], h.Score, j.database.IDs[h.Target], h.QueryEnd, h.TargetEnd)
		}
	}
	return b.Flush()
}

// WriteTable writes the same for people, and names each query once.
func (j *Job) WriteTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "QUERY\tSCORE\tTARGET\tQUERY END\tTARGET END\n")
	for q, hits := range j.best {
		id := j.queries.IDs[q]
		if len(hits) == 0 {
			fmt.Fprintf(t, "%s\t-\tno target is alike\n", id)
		}
		for _, h := range hits {
			fmt.Fprintf(t, "%s\t%d\t%s\t%d\t%d\n", id, h.Score, j.database.IDs[h.Target], h.QueryEnd, h.TargetEnd)
			id = ""
		}
	}
	return t.Flush()
}
