// Package suite runs a set of measurements in several rounds, each in a new random order, and
// reports medians.
package suite

import (
	"context"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
)

// Figures are results by name. The name has the unit.
type Figures = map[string]float64

// Plan is everything that one command measures.
type Plan struct {
	// Tables have all points, without figures.
	Tables []*report.Table
	Jobs   []Job
	// Confidence makes low and high of a figure those of a confidence interval of its median, if there are enough rounds,
	// instead of the least and the greatest value.
	Confidence bool
	// Derive adds figures that are computed from measured ones. It may be nil.
	Derive func(*report.Report)
	// Missing names what cannot be measured on this machine, and why.
	Missing map[string]string
}

// Job measures the figures of one point or of several.
type Job struct {
	// Name identifies the job in errors. A job that fails is not run again, nor are others
	// with its name.
	Name string
	// Foreign marks a job that measures other software. Its failure is reported, but does not
	// make the report fail.
	Foreign bool
	// Limit is the longest time that the job may take.
	Limit time.Duration
	// Beside is about how long the job takes for what it does beside its measurements.
	Beside time.Duration
	// Run returns the figures of each slot. An error that is errors.ErrUnsupported, as this machine
	// cannot do what is to be measured, does not make the report fail either.
	Run   func(context.Context) ([]Figures, error)
	Slots []Slot
}

// Slot is the place where figures of a job go.
type Slot struct {
	Point *report.Point
	// Names selects and renames figures: the keys are the names that the job uses, the values
	// those at the point. If it is nil, all figures go to the point as they are.
	Names map[string]string
}

// Expected estimates how long Run takes.
func (p *Plan) Expected(s Settings) time.Duration {
	round := p.round(s)
	all := time.Duration(s.Rounds) * round
	if s.Limit > 0 {
		all = min(all, max(s.Limit, round))
	}
	return all
}

// round estimates how long a round takes.
func (p *Plan) round(s Settings) (all time.Duration) {
	for i := range p.Jobs {
		all += p.Jobs[i].expected(s)
	}
	return all
}

// expected estimates how long a job takes. It allows for a warm-up of one and a half
// measurements, to be safe, and for half a second to start the job.
func (j *Job) expected(s Settings) time.Duration {
	const starting = 500 * time.Millisecond
	return starting + time.Duration(len(j.Slots))*Measurement(s.Duration) + j.Beside
}

// Measurement is about how long a measurement of this duration takes, with its warm-up.
func Measurement(duration time.Duration) time.Duration { return duration * 5 / 2 }
