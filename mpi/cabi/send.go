package main

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func mpiSend(c *comm, b core.Buffer, dest, tag int) error {
	return c.Send("MPI_Send", rpi.Standard, b, dest, tag)
}

func mpiSsend(c *comm, b core.Buffer, dest, tag int) error {
	return c.Send("MPI_Ssend", rpi.Synchronous, b, dest, tag)
}

func mpiBsend(c *comm, b core.Buffer, dest, tag int) error {
	return c.Send("MPI_Bsend", rpi.Buffered, b, dest, tag)
}

func mpiRsend(c *comm, b core.Buffer, dest, tag int) error {
	return c.Send("MPI_Rsend", rpi.Ready, b, dest, tag)
}

func mpiIsend(c *comm, b core.Buffer, dest, tag int) (*core.Request, error) {
	return c.Isend("MPI_Isend", rpi.Standard, b, dest, tag)
}

func mpiIssend(c *comm, b core.Buffer, dest, tag int) (*core.Request, error) {
	return c.Isend("MPI_Issend", rpi.Synchronous, b, dest, tag)
}

func mpiIbsend(c *comm, b core.Buffer, dest, tag int) (*core.Request, error) {
	return c.Isend("MPI_Ibsend", rpi.Buffered, b, dest, tag)
}

func mpiIrsend(c *comm, b core.Buffer, dest, tag int) (*core.Request, error) {
	return c.Isend("MPI_Irsend", rpi.Ready, b, dest, tag)
}

func mpiSendInit(c *comm, b core.Buffer, dest, tag int) (*core.Request, error) {
	return c.SendInit("MPI_Send_init", rpi.Standard, b, dest, tag)
}

func mpiSsendInit(c *comm, b core.Buffer, dest, tag int) (*core.Request, error) {
	return c.SendInit("MPI_Ssend_init", rpi.Synchronous, b, dest, tag)
}

func mpiBsendInit(c *comm, b core.Buffer, dest, tag int) (*core.Request, error) {
	return c.SendInit("MPI_Bsend_init", rpi.Buffered, b, dest, tag)
}

func mpiRsendInit(c *comm, b core.Buffer, dest, tag int) (*core.Request, error) {
	return c.SendInit("MPI_Rsend_init", rpi.Ready, b, dest, tag)
}
