package record

import "math"

// Cell is what has come of the jobs of a case with a variant.
type Cell struct {
	Experiment, Case, Variant string

	Done      int // jobs whose measurements count
	Disturbed int
	Failures  []Result
	Values    map[string][]float64 // of those that count, by metric
	Late      []float64            // by how much timers were late in them at worst, ms
}

// Cells sums up results, in the order of the cells' first. Of a job that was run again the last result counts.
func Cells(results []Result) (cells []*Cell) {
	last := map[Key]int{}
	for i, r := range results {
		last[r.Key] = i
	}
	known := map[Key]*Cell{}
	for i, r := range results {
		if last[r.Key] != i {
			continue
		}
		key := r.Key
		key.Round = 0
		c := known[key]
		if c == nil {
			c = &Cell{Experiment: r.Experiment, Case: r.Case, Variant: r.Variant, Values: map[string][]float64{}}
			known[key], cells = c, append(cells, c)
		}
		c.add(r)
	}
	return cells
}

// add counts a job.
func (c *Cell) add(r Result) {
	switch r.Status {
	case Failed, TimedOut:
		c.Failures = append(c.Failures, r)
	case Disturbed:
		c.Disturbed++
	default:
		c.Done++
		if !math.IsNaN(r.Late) {
			c.Late = append(c.Late, r.Late)
		}
		for name, v := range r.Metrics {
			c.Values[name] = append(c.Values[name], v)
		}
	}
}
