package shm_test

import (
	"slices"
	"testing"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/sctpmpi/sctpmpi/sctprpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/perpair"
)

// all peers may share memory, and half of them: ranks that are both even or both odd.
func all(int) func(int) bool { return func(int) bool { return true } }

func half(rank int) func(int) bool { return func(peer int) bool { return (rank+peer)%2 == 0 } }

// TestContract runs the contract of transports over shared memory, and over shared memory and the network in the same job.
// Here ranks have Go's memory, which is what the race detector looks at: see TestContractOfProcesses.
func TestContract(t *testing.T) {
	contract(t, true, perpair.Name+"/all", sctprpi.Name+"/half")
}

// contract runs the contract over transports in ways of sharing, or over each in all ways if tests are long.
func contract(t *testing.T, oneProcess bool, inShort ...string) {
	for name, open := range map[string]rpi.Open{sctprpi.Name: sctprpi.Open, perpair.Name: perpair.Open} {
		for way, with := range map[string]func(rank int) func(int) bool{"all": all, "half": half} {
			test := name + "/" + way
			if !rpitest.Long() && !slices.Contains(inShort, test) {
				continue
			}
			t.Run(test, func(t *testing.T) {
				run := rpitest.Run
				if way == "half" {
					run = rpitest.RunVariant
				}
				run(t, func(cfg rpi.Config) (rpi.Transport, error) {
					cfg.SharedMemory, cfg.OneProcess = with(cfg.Rank), oneProcess
					return open(cfg)
				})
			})
		}
	}
}
