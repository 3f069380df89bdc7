package correlate

import (
	"math"
	"slices"
)

// weight makes of a variable's values, in place, the weighted deviations whose products sum up to its biweight midcorrelation with
// another (Wilcox, Introduction to Robust Estimation and Hypothesis Testing, 1997): the deviations from the median, each with
// the weight (1−u²)², where u is the deviation over nine times the median absolute deviation, and none beyond |u| = 1; all over their
// norm. If the median absolute deviation is 0 they are not numbers: then the correlation is not defined. scratch is of the same length.
func weight(values, scratch []float64) {
	middle := median(values, scratch)
	for i, v := range values {
		values[i] = v - middle
		scratch[i] = math.Abs(values[i])
	}
	slices.Sort(scratch)
	spread := 9 * sortedMedian(scratch)
	square := 0.0
	for i, d := range values {
		u := d / spread
		w := max(0, 1-float64(u*u))
		if math.IsNaN(u) || spread == 0 {
			w = math.NaN()
		}
		values[i] = d * float64(w*w)
		square += float64(values[i] * values[i])
	}
	norm := math.Sqrt(square)
	for i := range values {
		values[i] /= norm
	}
}

// dot is the sum of the products, the same on all machines: a product that is converted is rounded, and not fused with the sum.
func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return sum
}

// median is that of values, which stay as they are.
func median(values, scratch []float64) float64 {
	copy(scratch, values)
	slices.Sort(scratch)
	return sortedMedian(scratch)
}

func sortedMedian(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
