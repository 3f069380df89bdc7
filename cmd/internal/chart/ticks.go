package chart

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
)

// fewestLabels is how many ticks of an axis have a label at least.
const fewestLabels = 3

// linearTicks has four to ten labels at whole multiples of 1, 2 or 5 times a power of ten.
type linearTicks struct{}

// Ticks implements plot.Ticker.
func (linearTicks) Ticks(low, high float64) (ticks []plot.Tick) {
	step := math.Pow(10, math.Floor(math.Log10(high-low)))
	for _, part := range []float64{1, 0.5, 0.2, 0.1} {
		if (high-low)/(step*part) >= 4 {
			step *= part
			break
		}
	}
	for i := math.Ceil(low/step) + 0; i*step <= high; i++ { // the sum of -0 and 0 is 0
		// Rounded, as 3 * 0.1 is not 0.3.
		value, err := strconv.ParseFloat(strconv.FormatFloat(i*step, 'g', 10, 64), 64)
		if err == nil {
			ticks = append(ticks, plot.Tick{Value: value, Label: strconv.FormatFloat(value, 'f', -1, 64)})
		}
	}
	return ticks
}

// logTicks has labels at powers of ten; where these are few at their doubles and fivefolds, then at all multiples; and on an
// axis too short for that what linearTicks has.
type logTicks struct{}

// Ticks implements plot.Ticker.
func (logTicks) Ticks(low, high float64) []plot.Tick {
	for _, labelled := range []func(digit int) bool{
		func(digit int) bool { return digit == 1 },
		func(digit int) bool { return digit == 1 || digit == 2 || digit == 5 },
		func(int) bool { return true },
	} {
		if ticks, labels := decades(low, high, labelled); labels >= fewestLabels {
			return ticks
		}
	}
	return linearTicks{}.Ticks(low, high)
}

// decades are the multiples of powers of ten.
func decades(low, high float64, labelled func(digit int) bool) (ticks []plot.Tick, labels int) {
	first, last := int(math.Floor(math.Log10(low))), int(math.Ceil(math.Log10(high)))
	for exponent := first; exponent <= last; exponent++ {
		for digit := 1; digit < 10; digit++ {
			value, err := strconv.ParseFloat(strconv.Itoa(digit)+"e"+strconv.Itoa(exponent), 64)
			if err != nil || value < low || value > high {
				continue
			}
			tick := plot.Tick{Value: value}
			if labelled(digit) {
				tick.Label = strconv.FormatFloat(value, 'f', -1, 64)
				labels++
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks, labels
}

// binaryTicks has labels at powers of two, of which it leaves out every second, or more, where they are many.
type binaryTicks struct{}

// mostLabels is how many powers of two have room on an axis.
const mostLabels = 11

// Ticks implements plot.Ticker.
func (binaryTicks) Ticks(low, high float64) (ticks []plot.Tick) {
	first, last := int(math.Ceil(math.Log2(low))), int(math.Floor(math.Log2(high)))
	every := (last-first)/mostLabels + 1
	for exponent := first; exponent <= last; exponent++ {
		tick := plot.Tick{Value: math.Ldexp(1, exponent)}
		if (exponent-first)%every == 0 {
			tick.Label = binary(exponent)
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

// binary writes a power of two, with the prefixes Ki, Mi and Gi from 8192 on.
func binary(exponent int) string {
	prefixes := []string{"", "Ki", "Mi", "Gi", "Ti", "Pi"}
	if exponent < 13 {
		return strconv.FormatFloat(math.Ldexp(1, exponent), 'g', -1, 64)
	}
	thousands := min(exponent/10, len(prefixes)-1)
	return strconv.FormatFloat(math.Ldexp(1, exponent-10*thousands), 'f', -1, 64) + prefixes[thousands]
}

// powersOfTwo reports whether all values of the X axis are powers of two.
func (c *Chart) powersOfTwo() bool {
	return !slices.ContainsFunc(c.Marks, func(m Mark) bool {
		fraction, _ := math.Frexp(m.X)
		return m.X > 0 && !math.IsInf(m.X, 0) && fraction != 0.5
	})
}
