//go:build !race

package shm_test

import (
	"testing"

	"github.com/sctpmpi/sctpmpi/sctprpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/perpair"
)

// Ranks that take themselves for processes of their own map segments, which the race detector does not look at.
func TestContractOfProcesses(t *testing.T) {
	contract(t, false, sctprpi.Name+"/all", perpair.Name+"/half")
}
