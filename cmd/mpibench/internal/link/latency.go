package link

import "time"

// Latency bounces messages between two ends, which both call it, one of them as the
// initiator. It returns there how long each round trip took and all took together.
func Latency(l Link, initiator bool, size, count int) (trips []time.Duration, total time.Duration, err error) {
	if !initiator {
		for range 1 + count {
			if err := l.Receive(size, 1); err != nil {
				return nil, 0, err
			}
			if err := l.Send(size, 1); err != nil {
				return nil, 0, err
			}
		}
		return nil, 0, nil
	}
	if err := meet(l, size); err != nil {
		return nil, 0, err
	}
	trips = make([]time.Duration, count)
	start := time.Now()
	for i := range trips {
		if err := l.Send(size, 1); err != nil {
			return nil, 0, err
		}
		if err := l.Receive(size, 1); err != nil {
			return nil, 0, err
		}
		now := time.Since(start)
		trips[i], total = now-total, now
	}
	return trips, total, nil
}

// meet bounces one message, so that the clock starts when both ends are there.
func meet(l Link, size int) error {
	if err := l.Send(size, 1); err != nil {
		return err
	}
	return l.Receive(size, 1)
}
