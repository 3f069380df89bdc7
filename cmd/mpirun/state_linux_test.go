package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// stateOf is the letter by which /proc says what a process does: T if it is stopped, Z if it has ended.
func stateOf(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, fields, _ := strings.Cut(string(text), ") ")
	state, _, _ := strings.Cut(fields, " ")
	return state
}

// The signal is on its way to other hosts before mpirun itself is stopped.
func TestStoppingMpirunStopsTheRanksOfOtherHosts(t *testing.T) {
	m, _ := onHosts(t, "a:2,b", "-n", "3", "sh", "-c", "echo ready $$; exec sleep 3600")
	in := m.startReady(t, 0)
	var ranks [3]int
	for i := range ranks {
		_, err := fmt.Fscanf(in, "ready %d\n", &ranks[i])
		require.NoError(t, err)
	}
	m.send(t, syscall.SIGTSTP)
	var status syscall.WaitStatus
	_, err := syscall.Wait4(m.Process.Pid, &status, syscall.WUNTRACED, nil)
	require.NoError(t, err)
	require.True(t, status.Stopped())
	await := func(stopped bool) {
		for _, pid := range ranks {
			for (stateOf(pid) == "T") != stopped {
				time.Sleep(time.Millisecond)
			}
		}
	}
	await(true)
	m.send(t, syscall.SIGCONT)
	await(false)
	m.send(t, syscall.SIGTERM)
	require.Equal(t, 143, m.status(t))
}
