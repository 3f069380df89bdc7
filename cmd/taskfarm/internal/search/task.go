package search

import (
	"cmp"
	"slices"
)

// Task is to compare a query with the targets First to Last-1 of a Job.
type Task struct{ Query, First, Last int32 }

// cut divides a search into tasks of about block cells of the dynamic
// programming matrix, but of one target at least. The largest come first, so
// that small ones are left to even out when the workers finish.
func cut(queries, targets [][]byte, block int64) []Task {
	before := make([]int64, len(targets)+1) // residues before a target
	for i, target := range targets {
		before[i+1] = before[i] + int64(len(target))
	}
	total := before[len(targets)]
	var tasks []Task
	for q, query := range queries {
		// Equal parts, rather than whole blocks and a rest.
		parts := (int64(len(query))*total + block - 1) / block
		parts = min(parts, int64(len(targets)))
		first := 0
		for part := range parts {
			last, _ := slices.BinarySearch(before, total*(part+1)/parts)
			if last > first {
				tasks = append(tasks, Task{int32(q), int32(first), int32(last)})
				first = last
			}
		}
	}
	cells := func(t Task) int64 { return int64(len(queries[t.Query])) * (before[t.Last] - before[t.First]) }
	slices.SortStableFunc(tasks, func(a, b Task) int { return cmp.Compare(cells(b), cells(a)) })
	return tasks
}
