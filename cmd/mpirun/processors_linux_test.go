package main

import (
	"fmt"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// limited runs ranks of an mpirun that may use a number of processors only, and returns their environments.
func limited(t *testing.T, processors, ranks int, setting string) []map[string]string {
	t.Helper()
	runtime.LockOSThread() // what this thread starts may use the same processors
	defer runtime.UnlockOSThread()
	var all, few unix.CPUSet
	require.NoError(t, unix.SchedGetaffinity(0, &all))
	if min(all.Count(), runtime.GOMAXPROCS(0)) < processors { // the latter counts the control groups' limits
		t.Skipf("%d processors are needed", processors)
	}
	for cpu := 0; few.Count() < processors; cpu++ {
		if all.IsSet(cpu) {
			few.Set(cpu)
		}
	}
	require.NoError(t, unix.SchedSetaffinity(0, &few))
	defer func() { require.NoError(t, unix.SchedSetaffinity(0, &all)) }()
	m := command(t, "-n", strconv.Itoa(ranks), "RANK", "environment")
	m.Env = append(m.Env, "GOMAXPROCS="+setting)
	return environments(t, m)
}

func TestRanksShareTheProcessorsThatMpirunMayUse(t *testing.T) {
	for _, c := range []struct {
		processors, ranks int
		share             string
	}{
		{processors: 1, ranks: 1, share: "1"},
		{processors: 1, ranks: 3, share: "1"},
		{processors: 2, ranks: 1, share: "2"},
		{processors: 2, ranks: 2, share: "2"}, // see share
		{processors: 6, ranks: 2, share: "3"},
	} {
		t.Run(fmt.Sprintf("%d for %d", c.processors, c.ranks), func(t *testing.T) {
			for _, environment := range limited(t, c.processors, c.ranks, "") {
				assert.Equal(t, strconv.Itoa(c.processors), environment["SCTPMPI_LOCAL_PROCESSORS"])
				assert.Equal(t, c.share, environment["GOMAXPROCS"])
			}
		})
	}
}

// What the user lets a rank use says nothing of the host.
func TestGOMAXPROCSOfTheUserIsNotTheNumberOfProcessors(t *testing.T) {
	environment := limited(t, 1, 2, "7")[1]
	assert.Equal(t, "1", environment["SCTPMPI_LOCAL_PROCESSORS"])
	assert.Equal(t, "7", environment["GOMAXPROCS"])
}
