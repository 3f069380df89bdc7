package main

// #include "sctpmpi.h"
import "C"

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

func mpiRecv(c *comm, b core.Buffer, source, tag int, status *C.sctpmpi_status) error {
	s, err := c.Recv("MPI_Recv", b, source, tag)
	give(status, s) // of a message that is truncated, too
	return err
}

func mpiIrecv(c *comm, b core.Buffer, source, tag int) (*core.Request, error) {
	return c.Irecv("MPI_Irecv", b, source, tag)
}

func mpiRecvInit(c *comm, b core.Buffer, source, tag int) (*core.Request, error) {
	return c.RecvInit("MPI_Recv_init", b, source, tag)
}

func mpiSendrecv(c *comm, out core.Buffer, dest, sendtag int, in core.Buffer, source, recvtag int, status *C.sctpmpi_status) error {
	s, err := c.Sendrecv("MPI_Sendrecv", out, dest, sendtag, in, source, recvtag)
	give(status, s)
	return err
}

func mpiSendrecvReplace(c *comm, b core.Buffer, dest, sendtag, source, recvtag int, status *C.sctpmpi_status) error {
	s, err := c.SendrecvReplace("MPI_Sendrecv_replace", b, dest, sendtag, source, recvtag)
	give(status, s)
	return err
}

func mpiIsendrecv(c *comm, out core.Buffer, dest, sendtag int, in core.Buffer, source, recvtag int) (*core.Request, error) {
	return c.Isendrecv("MPI_Isendrecv", out, dest, sendtag, in, source, recvtag)
}

func mpiIsendrecvReplace(c *comm, b core.Buffer, dest, sendtag, source, recvtag int) (*core.Request, error) {
	return c.IsendrecvReplace("MPI_Isendrecv_replace", b, dest, sendtag, source, recvtag)
}
