// Package search finds the targets most similar to each of some queries: the
// best Smith-Waterman alignments of proteins, as a job for the farm.
package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/sctpmpi/sctpmpi/cmd/taskfarm/internal/align"
	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/farm"
)

// Bounds of Options.
const (
	MaxTop   = 1000
	MinBlock = 10_000
	MaxBlock = 1_000_000_000
)

// Options say what is searched for. All ranks have the same.
type Options struct {
	Gaps align.Gaps
	// Top is the number of hits for each query, from 1 to MaxTop.
	Top int32
	// Block is about how many cells of the dynamic programming matrix make a
	// task, from MinBlock to MaxBlock: the largest take seconds.
	Block int64
}

// Check returns an error that names what is out of its range.
func (o Options) Check() error {
	if o.Top < 1 || o.Top > MaxTop {
		return fmt.Errorf("top %d is not from 1 to %d", o.Top, MaxTop)
	}
	if o.Block < MinBlock || o.Block > MaxBlock {
		return fmt.Errorf("block %d is not from %d to %d cells", o.Block, MinBlock, MaxBlock)
	}
	return o.Gaps.Check()
}

// Hit is an alignment of a query with a target, both by their index.
type Hit struct {
	Query, Target int32
	align.Alignment
}

// Job is a search, as a job for the farm.
type Job struct {
	options           Options
	queries, database *Set
	// The targets, the longest first as align.Scores likes them best, and the
	// index of each in the database.
	targets [][]byte
	index   []int32
	tasks   []Task
	best    [][]Hit // of each query so far

	aligner *align.Aligner
	scores  []int32
	hits    []Hit
}

// NewJob returns the search for queries in a database.
func NewJob(queries, database *Set, o Options) *Job {
	j := &Job{
		options: o, queries: queries, database: database,
		best:    make([][]Hit, len(queries.Sequences)),
		aligner: align.New(o.Gaps), scores: make([]int32, len(database.Sequences)),
	}
	for i := range database.Sequences {
		j.index = append(j.index, int32(i))
	}
	slices.SortStableFunc(j.index, func(a, b int32) int {
		return cmp.Compare(len(database.Sequences[b]), len(database.Sequences[a]))
	})
	for _, i := range j.index {
		j.targets = append(j.targets, database.Sequences[i])
	}
	j.tasks = cut(queries.Sequences, j.targets, o.Block)
	return j
}

// Run does the job with all ranks. Collective.
func (j *Job) Run(ctx context.Context, c *mpi.Comm, o farm.Options) (farm.Report, error) {
	o.MaxTask, o.MaxResult = 1, int(j.options.Top)
	return farm.Run(ctx, c, farm.Job[Task, Hit]{
		Tasks:   len(j.tasks),
		Task:    func(buf []Task, i int) []Task { return append(buf, j.tasks[i]) },
		Do:      j.do,
		Collect: j.collect,
	}, o)
}

// Queries is the number of queries.
func (j *Job) Queries() int { return len(j.queries.Sequences) }

// Targets is the number of sequences in the database.
func (j *Job) Targets() int { return len(j.targets) }

// Cells is the size of the search in cells of the matrix.
func (j *Job) Cells() int64 {
	return int64(j.queries.Residues()) * int64(j.database.Residues())
}

// Tasks is the number of tasks.
func (j *Job) Tasks() int { return len(j.tasks) }

// do appends the best hits of a task.
func (j *Job) do(ctx context.Context, task []Task, result []Hit) ([]Hit, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	t := task[0]
	j.aligner.SetQuery(j.queries.Sequences[t.Query])
	targets, index := j.targets[t.First:t.Last], j.index[t.First:t.Last]
	j.aligner.Scores(targets, j.scores)
	j.hits = j.hits[:0]
	for i, target := range targets {
		hit := Hit{Query: t.Query, Target: index[i], Alignment: align.Alignment{Score: j.scores[i]}}
		if hit.Score == align.Limit {
			hit.Alignment = j.aligner.Align(target)
		}
		if hit.Score > 0 {
			j.hits = append(j.hits, hit)
		}
	}
	for _, hit := range j.top(j.hits) {
		if hit.TargetEnd == 0 { // only the score is known
			hit.Alignment = j.aligner.Align(j.database.Sequences[hit.Target])
		}
		result = append(result, hit)
	}
	return result, nil
}

// collect takes the hits of a task.
func (j *Job) collect(_ int, result []Hit) error {
	for _, hit := range result {
		j.best[hit.Query] = append(j.best[hit.Query], hit)
	}
	if len(result) > 0 {
		q := result[0].Query
		j.best[q] = j.top(j.best[q])
	}
	return nil
}

// top sorts hits and returns the best.
func (j *Job) top(hits []Hit) []Hit {
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Target, b.Target))
	})
	return hits[:min(len(hits), int(j.options.Top))]
}
