package bench

import "github.com/sctpmpi/sctpmpi/cmd/internal/report"

// scaled multiplies a figure.
func scaled(f report.Figure, by float64) report.Figure {
	f.Median, f.Low, f.High = f.Median*by, f.Low*by, f.High*by
	return f
}

// least returns the figure with the least median among all points whose first value is the same.
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
