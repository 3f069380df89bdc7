package main

import (
	_ "embed"
	"fmt"
	"path"
	"slices"
	"strings"
)

//go:embed expected.txt
var expectedText string

// expectation is a line of expected.txt: what is known of some tests, and why.
type expectation struct {
	kind, pattern, reason string
}

// The kinds of expectations.
const (
	fails = "fails" // applies, is run, and fails: without limits of time, as a time-out is always a failure
	skips = "skips" // does not apply to this library, and is not run
)

// every is the section of expected.txt about the library with any ABI.
const every = "every"

// readExpected reads what expected.txt says of a library; its beginning says how it is written.
func readExpected(text, library string) ([]*expectation, error) {
	var all []*expectation
	number, concerned := 0, true
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if section, ok := strings.CutPrefix(line, "["); ok {
			section, ok = strings.CutSuffix(section, "]")
			if known := []string{every, standard, mpichABI, openMPIABI}; !ok || !slices.Contains(known, section) {
				return nil, fmt.Errorf("expected.txt:%d: %q is none of %v in brackets", number, line, known)
			}
			concerned = section == every || section == library
			continue
		}
		what, reason, found := strings.Cut(line, ": ")
		kind, pattern, _ := strings.Cut(what, " ")
		if !found || kind != fails && kind != skips || pattern == "" || reason == "" {
			return nil, fmt.Errorf("expected.txt:%d: %q is not \"fails|skips DIRECTORY/PROGRAM: REASON\"", number, line)
		}
		if !concerned {
			continue
		}
		all = append(all, &expectation{kind: kind, pattern: strings.TrimSpace(pattern), reason: reason})
	}
	return all, nil
}

// find returns what is expected of a test, nil if it is to pass. A pattern is that of path.Match over the path of the
// program, or the whole name of a test.
func find(all []*expectation, t test) *expectation {
	for _, e := range all {
		if matched, _ := path.Match(e.pattern, t.path()); matched || e.pattern == t.name() {
			return e
		}
	}
	return nil
}
