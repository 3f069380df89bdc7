// Package stat sums up what was measured.
package stat

import (
	"cmp"
	"slices"
)

// Median returns the middle of the values, the mean of the two in the middle if their
// number is even. There must be one at least.
func Median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Percentile returns the least value that p percent of the values, which must be
// sorted, are not greater than (the nearest-rank method). There must be one at least,
// and p be from 0 to 100.
func Percentile[T cmp.Ordered](sorted []T, p int) T {
	rank := (len(sorted)*p + 99) / 100 // rounded up
	return sorted[max(rank, 1)-1]
}
