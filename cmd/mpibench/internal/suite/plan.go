// Package suite runs a set of measurements again and again, in a new order each time, and
// reports medians.
package suite

import (
	"context"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/report"
)

// Plan is all that one command measures.
type Plan struct {
	// Tables have all points, without figures.
	Tables []*report.Table
	Jobs   []Job
	// Derive, unless nil, adds what follows from the figures that were measured.
	Derive func(*report.Report)
	// Missing says what cannot be measured here, and why.
	Missing map[string]string
}

// Job is something that yields figures for one point or several.
type Job struct {
	// Name is what errors call it.
	Name string
	// Foreign: it measures other software, whose failure is reported but is not ours.
	Foreign bool
	// Limit is how long it may take.
	Limit time.Duration
	// Run returns figures for each slot.
	Run   func(context.Context) ([]rank.Figures, error)
	Slots []Slot
}

// Slot is where figures go.
type Slot struct {
	Point *report.Point
	// Names, unless nil, are the figures that count, and what they are called at the point.
	Names map[string]string
}

// Expected is about how long Run takes, by a guess: a measurement takes its duration and as
// much of warming up, and a job some time to start.
func (p *Plan) Expected(s Settings) time.Duration {
	const starting = 500 * time.Millisecond
	var round time.Duration
	for _, j := range p.Jobs {
		round += starting + time.Duration(len(j.Slots))*s.Duration*5/2
	}
	all := time.Duration(s.Rounds) * round
	if s.Limit > 0 {
		all = min(all, max(s.Limit, round))
	}
	return all
}

// Settings say how to measure.
type Settings struct {
	// Rounds is how many times all is measured.
	Rounds int
	// Duration is about how long one measurement takes, after as much of warming up.
	Duration time.Duration
	// Limit, unless 0, is how long it may take altogether: no round begins that, if it
	// were as long as the longest so far, would end later.
	Limit time.Duration
}
