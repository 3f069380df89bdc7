package suite

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/machine"
	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
)

// run is the state of Plan.Run.
type run struct {
	plan      *Plan
	samples   map[*report.Point]map[string][]float64
	failed    map[string]error // by the names of jobs
	ownFailed bool             // a job failed that is not foreign
	steps     int              // that have been done
}

// Run measures and reports. A job that fails is left out of the following rounds, and the report
// says why. Run calls step after each job. If the context is done first, the report has what has been measured until then and
// is marked as Interrupted, and the error is the context's cause; it is nil if that is nothing.
func (p *Plan) Run(ctx context.Context, command string, s Settings, step func(*Job)) (*report.Report, error) {
	r := &run{plan: p, samples: make(map[*report.Point]map[string][]float64), failed: make(map[string]error)}
	others := machine.Others()
	begun, rounds, longest := time.Now(), 0, time.Duration(0)
	for round, jobs := range measure.Rounds(s.Rounds, rand.Uint64(), p.Jobs) {
		roundBegun := time.Now()
		if s.Limit > 0 && rounds > 0 && roundBegun.Sub(begun)+longest > s.Limit {
			break
		}
		for _, job := range jobs {
			if !r.job(ctx, job) {
				return r.interrupted(command, s, rounds, others()), context.Cause(ctx)
			}
			r.steps++
			step(&job)
		}
		rounds, longest = round, max(longest, time.Since(roundBegun))
	}
	out := r.report(command, s, rounds)
	out.Others = others()
	return out, nil
}

// interrupted is the report of a run that was ended in the round after so many.
func (r *run) interrupted(command string, s Settings, rounds int, others float64) *report.Report {
	if len(r.samples) == 0 {
		return nil
	}
	if r.steps > rounds*len(r.plan.Jobs) {
		rounds++
	}
	out := r.report(command, s, rounds)
	out.Others = others
	out.Interrupted = &report.Interruption{Done: r.steps, Planned: s.Rounds * len(r.plan.Jobs)}
	return out
}

// job runs a job. It reports false if the context is done, and the job with it.
func (r *run) job(ctx context.Context, j Job) bool {
	if r.failed[j.Name] != nil || ctx.Err() != nil {
		return ctx.Err() == nil
	}
	limited, cancel := context.WithTimeoutCause(ctx, j.Limit, fmt.Errorf("no result after %v", j.Limit))
	defer cancel()
	figures, err := j.Run(limited)
	if err != nil && ctx.Err() != nil {
		return false
	}
	if err != nil {
		r.failed[j.Name] = err
		r.ownFailed = r.ownFailed || !j.Foreign && !errors.Is(err, errors.ErrUnsupported)
		return true
	}
	for i, slot := range j.Slots {
		r.add(slot, figures[i])
	}
	return true
}

func (r *run) add(slot Slot, figures Figures) {
	samples := r.samples[slot.Point]
	if samples == nil {
		samples = make(map[string][]float64)
		r.samples[slot.Point] = samples
	}
	for name, value := range figures {
		if slot.Names != nil {
			known := false
			if name, known = slot.Names[name]; !known {
				continue
			}
		}
		samples[name] = append(samples[name], value)
	}
}

func (r *run) report(command string, s Settings, rounds int) *report.Report {
	out := &report.Report{
		Command: command, Tables: r.plan.Tables, Machine: machine.This(),
		Rounds: rounds, DurationNS: int64(s.Duration), Errors: make(map[string]string), Failed: r.ownFailed,
	}
	maps.Copy(out.Errors, r.plan.Missing)
	for name, err := range r.failed {
		out.Errors[name] = err.Error()
	}
	sum := measure.Range
	if r.plan.Confidence {
		sum = func(values ...float64) measure.Figure { return measure.Interval(values) }
		if measure.Suffice(rounds) {
			out.Confidence = measure.Enough
		}
	}
	for _, t := range out.Tables {
		for _, p := range t.Points {
			p.Figures, p.Samples = make(map[string]measure.Figure), r.samples[p]
			for name, values := range r.samples[p] {
				p.Figures[name] = sum(values...)
			}
			addCores(p)
		}
	}
	if r.plan.Derive != nil {
		r.plan.Derive(out)
	}
	for _, t := range out.Tables {
		t.Points = slices.DeleteFunc(t.Points, func(p *report.Point) bool { return len(p.Figures) == 0 })
	}
	return out
}

// addCores adds how many cores the ranks used on average.
func addCores(p *report.Point) {
	cpu, ok1 := p.Median("cpu_s")
	wall, ok2 := p.Median("wall_s")
	if ok1 && ok2 && wall > 0 {
		p.Figures["cores"] = measure.Range(cpu / wall)
	}
}
