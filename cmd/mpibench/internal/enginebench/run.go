package enginebench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/machine"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/peer"
)

// Settings say how to measure.
type Settings struct {
	// Rounds is how many times all is measured. The results are medians.
	Rounds int `json:"rounds"`
	// Duration is about how long one measurement takes, after a warm-up of half
	// to all of that time.
	Duration time.Duration `json:"duration_ns"`
}

// run is a comparison under way.
type run struct {
	Settings
	contenders []Contender
	step       func()
	samples    map[string]samples
	idle       samples
	errors     map[string]string
}

// Run measures and reports. A contender that fails is left out from then on, and the
// report says why; the error is that of the context if it is done early. Step is called
// Steps times if nothing fails.
func Run(ctx context.Context, contenders []Contender, s Settings, step func()) (*Report, error) {
	r := &run{
		Settings: s, contenders: contenders, step: step,
		samples: make(map[string]samples), idle: make(samples), errors: make(map[string]string),
	}
	for round := range s.Rounds {
		for i := range contenders { // each comes first in its turn
			r.try(ctx, contenders[(i+round)%len(contenders)])
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return r.report(), nil
}

// Steps returns how many steps a Run has.
func Steps(contenders []Contender, s Settings) int {
	steps := 0
	for _, c := range contenders {
		for _, v := range c.variants() {
			steps += len(v.measurements)
		}
		if c.Name == Engine {
			steps += idleSteps
		}
	}
	return steps * s.Rounds
}

// try measures one round of a contender that has not failed yet.
func (r *run) try(ctx context.Context, c Contender) {
	if r.errors[c.Name] == "" {
		if err := r.round(ctx, c); err != nil {
			r.errors[c.Name] = err.Error()
		}
	}
	if c.Name == Engine && r.errors[c.Name] == "" && r.errors[idleName] == "" {
		if err := r.idleRound(ctx, c); err != nil {
			r.errors[idleName] = err.Error()
		}
	}
}

func (r *run) round(ctx context.Context, c Contender) error {
	if r.samples[c.Name] == nil {
		r.samples[c.Name] = make(samples)
	}
	for _, v := range c.variants() {
		if err := r.variant(ctx, c, v); err != nil {
			return err
		}
	}
	return nil
}

// variant measures one variant over a link of its own.
func (r *run) variant(ctx context.Context, c Contender, v variant) error {
	pair, err := r.open(ctx, c, v)
	if err != nil {
		return err
	}
	defer pair.Close()
	for _, m := range v.measurements {
		f, err := measure(ctx, pair, m, r.Duration)
		if err != nil {
			return err
		}
		r.samples[c.Name].add(f)
		r.step()
	}
	return nil
}

var errNoLink = errors.New("the peers could not be linked in time")

func (r *run) open(ctx context.Context, c Contender, v variant) (*peer.Pair, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, stepLimit(r.Duration), errNoLink)
	defer cancel()
	return peer.Open(ctx, c.Command, c.Name, v.options)
}

func (r *run) report() *Report {
	report := &Report{Machine: machine.This(), Options: r.Settings, Errors: r.errors, Idle: r.idleReport()}
	for _, c := range r.contenders {
		*report.of(c.Name) = r.samples[c.Name].medians()
	}
	report.compare()
	return report
}

// Check reports what is wrong with settings.
func (s Settings) Check() error {
	switch {
	case s.Rounds < 1 || s.Rounds > 1000:
		return fmt.Errorf("%d rounds: it must be 1 to 1000", s.Rounds)
	case s.Duration < time.Millisecond || s.Duration > time.Minute:
		return fmt.Errorf("a duration of %v: it must be 1ms to 1m", s.Duration)
	}
	return nil
}

// Select returns the contenders that are named, in the order in which they are shown.
func Select(names []string) ([]string, error) {
	for _, name := range names {
		if !slices.Contains(Names, name) {
			return nil, fmt.Errorf("%q is none of %q", name, Names)
		}
	}
	return slices.DeleteFunc(slices.Clone(Names), func(name string) bool { return !slices.Contains(names, name) }), nil
}
