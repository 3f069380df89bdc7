package record

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat/distuv"
)

// Summary sums up measurements of the same thing.
type Summary struct {
	N        int
	Median   float64 // NaN if there are none
	Low      float64 // ends of a confidence interval of the median
	High     float64
	Coverage float64 // its confidence, 0.95 or more where there are six values
}

// confidence is what intervals have where there are enough values.
const confidence = 0.95

// Summarize gives the median and a confidence interval whose ends are two of the values: the closest with the confidence of
// 95%, or the outermost, whose confidence is then less. It assumes nothing of how the values are distributed but that they
// are independent: each is below the true median with probability one half.
func Summarize(values []float64) Summary {
	n := len(values)
	if n == 0 {
		nan := math.NaN()
		return Summary{Median: nan, Low: nan, High: nan}
	}
	sorted := slices.Sorted(slices.Values(values))
	below := distuv.Binomial{N: float64(n), P: 0.5}
	coverage := func(k int) float64 { return max(0, 1-2*below.CDF(float64(k))) } // of the interval without k at each end
	k := 0
	for 2*(k+1) < n && coverage(k+1) >= confidence {
		k++
	}
	return Summary{
		N: n, Median: (sorted[(n-1)/2] + sorted[n/2]) / 2,
		Low: sorted[k], High: sorted[n-1-k], Coverage: coverage(k),
	}
}

// String returns the median and its interval, as a page has them.
func (s Summary) String() string {
	switch {
	case s.N == 0:
		return "–"
	case s.N == 1 || s.Low == s.High:
		return Digits(s.Median)
	}
	return fmt.Sprintf("%s (%s–%s)", Digits(s.Median), Digits(s.Low), Digits(s.High))
}

// Digits returns three significant digits of a number, and all of a whole one.
func Digits(v float64) string {
	if v == math.Trunc(v) || math.Abs(v) >= 1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', max(0, 2-int(math.Floor(math.Log10(math.Abs(v))))), 64)
}
