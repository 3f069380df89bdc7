//go:build !race

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ranksOf are the processes that a process has started.
func ranksOf(t *testing.T, launcher int) (pids []int) {
	files, err := filepath.Glob("/proc/" + strconv.Itoa(launcher) + "/task/*/children")
	require.NoError(t, err)
	for _, file := range files {
		children, _ := os.ReadFile(file) // a thread may have ended
		for _, pid := range strings.Fields(string(children)) {
			number, err := strconv.Atoi(pid)
			require.NoError(t, err)
			pids = append(pids, number)
		}
	}
	return pids
}

// rankOf is the rank of a process.
func rankOf(pid int) string {
	environment, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	for setting := range bytes.SplitSeq(environment, []byte{0}) {
		if rank, found := strings.CutPrefix(string(setting), "PMI_RANK="); found {
			return rank
		}
	}
	return ""
}

// computed is for how long a process has computed, in hundredths of a second.
func computed(pid int) int {
	stat, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, fields, _ := strings.Cut(string(stat), ") ")
	if all := strings.Fields(fields); len(all) > 12 {
		ticks, _ := strconv.Atoi(all[11])
		return ticks
	}
	return 0
}

// Workers are killed in the middle, which is known by how long they have computed: the whole search takes each of them several seconds.
func TestSearchGoesOnWhenWorkersAreKilled(t *testing.T) {
	dir := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", dir, ".", "../mpirun")
	text, err := build.CombinedOutput()
	require.NoError(t, err, "%s", text)
	var stderr strings.Builder
	m := exec.CommandContext(t.Context(), filepath.Join(dir, "mpirun"), "--keep-going", "-n", "5", filepath.Join(dir, "taskfarm"), "search")
	m.Env = append(os.Environ(), "SCTPMPI_SHM=off", "SCTPMPI_PEER_TIMEOUT=10h")
	m.Stderr = &stderr
	require.NoError(t, m.Start())
	for victims := map[string]bool{"1": true, "3": true, "4": true}; len(victims) > 0; {
		for _, pid := range ranksOf(t, m.Process.Pid) {
			if rank := rankOf(pid); victims[rank] && computed(pid) > 30*len(victims) {
				process, err := os.FindProcess(pid)
				require.NoError(t, err)
				require.NoError(t, process.Kill())
				delete(victims, rank)
			}
		}
		time.Sleep(5 * time.Millisecond) // the ranks need the processors more than this loop
	}
	assert.NoError(t, m.Wait())
	assert.Contains(t, stderr.String(), checksum)
	assert.Contains(t, stderr.String(), "; 3 died, tasks dealt again ")
	lost := regexp.MustCompile(`lost: rank \d \(pid \d+, taskfarm\) was killed by signal 9 \(killed\)`).FindAllString(stderr.String(), -1)
	assert.Len(t, lost, 3, stderr.String())
}
