package process

import (
	"fmt"
	"os"
	"syscall"
)

// Outcome is how a process has ended.
type Outcome struct {
	// Lost: the system does not say.
	Lost bool
	// Signal is the number of the signal that has killed it, 0 if none has, and SignalName what the system calls that.
	Signal     int
	SignalName string
	// Core: it has left a core dump.
	Core bool
	// Status is its exit status, if it has exited.
	Status int
}

// MaxStatus is the greatest exit status: of a greater one the system takes the last eight bits, which may be those of success.
const MaxStatus = 255

// Valid reports whether a process can have ended so, and whether a shell has a status for it. An outcome of another host may say anything.
func (o Outcome) Valid() bool {
	return o.Status >= 0 && o.Status <= MaxStatus && o.Signal >= 0 && o.Signal <= MaxStatus/2
}

func outcomeOf(state *os.ProcessState) Outcome {
	if state == nil {
		return Outcome{Lost: true}
	}
	if wait, ok := state.Sys().(syscall.WaitStatus); ok && wait.Signaled() {
		return Outcome{Signal: int(wait.Signal()), SignalName: wait.Signal().String(), Core: wait.CoreDump()}
	}
	return Outcome{Status: state.ExitCode() & 0xff}
}

// String says it as the end of a sentence about the process.
func (o Outcome) String() string {
	switch {
	case o.Lost:
		return "is lost: the system does not say how it has ended"
	case o.Signal != 0 && o.Core:
		return fmt.Sprintf("was killed by signal %d (%s), core dumped", o.Signal, o.SignalName)
	case o.Signal != 0:
		return fmt.Sprintf("was killed by signal %d (%s)", o.Signal, o.SignalName)
	}
	return fmt.Sprintf("exited with status %d", o.Status)
}
