package align

// cell is a cell of the dynamic programming matrix as the next column needs it.
type cell struct {
	h int32 // best score of an alignment that ends here
	e int32 // the same for the next column's cell, if a gap in the query ends it
}

// Align returns the best alignment with a target.
func (a *Aligner) Align(target []byte) Alignment {
	clear(a.column)
	var best Alignment
	for j, b := range target {
		top := nextColumn(a.column, a.profile[b], a.gaps.Open+a.gaps.Extend, a.gaps.Extend)
		if top > best.Score {
			best = Alignment{Score: top, QueryEnd: a.first(top), TargetEnd: int32(j) + 1}
		}
	}
	return best
}

// nextColumn steps from one column of the matrix to the next and returns the
// column's best score. A gap's first residue costs open, each other extend.
func nextColumn(column []cell, scores []int8, open, extend int32) (top int32) {
	scores = scores[:len(column)]
	var diagonal, f int32 // f is like cell.e, for gaps in the target
	for i := range column {
		c := &column[i]
		h := max(diagonal+int32(scores[i]), c.e, 0)
		diagonal = c.h
		full := max(h, f)
		c.h = full
		c.e = max(c.e-extend, full-open)
		// Where f is the best, a new gap is not better than its extension:
		// h will do, and f does not wait for the line above.
		f = max(f-extend, h-open)
		top = max(top, full)
	}
	return top
}

// first returns the first position in the query of a score in the column.
func (a *Aligner) first(score int32) int32 {
	for i := range a.column {
		if a.column[i].h == score {
			return int32(i) + 1
		}
	}
	return 0
}
