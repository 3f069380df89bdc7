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

	"github.com/sctpmpi/sctpmpi/cmd/taskfarm/internal/farm"
	"github.com/sctpmpi/sctpmpi/mpi"
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
	collected func() // optional
	options   Options
	results   []result // by the number of the task
}

// result is what is kept of one.
type result struct {
	checksum uint32
	received bool
}

// New returns the job that options describe.
func New(o Options) *Job { return &Job{options: o} }

// Run does the job with all ranks, and calls collected, if not nil, at rank 0 after each
// task. Collective.
func (j *Job) Run(ctx context.Context, c *mpi.Comm, fanout int, collected func()) error {
	j.collected = collected
	return farm.Run(ctx, c, j, farm.Options{
		Fanout: fanout, MaxTask: int(j.options.TaskSize), MaxResult: int(j.options.ResultSize),
	})
}

// Checksum is that of all results, in the order of their numbers.
func (j *Job) Checksum() [sha256.Size]byte {
	var all []byte
	for _, r := range j.results {
		all = binary.LittleEndian.AppendUint32(all, r.checksum)
	}
	return sha256.Sum256(all)
}

// Tasks is the number of tasks.
func (j *Job) Tasks() int { return int(j.options.Tasks) }

// AppendTask appends the i-th task.
func (j *Job) AppendTask(task []byte, i int) []byte {
	return appendPattern(task, taskSeed, int64(i), j.options.TaskSize)
}

// Do checks a task, computes for its time, and appends its result.
func (j *Job) Do(ctx context.Context, task, result []byte) ([]byte, error) {
	number, err := checkPattern(task, taskSeed, j.options.TaskSize)
	if err != nil {
		return nil, fmt.Errorf("task %w", err)
	}
	if err := compute(ctx, j.options.Compute); err != nil {
		return nil, err
	}
	return appendPattern(result, resultSeed, number, j.options.ResultSize), nil
}

// Collect checks a result.
func (j *Job) Collect(data []byte) error {
	number, err := checkPattern(data, resultSeed, j.options.ResultSize)
	if err != nil {
		return fmt.Errorf("result %w", err)
	}
	if j.results == nil {
		j.results = make([]result, j.options.Tasks)
	}
	switch {
	case number < 0 || number >= j.options.Tasks:
		return fmt.Errorf("result of task %d, which there is not", number)
	case j.results[number].received:
		return fmt.Errorf("result of task %d came twice", number)
	}
	j.results[number] = result{crc32.Checksum(data, castagnoli), true}
	if j.collected != nil {
		j.collected()
	}
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
