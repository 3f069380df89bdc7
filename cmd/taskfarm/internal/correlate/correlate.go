// Package correlate is a job for the farm: the robust correlation matrix of a table, by biweight midcorrelation, in blocks. A task has the values of
// the variables of a block's rows and columns, so that workers need nothing besides.
package correlate

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/farm"
)

// MaxBlock is the greatest number of variables of a block.
const MaxBlock = 64

// Job is the correlation matrix of a table.
type Job struct {
	table  *Table
	block  int
	tasks  [][2]int  // the first row and column of each block, none below the diagonal
	matrix []float64 // row by row

	scratch []float64
}

// NewJob returns the job of a table, in blocks of so many variables. Ranks other than 0 need neither.
func NewJob(table *Table, block int) *Job {
	j := &Job{table: table, block: block}
	if table == nil {
		return j
	}
	n := j.Variables()
	j.matrix = make([]float64, n*n)
	for row := 0; row < n; row += block {
		for column := row; column < n; column += block {
			j.tasks = append(j.tasks, [2]int{row, column})
		}
	}
	return j
}

// Run does the job with all ranks. Collective.
func (j *Job) Run(ctx context.Context, c *mpi.Comm, o farm.Options) (farm.Report, error) {
	if j.table != nil {
		o.MaxTask, o.MaxResult = header+2*j.block*j.table.Samples, j.block*j.block
	}
	return farm.Run(ctx, c, farm.Job[float64, float64]{Tasks: len(j.tasks), Task: j.task, Do: j.do, Collect: j.collect}, o)
}

// Tasks is the number of tasks.
func (j *Job) Tasks() int { return len(j.tasks) }

// Variables is the number of variables.
func (j *Job) Variables() int { return len(j.table.Names) }

// Samples is the number of values of each.
func (j *Job) Samples() int { return j.table.Samples }

// A task begins with the number of values of a variable, that of rows, and that of columns, 0 if these are the same variables. The values of the
// rows follow, and those of the columns.
const header = 3

func (j *Job) task(buf []float64, i int) []float64 {
	row, column := j.tasks[i][0], j.tasks[i][1]
	rows, columns := j.from(row), j.from(column)
	if row == column {
		columns = nil
	}
	samples := j.table.Samples
	buf = append(buf, float64(samples), float64(len(rows)/samples), float64(len(columns)/samples))
	return append(append(buf, rows...), columns...)
}

// from is the values of a block's variables.
func (j *Job) from(first int) []float64 {
	last := min(first+j.block, j.Variables())
	return j.table.Values[first*j.table.Samples : last*j.table.Samples]
}

// do appends the correlations of a block, row by row.
func (j *Job) do(ctx context.Context, task, result []float64) ([]float64, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	samples, rows, columns := int(task[0]), int(task[1]), int(task[2])
	values := task[header:]
	if len(values) != samples*(rows+columns) {
		return nil, fmt.Errorf("a block of %d and %d variables has %d values", rows, columns, len(values))
	}
	if len(j.scratch) != samples {
		j.scratch = make([]float64, samples)
	}
	for i := range rows + columns {
		weight(values[i*samples:(i+1)*samples], j.scratch)
	}
	right := values[rows*samples:]
	if columns == 0 {
		right, columns = values, rows
	}
	for i := range rows {
		for k := range columns {
			r := dot(values[i*samples:(i+1)*samples], right[k*samples:(k+1)*samples])
			result = append(result, max(-1, min(1, r))) // rounded, it can be beyond
		}
	}
	return result, nil
}

// collect takes a block, and what lies opposite.
func (j *Job) collect(i int, result []float64) error {
	n, row, column := j.Variables(), j.tasks[i][0], j.tasks[i][1]
	columns := min(j.block, n-column)
	if len(result) != min(j.block, n-row)*columns {
		return fmt.Errorf("the block of rows from %d and columns from %d has %d correlations", row, column, len(result))
	}
	for k, r := range result {
		a, b := row+k/columns, column+k%columns
		j.matrix[a*n+b], j.matrix[b*n+a] = r, r
	}
	return nil
}

// Key names the matrix: all that it depends on, and how it is cut into blocks.
func (j *Job) Key() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %d", j.table.Names, j.table.Samples)
	_ = binary.Write(h, binary.LittleEndian, j.table.Values) // to a hash
	return fmt.Sprintf("correlate %x block %d", h.Sum(nil)[:8], j.block)
}

// MarshalBinary is the matrix so far.
func (j *Job) MarshalBinary() ([]byte, error) {
	return binary.Append(nil, binary.LittleEndian, j.matrix)
}

// UnmarshalBinary is the inverse of MarshalBinary.
func (j *Job) UnmarshalBinary(b []byte) error {
	_, err := binary.Decode(b, binary.LittleEndian, j.matrix)
	return err
}
