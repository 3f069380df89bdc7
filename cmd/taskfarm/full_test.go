//go:build !race

package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// checksum is that of the search of all the data in the program. The hits, all 320 with
// their scores and ends, are those of the library parasail 2.6.
const checksum = "checksum  fcab67a026429c16\n"

func TestFullSearchOfTheDataInTheProgram(t *testing.T) {
	for _, c := range []struct {
		ranks     int
		transport string
		shared    string
	}{{1, mpi.DefaultTransport, ""}, {3, mpi.DefaultTransport, "auto"}, {3, "sctp-pertrc", ""}, {3, "tcp-perpair", "off"}} {
		t.Run(fmt.Sprintf("%d ranks over %s, shared memory %s", c.ranks, c.transport, c.shared), func(t *testing.T) {
			t.Setenv("SCTPMPI_TRANSPORT", c.transport)
			t.Setenv("SCTPMPI_SHM", c.shared)
			o := taskfarm(t, c.ranks, "search")
			assert.Zero(t, o.status)
			assert.Contains(t, o.stderr, checksum)
		})
	}
}
