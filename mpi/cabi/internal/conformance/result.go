package main

import (
	"path"
	"slices"
)

// result is what became of a test.
type result struct {
	test     test
	expected *expectation // nil: it is to pass
	skipped  string       // why it was not run
	failure  string       // why it failed, "" if it passed
	outcome  outcome
}

// unexpected says what is not as expected.txt has it, "" if all is.
func (r result) unexpected() string {
	listed := r.expected != nil && r.expected.kind == fails
	switch {
	case r.skipped != "":
		return ""
	case r.failure == "" && listed:
		return "passes, but expected.txt lists it as failing"
	case r.failure != "" && (!listed || r.outcome.timedOut):
		return r.failure
	}
	return ""
}

// counts are the results of a directory.
type counts struct {
	dir                                         string
	applies, passed, known, unexpected, skipped int
}

// tally counts results by directory. Directories below one of the suite's count there.
type tally struct{ dirs []*counts }

func (t *tally) add(r result) {
	dir := r.test.dir
	for path.Dir(dir) != "." {
		dir = path.Dir(dir)
	}
	if len(t.dirs) == 0 || t.dirs[len(t.dirs)-1].dir != dir {
		t.dirs = append(t.dirs, &counts{dir: dir})
	}
	c := t.dirs[len(t.dirs)-1]
	switch {
	case r.skipped != "":
		c.skipped++
		return
	case r.failure == "":
		c.passed++
	case r.unexpected() == "":
		c.known++
	}
	c.applies++
	if r.unexpected() != "" {
		c.unexpected++
	}
}

func (t *tally) asExpected() bool {
	return !slices.ContainsFunc(t.dirs, func(c *counts) bool { return c.unexpected > 0 })
}
