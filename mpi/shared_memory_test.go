package mpi

import (
	"os"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/transports"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/perpair"
)

// The suites run over the transports with a progression layer three times: without shared memory (the usual names), with it
// (-shm), and with it between half of the pairs (-half), which have mapped memory as processes do. In tests that are not
// long each of the two transports has one of the latter.
func init() {
	off := func(int) func(int) bool { return nil }
	all := func(int) func(int) bool { return func(int) bool { return true } }
	half := func(rank int) func(int) bool { return func(peer int) bool { return (rank+peer)%2 == 0 } }
	long := os.Getenv("SCTPMPI_TEST_LONG") != ""
	for i := range transports.All {
		t := transports.All[i]
		add := func(suffix string, with func(rank int) func(int) bool, mapped bool) {
			transports.All = append(transports.All, transports.Transport{Name: t.Name + suffix, Open: sharing(t.Open, with, mapped)})
		}
		layered := t.Name == sctprpi.Name || t.Name == perpair.Name
		if layered && (long || t.Name == perpair.Name) {
			add("-shm", all, false)
		}
		if layered && (long || t.Name == sctprpi.Name) {
			add("-half", half, true)
		}
		if os.Getenv(rpi.EnvSharedMemory) == "" { // else a process that a test has launched does what that says
			transports.All[i].Open = sharing(t.Open, off, false)
		}
	}
}

// sharing opens a transport that shares memory with some peers only.
func sharing(open rpi.Open, with func(rank int) func(int) bool, mapped bool) rpi.Open {
	return func(cfg rpi.Config) (rpi.Transport, error) {
		cfg.SharedMemory, cfg.OneProcess = with(cfg.Rank), !mapped
		return open(cfg)
	}
}
