// Package waiting measures how long select, poll and epoll take over many connections of which one has something to read. Transports
// wait by epoll alone; this says what that saves.
package waiting

import "time"

// Calls are the names of the calls.
var Calls = []string{"select", "poll", "epoll"}

// Measure waits for a byte on one of some connections, over and over for a time, and returns the mean microseconds of a call. What select
// and poll have to be told of all connections is told anew for each call, as a program has to. The error is errors.ErrUnsupported where
// the system has no such calls.
func Measure(call string, connections int, duration time.Duration) (float64, error) {
	return measure(call, connections, duration)
}
