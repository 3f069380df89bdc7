package machine

import "time"

// Others begins to measure how many processors other programs use, on average. The function that it returns ends that: 0 where it is
// not known. Programs that this one has started are no others once it has waited for them.
func Others() (used func() float64) {
	begun := time.Now()
	all, known := usedByAll()
	own := usedHere()
	return func() float64 {
		later, still := usedByAll()
		if !known || !still {
			return 0
		}
		return average(later-all, usedHere()-own, time.Since(begun))
	}
}

// average is how many processors others have used in a time in which all have used so much, and this program.
func average(all, own, wall time.Duration) float64 {
	if wall <= 0 {
		return 0
	}
	return max(0, (all-own).Seconds()/wall.Seconds())
}
