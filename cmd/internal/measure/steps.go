package measure

import "time"

// MaxSteps bounds the steps of one measurement.
const MaxSteps = 1 << 24

// WarmUp runs more and more steps, until it is known how many take about a duration, and returns that number. run returns how long n
// steps have taken.
func WarmUp(duration time.Duration, run func(n int) (time.Duration, error)) (int, error) {
	for n := 1; ; {
		elapsed, err := run(n)
		if err != nil || elapsed >= duration/2 || n == MaxSteps {
			return Steps(n, elapsed, duration), err
		}
		n = min(max(Steps(n, elapsed, duration*2/3), 2*n), 64*n, MaxSteps)
	}
}

// Steps returns how many steps take a duration if n of them have taken elapsed: at least one, at most MaxSteps.
func Steps(n int, elapsed, duration time.Duration) int {
	steps := float64(n) * duration.Seconds() / max(elapsed, 1).Seconds()
	return int(min(max(steps, 1), MaxSteps))
}
