package ranks

import "time"

// pace calls f n times at intervals, however long f takes as long as it keeps up.
func pace(every time.Duration, n int, f func(i uint64) error) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for i := range n {
		<-tick.C
		if err := f(uint64(i)); err != nil {
			return err
		}
	}
	return nil
}
