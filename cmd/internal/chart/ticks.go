package chart

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// logTicks has labels at powers of ten and, where these are fewer than three, at their doubles and fivefolds.
type logTicks struct{}

// Ticks implements plot.Ticker.
func (logTicks) Ticks(low, high float64) (ticks []plot.Tick) {
	first, last := int(math.Floor(math.Log10(low))), int(math.Ceil(math.Log10(high)))
	powers := int(math.Floor(math.Log10(high))) - int(math.Ceil(math.Log10(low))) + 1
	for exponent := first; exponent <= last; exponent++ {
		for digit := 1; digit < 10; digit++ {
			value, err := strconv.ParseFloat(strconv.Itoa(digit)+"e"+strconv.Itoa(exponent), 64)
			if err != nil || value < low || value > high {
				continue
			}
			tick := plot.Tick{Value: value}
			if digit == 1 || powers < 3 && (digit == 2 || digit == 5) {
				tick.Label = strconv.FormatFloat(value, 'g', -1, 64)
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks
}
