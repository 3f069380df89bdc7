// Package doctor looks at what a host gives to the ranks of a job, and says what mends what it does not: mpirun doctor. It
// tries things out where it can, and reads the kernel's settings where it cannot.
package doctor

import (
	"fmt"
	"io"
)

// State is how well a job runs with what has been found.
type State int

const (
	Good   State = iota // as well as it can
	Differ              // well, but otherwise than on other hosts: with another transport, for instance
	Slow                // more slowly than it could
	Broken              // not at all
)

var stateNames = [...]string{Good: "good", Differ: "note", Slow: "SLOW", Broken: "FAILS"}

func (s State) String() string { return stateNames[s] }

// Finding is what one check has found.
type Finding struct {
	Subject string
	State   State
	Text    string
	// Remedy is a command, or what else to do; empty if nothing is to be mended.
	Remedy string
}

// check looks at one thing.
type check struct {
	subject string
	look    func() Finding
}

// Examine makes all checks that this operating system has, in an order that begins with what every job needs.
func Examine() []Finding {
	var all []Finding
	for _, c := range checks() {
		f := c.look()
		f.Subject = c.subject
		all = append(all, f)
	}
	return all
}

// Worst is the worst state of findings.
func Worst(findings []Finding) State {
	worst := Good
	for _, f := range findings {
		worst = max(worst, f.State)
	}
	return worst
}

// Write writes findings, a line for each and one for what mends it.
func Write(w io.Writer, findings []Finding) {
	for _, f := range findings {
		fmt.Fprintf(w, "%-5s  %-14s %s\n", f.State, f.Subject, f.Text)
		if f.Remedy != "" {
			fmt.Fprintf(w, "%5s  %14s mend it: %s\n", "", "", f.Remedy)
		}
	}
}

// Report writes findings of a host, and a last line with the outcome.
func Report(w io.Writer, findings []Finding) {
	Write(w, findings)
	fmt.Fprintln(w, [...]string{
		Good:   "Jobs run here as well as they can.",
		Differ: "Jobs run here.",
		Slow:   "Jobs run here, some of them more slowly than they could.",
		Broken: "Jobs do not run here until what FAILS is mended.",
	}[Worst(findings)])
}

func good(format string, args ...any) Finding {
	return Finding{State: Good, Text: fmt.Sprintf(format, args...)}
}

// bad is a finding with a remedy.
func bad(state State, remedy, format string, args ...any) Finding {
	return Finding{State: state, Text: fmt.Sprintf(format, args...), Remedy: remedy}
}
