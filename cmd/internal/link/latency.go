package link

import "time"

// Latency sends messages to and fro between two ends. Both call it, one of them as the initiator.
// At the initiator it returns the time of each round trip and the time of all together.
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

// meet sends one message to and fro, so that the measurement begins when both ends are ready.
func meet(l Link, size int) error {
	if err := l.Send(size, 1); err != nil {
		return err
	}
	return l.Receive(size, 1)
}
