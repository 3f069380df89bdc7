// Package align aligns protein sequences locally (T. F. Smith and M. S.
// Waterman, 1981) with affine gaps (O. Gotoh, 1982) and BLOSUM62.
//
// Sequences are in the codes that Encode makes.
package align

import "fmt"

// MaxGap bounds the gap penalties.
const MaxGap = 1000

// Gaps are the penalties of gaps: one of n residues costs Open + n·Extend.
// That is how BLAST counts.
type Gaps struct {
	// Open is from 0 to MaxGap.
	Open int32
	// Extend is from 1 to MaxGap.
	Extend int32
}

// Check returns an error that names the penalty that is out of its range.
func (g Gaps) Check() error {
	if g.Open < 0 || g.Open > MaxGap {
		return fmt.Errorf("gap open penalty %d is not from 0 to %d", g.Open, MaxGap)
	}
	if g.Extend < 1 || g.Extend > MaxGap {
		return fmt.Errorf("gap extend penalty %d is not from 1 to %d", g.Extend, MaxGap)
	}
	return nil
}

// Alignment tells the best local alignment of a query and a target. Among
// several of the same score it is the one that ends first in the target, then
// the one that ends first in the query. The zero value means that no residues
// are alike.
type Alignment struct {
	Score int32
	// QueryEnd and TargetEnd count the residues up to the end of the
	// alignment: they are the position, from 1, of its last pair.
	QueryEnd, TargetEnd int32
}

// Aligner aligns a query with targets. It keeps its memory from one query to
// the next, so that an alignment allocates nothing. One goroutine may use it
// at a time.
type Aligner struct {
	gaps    Gaps
	query   []byte
	profile [len(Alphabet)][]int8 // profile[b][i] scores query[i] with b
	column  []cell
	lanes   []laneCell
}

// New returns an aligner without a query. It panics if gaps are out of range.
func New(gaps Gaps) *Aligner {
	if err := gaps.Check(); err != nil {
		panic(err)
	}
	return &Aligner{gaps: gaps}
}

// SetQuery sets the query, which the aligner keeps, for the alignments to come.
func (a *Aligner) SetQuery(query []byte) {
	a.query = query
	for b := range a.profile {
		row := a.profile[b][:0]
		for _, q := range query {
			row = append(row, blosum62[b][q])
		}
		a.profile[b] = row
	}
	a.column = resize(a.column, len(query))
	a.lanes = resize(a.lanes, len(query))
}

// resize returns s, or another slice if it is too short, with length n.
func resize[T any](s []T, n int) []T {
	if n > cap(s) {
		return make([]T, n)
	}
	return s[:n]
}
