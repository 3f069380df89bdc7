package main

import (
	"cmp"
	"fmt"
	"strings"
)

// verdict says what is wrong with the outcome of a test, "" if nothing is. The rules are those of the suite's own script:
// a program prints "No Errors" and nothing else, unless its line names another rule.
func (t test) verdict(o outcome) string {
	// A job is a success of mpirun's if the ranks that live succeed, and some programs have another status on purpose: it does not matter.
	failsOnPurpose := t.judge == "TestStatus" || t.judge == "TestErrFatal" || t.judge == "TestStatusNoErrors" && !t.survives
	switch {
	case o.timedOut && t.judge != "TestErrFatal":
		return fmt.Sprintf("timed out after %.0f s", o.took.Seconds())
	case failsOnPurpose && o.status == 0:
		return "the status is 0, and must not be"
	case t.judge == "TestStatus", t.judge == "TestErrFatal":
		return ""
	}
	good := false
	for line := range strings.Lines(o.output) {
		switch line = strings.TrimSpace(line); {
		case strings.EqualFold(line, "No errors"):
			good = true
		case line == "Test Passed":
		case t.survives && strings.HasPrefix(line, "mpirun: "): // which ranks have died
		case o.status != 0 && t.judge == "TestStatusNoErrors": // what the launcher says of the failure
		default:
			return "prints " + cmp.Or(line, "an empty line")
		}
	}
	switch {
	case !good:
		return fmt.Sprintf("does not print No Errors, status %d", o.status)
	case o.status != 0 && t.judge == "":
		return fmt.Sprintf("status %d", o.status)
	}
	return ""
}
