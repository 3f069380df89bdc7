package campaign

import "time"

// Lateness measures, until stop is called, how late timers of this process fire at worst, in milliseconds: a machine whose
// processors others need delays jobs as well. What it returns is no part of a job's result but says what that is worth.
func Lateness() (stop func() float64) {
	const interval = 10 * time.Millisecond
	end, worst := make(chan struct{}), make(chan time.Duration)
	go func() {
		var most time.Duration
		timer := time.NewTimer(interval)
		defer timer.Stop()
		for due := time.Now().Add(interval); ; due = time.Now().Add(interval) {
			select {
			case <-timer.C:
				most = max(most, time.Since(due))
				timer.Reset(interval)
			case <-end:
				worst <- most
				return
			}
		}
	}()
	return func() float64 {
		close(end)
		return float64(<-worst) / 1e6
	}
}
