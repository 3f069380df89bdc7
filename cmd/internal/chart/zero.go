package chart

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
)

// A logarithmic axis has no zero, but measurements have: a message without bytes, a wait that took no time. They stand left of, or below, all
// others, at a place that is labelled 0, and no line leads there.

// place is where an axis shows a value: zero, unless it is NaN, stands for 0 on a logarithmic axis.
type place struct {
	log         bool
	zero, least float64 // positive value
}

// placeOf finds the place of zero on an axis with these values.
func placeOf(log bool, values []float64) place {
	least, most := math.Inf(1), 0.0
	for _, v := range values {
		if v > 0 && !math.IsInf(v, 0) {
			least, most = min(least, v), max(most, v)
		}
	}
	p := place{log: log, zero: math.NaN()}
	if !log || !slices.Contains(values, 0) {
		return p
	}
	if most == 0 { // there are only zeros
		least, most = 1, 1
	}
	const narrow, part = 4, 0.15 // of the axis
	p.zero, p.least = least/max(narrow, math.Pow(most/least, part)), least
	return p
}

// of is where a value is shown, NaN if it cannot be.
func (p place) of(v float64) float64 {
	switch {
	case math.IsInf(v, 0), p.log && v < 0:
		return math.NaN()
	case p.log && v == 0:
		return p.zero
	}
	return v
}

// ticks are those of an axis, with that of zero.
func (p place) ticks(of plot.Ticker) plot.Ticker {
	if math.IsNaN(p.zero) {
		return of
	}
	return zeroTicks{of, p}
}

type zeroTicks struct {
	plot.Ticker
	place place
}

// Ticks implements plot.Ticker.
func (t zeroTicks) Ticks(_, high float64) []plot.Tick {
	return append(t.Ticker.Ticks(t.place.least, high), plot.Tick{Value: t.place.zero, Label: "0"})
}

// places are those of both axes. Bars have no X axis.
func (c *Chart) places() (x, y place) {
	var xs, ys []float64
	for _, m := range c.Marks {
		xs, ys = append(xs, m.X), append(ys, m.Figure.Median)
	}
	return placeOf(c.LogX && !c.Bars, xs), placeOf(c.LogY, ys)
}
