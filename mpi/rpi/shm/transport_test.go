package shm_test

import (
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
// Ranks of one process have Go's memory; those that take themselves for processes of their own map segments.
func TestContract(t *testing.T) {
	for name, open := range map[string]rpi.Open{sctprpi.Name: sctprpi.Open, perpair.Name: perpair.Open} {
		for way, with := range map[string]func(rank int) func(int) bool{"all": all, "half": half} {
			for where, oneProcess := range map[string]bool{"one process": true, "processes": false} {
				t.Run(name+"/"+way+"/"+where, func(t *testing.T) {
					rpitest.Run(t, func(cfg rpi.Config) (rpi.Transport, error) {
						cfg.SharedMemory, cfg.OneProcess = with(cfg.Rank), oneProcess
						return open(cfg)
					})
				})
			}
		}
	}
}
