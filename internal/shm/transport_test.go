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

// inShort are the tests that are not left to long ones: each way of sharing, over both transports.
var inShort = []string{
	sctprpi.Name + "/all/processes", sctprpi.Name + "/half/one process", perpair.Name + "/all/one process", perpair.Name + "/half/processes",
}

// TestContract runs the contract of transports over shared memory, and over shared memory and the network in the same job.
// Ranks of one process have Go's memory; those that take themselves for processes of their own map segments.
func TestContract(t *testing.T) {
	for name, open := range map[string]rpi.Open{sctprpi.Name: sctprpi.Open, perpair.Name: perpair.Open} {
		for way, with := range map[string]func(rank int) func(int) bool{"all": all, "half": half} {
			for where, oneProcess := range map[string]bool{"one process": true, "processes": false} {
				test := name + "/" + way + "/" + where
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
}
