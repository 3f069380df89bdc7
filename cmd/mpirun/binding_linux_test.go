package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// expanded writes a list of the kernel's, 0-2,5, as 0,1,2,5.
func expanded(t *testing.T, list string) string {
	t.Helper()
	var all []string
	for part := range strings.SplitSeq(list, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		from, err := strconv.Atoi(first)
		require.NoError(t, err)
		to, err := strconv.Atoi(last)
		require.NoError(t, err)
		for n := from; n <= to; n++ {
			all = append(all, strconv.Itoa(n))
		}
	}
	return strings.Join(all, ",")
}

// Ranks run on the processors that --dry-run shows, on another host too.
func TestRanksAreBoundToCores(t *testing.T) {
	status, stdout, stderr := runMpirun(t, "--dry-run", "--bind-to", "core", "-n", "2", "true")
	require.Zero(t, status, stderr)
	want := make(map[string]string)
	for i, line := range slices.Collect(strings.Lines(stdout))[1:] {
		_, processors, found := strings.Cut(line, "  on processors ")
		require.True(t, found, line)
		var numbers []int
		for word := range strings.SplitSeq(strings.TrimSpace(processors), ",") {
			n, err := strconv.Atoi(word)
			require.NoError(t, err)
			numbers = append(numbers, n)
		}
		slices.Sort(numbers)
		want[fmt.Sprint(i)] = strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ","), "[]")
	}
	require.Len(t, want, 2)
	for _, hosts := range []string{"localhost:2", "a:2"} {
		m, _ := onHosts(t, hosts, "--bind-to", "core", "-n", "2", "sh", "-c", `echo $PMI_RANK $(grep Cpus_allowed_list /proc/self/status)`)
		require.NoError(t, m.Start())
		require.Zero(t, m.status(t), m.stderr.String())
		got := make(map[string]string)
		for line := range strings.Lines(m.stdout.String()) {
			fields := strings.Fields(line)
			require.Len(t, fields, 3)
			got[fields[0]] = expanded(t, fields[2])
		}
		assert.Equal(t, want, got)
	}
}
