// Package measure is what all programs that measure have in common: they measure everything in several rounds, each in another order, and
// sum up what a thing has given in each of them.
package measure

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat/distuv"
)

// Figure sums up measurements of the same thing.
type Figure struct {
	Median     float64 `json:"median"` // NaN if there are none
	Low        float64 `json:"low"`    // between Low and High are all values, or, with Confidence, the median of as many as one likes
	High       float64 `json:"high"`
	Confidence float64 `json:"-"` // from 0 to 1
	N          int     `json:"rounds"`
}

// Enough is the confidence that intervals have where there are enough values.
const Enough = 0.95

// Suffice says whether so many values do for an Interval of that confidence.
func Suffice(n int) bool { return Interval(make([]float64, n)).Confidence >= Enough }

// Range gives the median of values with the least and the greatest of them. The median of an even number of values is the mean of the two
// in the middle.
func Range(values ...float64) Figure { return within(slices.Sorted(slices.Values(values)), 0) }

// Interval gives the median and a confidence interval whose ends are two of the values: the closest with the confidence of
// 95%, or the outermost, whose confidence is then less: it takes six values. It assumes nothing of how the values are distributed but that
// they are independent: each is below the true median with probability one half.
func Interval(values []float64) Figure {
	n := len(values)
	below := distuv.Binomial{N: float64(n), P: 0.5}
	confidence := func(k int) float64 { return max(0, 1-2*below.CDF(float64(k))) } // of the interval without k at each end
	k := 0
	for 2*(k+1) < n && confidence(k+1) >= Enough {
		k++
	}
	f := within(slices.Sorted(slices.Values(values)), k)
	if n > 0 {
		f.Confidence = confidence(k)
	}
	return f
}

// within gives the median of sorted values, and the range without k at each end.
func within(sorted []float64, k int) Figure {
	n := len(sorted)
	if n == 0 {
		nan := math.NaN()
		return Figure{Median: nan, Low: nan, High: nan}
	}
	return Figure{Median: (sorted[(n-1)/2] + sorted[n/2]) / 2, Low: sorted[k], High: sorted[n-1-k], N: n}
}

// Times multiplies a figure.
func (f Figure) Times(by float64) Figure {
	f.Median, f.Low, f.High = f.Median*by, f.Low*by, f.High*by
	return f
}

// String returns the median, and the interval where there is one of several values: "2.50 (2–3)".
func (f Figure) String() string {
	switch {
	case f.N == 0:
		return "–"
	case f.N == 1 || f.Low == f.High:
		return Digits(f.Median)
	}
	return fmt.Sprintf("%s (%s–%s)", Digits(f.Median), Digits(f.Low), Digits(f.High))
}

// Digits returns three significant digits of a number, and all of a whole one.
func Digits(v float64) string {
	if v == math.Trunc(v) || math.Abs(v) >= 1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', max(0, 2-int(math.Floor(math.Log10(math.Abs(v))))), 64)
}
