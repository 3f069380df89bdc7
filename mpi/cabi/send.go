package main

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// symbol is the name of a function of MPI in C.
type symbol = string

// These are for all modes: MPI_Ssend is mpiSend, too.

func mpiSend(c *comm, op symbol, mode rpi.Mode, b core.Buffer, dest, tag int) error {
	return c.Send(op, mode, b, dest, tag)
}

func mpiIsend(c *comm, op symbol, mode rpi.Mode, b core.Buffer, dest, tag int) (*core.Request, error) {
	return c.Isend(op, mode, b, dest, tag)
}

func mpiSendInit(c *comm, op symbol, mode rpi.Mode, b core.Buffer, dest, tag int) (*core.Request, error) {
	return c.SendInit(op, mode, b, dest, tag)
}
