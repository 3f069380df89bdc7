package bench

import "github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/report"

// single is a figure that follows from others, without a range.
func single(value float64) report.Figure {
	return report.Figure{Median: value, Low: value, High: value, Rounds: 1}
}

// scaled multiplies a figure.
func scaled(f report.Figure, by float64) report.Figure {
	f.Median, f.Low, f.High = f.Median*by, f.Low*by, f.High*by
	return f
}

// least returns, of a figure at all points with the same first value, that with the least
// median.
func least(t *report.Table, figure string, first any) (report.Figure, bool) {
	var best report.Figure
	found := false
	for _, p := range t.Points {
		f, ok := p.Figures[figure]
		if ok && p.At[0] == first && (!found || f.Median < best.Median) {
			best, found = f, true
		}
	}
	return best, found
}
