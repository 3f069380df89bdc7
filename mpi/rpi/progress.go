package rpi

import "fmt"

// Progress chooses which goroutine moves the messages of a process: the one that waits for them, or
// an event loop.
type Progress uint8

const (
	// Hybrid, the default: a goroutine that waits for an operation takes messages from
	// the network itself. When none has done so for a millisecond an event loop does.
	// Progress is strict and a wait costs no change of goroutine.
	Hybrid Progress = iota
	// Event: an event loop moves all messages and wakes the goroutines that wait. Progress is
	// strict. A program that computes in one goroutine and communicates in another delays nothing
	// (LA-MPI-ED).
	Event
	// Inline: messages move only inside MPI calls, as in LAM: the weak reading of MPI's progress
	// rule (MPI 4.1, section 2.9). Request.Done does not move anything.
	Inline
)

var progressNames = [...]string{Hybrid: "hybrid", Event: "event", Inline: "inline"}

// String returns the name that ParseProgress knows.
func (p Progress) String() string {
	if int(p) < len(progressNames) {
		return progressNames[p]
	}
	return fmt.Sprintf("Progress %d", uint8(p))
}

// ParseProgress returns the mode of that name: hybrid, event or inline.
func ParseProgress(name string) (Progress, error) {
	for p, n := range progressNames {
		if n == name {
			return Progress(p), nil
		}
	}
	return 0, fmt.Errorf("progress mode %q: it must be hybrid, event or inline", name)
}
