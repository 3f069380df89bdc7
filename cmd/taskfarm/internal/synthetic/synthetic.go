// Package synthetic is a job for the farm that measures the farm itself: tasks
// and results of a given size, and a given time of computing in between. Both
// sides check every byte that they get.
package synthetic

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/farm"
)

// Bounds of Options.
const (
	MaxTasks   = 10_000_000
	MinSize    = 8 // bytes: the number of the task
	MaxSize    = 1 << 30
	MaxCompute = time.Hour
)

// Options say what the tasks are like. All ranks have the same.
type Options struct {
	Tasks      int64         // from 1 to MaxTasks
	TaskSize   int64         // bytes, from MinSize to MaxSize
	ResultSize int64         // the same
	Compute    time.Duration // from 0 to MaxCompute
}

// Check returns an error that names what is out of its range.
func (o Options) Check() error {
	switch {
	case o.Tasks < 1 || o.Tasks > MaxTasks:
		return fmt.Errorf("%d tasks are not from 1 to %d", o.Tasks, MaxTasks)
	case o.TaskSize < MinSize || o.TaskSize > MaxSize:
		return fmt.Errorf("a task size of %d bytes is not from %d to %d", o.TaskSize, MinSize, MaxSize)
	case o.ResultSize < MinSize || o.ResultSize > MaxSize:
		return fmt.Errorf("a result size of %d bytes is not from %d to %d", o.ResultSize, MinSize, MaxSize)
	case o.Compute < 0 || o.Compute > MaxCompute:
		return fmt.Errorf("a computing time of %v is not from 0 to %v", o.Compute, MaxCompute)
	}
	return nil
}

// Job is a job for the farm.
type Job struct {
	options   Options
	checksums []uint32 // of the results, by the number of the task
}

// New returns the job that options describe.
func New(o Options) *Job { return &Job{options: o} }

// Run does the job with all ranks. Collective.
func (j *Job) Run(ctx context.Context, c *mpi.Comm, o farm.Options) (farm.Report, error) {
	o.MaxTask, o.MaxResult = int(j.options.TaskSize), int(j.options.ResultSize)
	if c.Rank() == 0 {
		j.checksums = make([]uint32, j.options.Tasks)
	}
	return farm.Run(ctx, c, farm.Job[byte, byte]{Tasks: j.Tasks(), Task: j.task, Do: j.do, Collect: j.collect}, o)
}

// Checksum is that of all results, in the order of their numbers.
func (j *Job) Checksum() [sha256.Size]byte {
	all, _ := j.MarshalBinary()
	return sha256.Sum256(all)
}

// Key names the job.
func (j *Job) Key() string {
	o := j.options
	return fmt.Sprintf("synthetic of %d bytes and %v, results of %d bytes", o.TaskSize, o.Compute, o.ResultSize)
}

// MarshalBinary is the checksums of the results so far.
func (j *Job) MarshalBinary() ([]byte, error) {
	return binary.Append(nil, binary.LittleEndian, j.checksums)
}

// UnmarshalBinary is the inverse of MarshalBinary.
func (j *Job) UnmarshalBinary(b []byte) error {
	_, err := binary.Decode(b, binary.LittleEndian, j.checksums)
	return err
}

// Tasks is the number of tasks.
func (j *Job) Tasks() int { return int(j.options.Tasks) }

// task appends the i-th task.
func (j *Job) task(buf []byte, i int) []byte {
	return appendPattern(buf, taskSeed, int64(i), j.options.TaskSize)
}

// do checks a task, computes for its time, and appends its result.
func (j *Job) do(ctx context.Context, task, result []byte) ([]byte, error) {
	number, err := checkPattern(task, taskSeed, j.options.TaskSize)
	if err != nil {
		return nil, fmt.Errorf("task %w", err)
	}
	if err := compute(ctx, j.options.Compute); err != nil {
		return nil, err
	}
	return appendPattern(result, resultSeed, number, j.options.ResultSize), nil
}

// collect checks a result.
func (j *Job) collect(i int, data []byte) error {
	number, err := checkPattern(data, resultSeed, j.options.ResultSize)
	if err != nil {
		return fmt.Errorf("result %w", err)
	}
	if number != int64(i) {
		return fmt.Errorf("result of task %d in place of %d", number, i)
	}
	j.checksums[i] = crc32.Checksum(data, castagnoli)
	return nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// compute keeps a core busy until a time by the clock has passed: where ranks
// share a core, all of them get on as if each had its own.
func compute(ctx context.Context, d time.Duration) error {
	for start := time.Now(); time.Since(start) < d; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}
