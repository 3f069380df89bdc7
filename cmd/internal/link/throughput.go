package link

import "time"

// replySize is the size in bytes of the message that ends a throughput measurement.
const replySize = 64

// Throughput sends count messages from the initiator to the other end, which answers when it has
// received all of them. Both ends call it. At the initiator it returns the time from the first
// message to the answer.
func Throughput(l Link, initiator bool, size, count int) (time.Duration, error) {
	if !initiator {
		if err := l.Receive(replySize, 1); err != nil {
			return 0, err
		}
		if err := l.Send(replySize, 1); err != nil {
			return 0, err
		}
		if err := l.Receive(size, count); err != nil {
			return 0, err
		}
		return 0, l.Send(replySize, 1)
	}
	if err := meet(l, replySize); err != nil {
		return 0, err
	}
	start := time.Now()
	if err := l.Send(size, count); err != nil {
		return 0, err
	}
	if err := l.Receive(replySize, 1); err != nil {
		return 0, err
	}
	return time.Since(start), nil
}
