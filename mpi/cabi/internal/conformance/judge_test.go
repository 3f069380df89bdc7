package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		judge   string
		outcome outcome
		want    string
	}{
		{"", outcome{output: " No Errors\n"}, ""},
		{"", outcome{output: "No errors\nTest Passed\n"}, ""},
		{"", outcome{output: "No Errors\n", status: 3}, "status 3"},
		{"", outcome{output: "warning\nNo Errors\n"}, "prints warning"},
		{"", outcome{output: "\nNo Errors\n"}, "prints an empty line"},
		{"", outcome{}, "does not print No Errors, status 0"},
		{"", outcome{output: "No Errors\n", timedOut: true, took: 5 * time.Second}, "timed out after 5 s"},
		{"TestStatus", outcome{output: "aborted", status: 6}, ""},
		{"TestStatus", outcome{output: "No Errors\n"}, "the status is 0, and must not be"},
		{"TestStatus", outcome{status: 6, timedOut: true}, "timed out after 0 s"},
		{"TestErrFatal", outcome{status: 124, timedOut: true}, ""},
		{"TestStatusNoErrors", outcome{output: "rank 1 died\nNo Errors\n", status: 1}, ""},
		{"TestStatusNoErrors", outcome{output: "rank 1 died\n", status: 1}, "does not print No Errors, status 1"},
	} {
		assert.Equal(t, c.want, test{judge: c.judge}.verdict(c.outcome), "%+v", c)
	}
}

func TestExpectations(t *testing.T) {
	all, err := readExpected("# comment\n\nfails rma/win*: windows: not yet\nskips io/i_big 2 -x: too big\n", standard)
	require.NoError(t, err)
	require.Len(t, all, 2)

	window := result{test: test{dir: "rma", program: "window", ranks: 2}}
	window.expected = find(all, window.test)
	require.NotNil(t, window.expected)
	assert.Equal(t, "windows: not yet", window.expected.reason)
	assert.NotEmpty(t, window.unexpected(), "a listed test that passes is reported")
	window.failure = "prints something"
	assert.Empty(t, window.unexpected())
	window.outcome.timedOut = true
	assert.NotEmpty(t, window.unexpected(), "a time-out is always a failure")

	big := test{dir: "io", program: "i_big", ranks: 2}
	assert.Nil(t, find(all, big))
	big.args = []string{"-x"}
	assert.NotNil(t, find(all, big))

	for _, wrong := range []string{"fails rma/win\n", "[standard\n", "[other]\n"} {
		_, err = readExpected(wrong, standard)
		assert.ErrorContains(t, err, "expected.txt:1", wrong)
	}
}

func TestSectionsOfExpectations(t *testing.T) {
	const text = "fails a/*: all\n[standard]\nfails b/*: one\n[mpich-abi]\nfails c/*: other\n[every]\nfails d/*: all\n"
	for library, want := range map[string][]string{standard: {"a/*", "b/*", "d/*"}, mpichABI: {"a/*", "c/*", "d/*"}, openMPIABI: {"a/*", "d/*"}} {
		all, err := readExpected(text, library)
		require.NoError(t, err)
		var got []string
		for _, e := range all {
			got = append(got, e.pattern)
		}
		assert.Equal(t, want, got, library)
	}
}

func TestCommittedExpectationsAreWellFormed(t *testing.T) {
	_, err := readExpected(expectedText, standard)
	require.NoError(t, err)
}

func TestTallyCountsByDirectory(t *testing.T) {
	total := new(tally)
	fails := &expectation{kind: fails}
	for _, r := range []result{
		{test: test{dir: "threads/pt2pt"}},
		{test: test{dir: "threads/coll"}, failure: "x", expected: fails},
		{test: test{dir: "threads/coll"}, failure: "x"},
		{test: test{dir: "threads"}, skipped: "why"},
	} {
		total.add(r)
	}
	require.Len(t, total.dirs, 1)
	assert.Equal(t, counts{dir: "threads", applies: 3, passed: 1, known: 1, unexpected: 1, skipped: 1}, *total.dirs[0])
	assert.False(t, total.asExpected())
}
