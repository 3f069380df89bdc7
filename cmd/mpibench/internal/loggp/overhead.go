package loggp

import (
	"fmt"
	"slices"
)

const (
	// growth is by which part of the gap the computation grows.
	growth = 1.0 / 8
	// risen is from how many times the gap on a message takes longer because of the computation.
	risen = 1.1
	// enough is how many computations in a row must do so. That one message in between is late proves nothing.
	enough = 3
	// most is the longest computation, in gaps. One that is longer than the gap must show.
	most = 4
)

// Overhead finds what an end of a flood does for a message itself. timed returns the time for each message where that end
// computes for so long with each, in the unit of gap, which is the time without. The computation grows. As long as the end
// would have waited, it costs nothing; the longest that does not, subtracted from the gap, is the overhead. From there on
// the time is the sum of both, which says where that is more precisely than the steps of the growth.
func Overhead(gap float64, timed func(compute float64) (float64, error)) (float64, error) {
	var beyond []float64 // what is left of the time without the computation
	for compute := gap * growth; len(beyond) < enough; compute += gap * growth {
		if compute > most*gap {
			return 0, fmt.Errorf("computing %.3g times as long as a message takes makes it no longer", compute/gap)
		}
		time, err := timed(compute)
		if err != nil {
			return 0, err
		}
		if time < risen*gap {
			beyond = nil
			continue
		}
		beyond = append(beyond, time-compute)
	}
	slices.Sort(beyond)
	return min(beyond[enough/2], gap), nil
}
