package lu

import "github.com/sctpmpi/sctpmpi/cmd/internal/npb/flow"

// surface is this rank's part of the integral of the pressure over six rectangles, which are the faces of a box near those of
// the cube: the sum over the squares between points, of the mean of their corners.
func surface(b *flow.Block) float64 {
	last := b.Points - 1
	low, high := [3]int{1, 1, 2}, [3]int{last - 1, last - 2, last - 1}
	sum := 0.
	for d := range 3 {
		e, f := (d+1)%3, (d+2)%3
		for _, place := range [2]int{low[d], high[d]} {
			var at [3]int
			at[d] = place
			for at[e] = low[e]; at[e] <= high[e]; at[e]++ {
				for at[f] = low[f]; at[f] <= high[f]; at[f]++ {
					sum += share(at[e], low[e], high[e]) * share(at[f], low[f], high[f]) * pressure(b, at)
				}
			}
		}
	}
	return sum / float64(last*last)
}

// share is how much of a line of squares belongs to a point: half of one at its ends.
func share(i, low, high int) float64 {
	if i == low || i == high {
		return 0.5
	}
	return 1
}

// pressure is that at a point of the grid, or 0 if another rank has it.
func pressure(b *flow.Block, at [3]int) float64 {
	for d, i := range at {
		if at[d] = i - b.First[d]; at[d] < 0 || at[d] >= b.Size[d] {
			return 0
		}
	}
	u := b.U[b.Index(at[0], at[1], at[2])]
	return flow.Pressure * (u[4] - (u[1]*u[1]+u[2]*u[2]+u[3]*u[3])/(2*u[0]))
}
