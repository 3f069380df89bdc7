package cg

import (
	"math"
	"slices"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
)

// span is the numbers from first to before end.
type span struct{ first, end int }

func (s span) size() int { return s.end - s.first }

// has says whether i is in the span.
func (s span) has(i int) bool { return i >= s.first && i < s.end }

// matrix is a block of a sparse matrix, by rows: row i has values[starts[i]:starts[i+1]], in columns of
// the same indices. Rows and columns count from the block's first.
type matrix struct {
	starts  []int32
	columns []int32
	values  []float64
}

// element is one of a sparse vector.
type element struct {
	index int
	value float64
}

// vectors makes the sparse vectors x of which the matrix is the sum: x[i] has n elements at random, then
// 0.5 at i. The generator goes on after them.
func vectors(random *nas.Random, order, n int) [][]element {
	power := 1
	for power < order {
		power *= 2
	}
	all := make([]element, 0, order*(n+1))
	x := make([][]element, order)
	for i := range x {
		begin := len(all)
		for len(all)-begin < n {
			value, where := random.Next(), random.Next()
			index := int(float64(power) * where)
			if index < order && find(all[begin:], index) < 0 {
				all = append(all, element{index, value})
			}
		}
		if at := find(all[begin:], i); at >= 0 {
			all[begin+at].value = 0.5
		} else {
			all = append(all, element{i, 0.5})
		}
		x[i] = all[begin:len(all):len(all)]
	}
	return x
}

// find is the place of an index in a sparse vector, or -1.
func find(x []element, index int) int {
	return slices.IndexFunc(x, func(e element) bool { return e.index == index })
}

// assemble makes the block of the matrix with these rows and columns. The matrix is the sum of w[i]·x[i]·x[i]ᵀ and
// of (condition - shift)·I. Weights fall from 1 to condition, the reciprocal of the condition number.
func assemble(p problem, rows, columns span) matrix {
	random := nas.Random(seed)
	random.Next()
	block := make([][]element, rows.size())
	weight, ratio := 1., math.Pow(condition, 1/float64(p.order))
	for i, x := range vectors(&random, p.order, p.nonzero) {
		for _, row := range x {
			if !rows.has(row.index) {
				continue
			}
			to := &block[row.index-rows.first]
			for _, column := range x {
				if !columns.has(column.index) {
					continue
				}
				value := column.value * (weight * row.value)
				if row.index == i && column.index == i {
					value += condition - p.shift
				}
				*to = append(*to, element{column.index - columns.first, value})
			}
		}
		weight *= ratio
	}
	return compress(block)
}

// compress makes a matrix of rows whose elements are in any order. Those of one column are added.
func compress(rows [][]element) matrix {
	m := matrix{starts: make([]int32, 1, len(rows)+1)}
	for _, row := range rows {
		slices.SortStableFunc(row, func(a, b element) int { return a.index - b.index })
		for i, e := range row {
			if i > 0 && row[i-1].index == e.index {
				m.values[len(m.values)-1] += e.value
				continue
			}
			m.columns = append(m.columns, int32(e.index))
			m.values = append(m.values, e.value)
		}
		m.starts = append(m.starts, int32(len(m.values)))
	}
	return m
}

// multiply sets y to the product of the matrix and x. Two sums at a time hide how long an addition takes.
func (m matrix) multiply(y, x []float64) {
	begin := m.starts[0]
	for i, end := range m.starts[1:] {
		columns, values := m.columns[begin:end], m.values[begin:end]
		even, odd := 0., 0.
		for len(columns) >= 4 && len(values) >= 4 {
			even += values[0]*x[columns[0]] + values[2]*x[columns[2]]
			odd += values[1]*x[columns[1]] + values[3]*x[columns[3]]
			columns, values = columns[4:], values[4:]
		}
		for k := range min(len(columns), len(values)) {
			even += values[k] * x[columns[k]]
		}
		y[i] = even + odd
		begin = end
	}
}
