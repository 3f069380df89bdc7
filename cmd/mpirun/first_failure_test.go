//go:build unix

package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/kernel"
)

// transports are those that this host has.
func transports() []string {
	var found []string
	for _, name := range mpi.Transports() {
		if name != "sctp-kernel" || kernel.Probe() == nil {
			found = append(found, name)
		}
	}
	return found
}

// mpirun may notice first what other ranks do because one has failed: it names the one that failed all the same. There are
// several runs of each kind, as either may come first.
func TestTheRankThatFailedIsNamedAndNotItsPeers(t *testing.T) {
	times := 2
	if os.Getenv("SCTPMPI_TEST_LONG") != "" {
		times = 10
	}
	for _, test := range []struct {
		how     string
		status  int
		message string
	}{
		{"killed", 137, "rank 1 (PID) was killed by signal 9 (killed)"},
		{"killed-plain", 137, "rank 1 (PID) was killed by signal 9 (killed)"},
		{"exits", 7, "rank 1 (PID) exited with status 7"},
		{"fails", 1, "rank 1 (PID) called Abort(1): disk full"},
	} {
		for _, transport := range transports() {
			t.Run(test.how+"/"+transport, func(t *testing.T) {
				for range times {
					status, _, stderr := runMpirun(t, "-n", "4", "--transport", transport, "RANK", "victim", test.how)
					assert.Equal(t, test.status, status)
					// The others may have ended by themselves before it is known.
					assert.Equal(t, test.message, strings.TrimSuffix(strings.TrimSpace(messages(stderr)), "; ending the job"))
				}
			})
		}
	}
}
