package main

// #include "sctpmpi.h"
import "C"

import (
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

var messages = handle.NewTable[message](handle.Message)

// noProc is the communicator that MPI_MESSAGE_NO_PROC was last returned for.
var noProc atomic.Pointer[comm]

// message is what a matched probe has taken, of a communicator.
type message struct {
	*core.Message
	comm *comm
}

func mpiProbe(c *comm, source, tag int, status *C.sctpmpi_status) error {
	s, err := c.Probe("MPI_Probe", source, tag)
	if err == nil {
		give(status, s)
	}
	return err
}

func mpiIprobe(c *comm, source, tag int, flag *C.int, status *C.sctpmpi_status) error {
	s, found, err := c.Iprobe("MPI_Iprobe", source, tag)
	if *flag = truth(found); found {
		give(status, s)
	}
	return err
}

func mpiMprobe(c *comm, source, tag int, message *C.uintptr_t, status *C.sctpmpi_status) error {
	m, s, err := c.Mprobe("MPI_Mprobe", source, tag)
	if err != nil {
		return err
	}
	give(status, s)
	return c.giveMessage(message, m, source)
}

func mpiImprobe(c *comm, source, tag int, flag *C.int, message *C.uintptr_t, status *C.sctpmpi_status) error {
	m, s, found, err := c.Improbe("MPI_Improbe", source, tag)
	if *flag = truth(found); !found {
		return err
	}
	give(status, s)
	return c.giveMessage(message, m, source)
}

// giveMessage passes a new message to the program.
func (c *comm) giveMessage(to *C.uintptr_t, m *core.Message, source int) error {
	if source == core.ProcNull {
		noProc.Store(c)
		*to = messageNoProc
		return nil
	}
	h := messages.Add(&message{m, c})
	if h == 0 {
		return tooMany("messages")
	}
	*to = C.uintptr_t(h)
	return nil
}

// takeMessage ends the use of a message's handle. That from MPI_PROC_NULL is nil.
func takeMessage(h *C.uintptr_t) (*message, error) {
	if *h == messageNoProc {
		*h = messageNull
		return nil, nil
	}
	m := messages.Remove(handle.Handle(*h))
	if m == nil {
		return nil, noHandle(errRequest, handle.Message, uintptr(*h), "message", "received")
	}
	*h = messageNull
	return m, nil
}

// noProcComm is a communicator for the receive of MPI_MESSAGE_NO_PROC. There may be no MPI_COMM_WORLD.
func noProcComm() (*comm, error) {
	if c := world.Load(); c != nil {
		return c, nil
	}
	if c := noProc.Load(); c != nil {
		return c, nil
	}
	return nil, faultf(errRequest, "MPI_MESSAGE_NO_PROC has not been returned by a probe")
}

func mpiMrecv(b core.Buffer, message *C.uintptr_t, status *C.sctpmpi_status) C.int {
	m, err := takeMessage(message)
	if err != nil {
		return fail(nil, err)
	}
	if m == nil {
		give(status, core.Status{Source: core.ProcNull, Tag: core.AnyTag})
		return 0
	}
	s, err := m.Recv("MPI_Mrecv", b)
	give(status, s)
	return fail(m.comm, err)
}

func mpiImrecv(b core.Buffer, message, request *C.uintptr_t) C.int {
	h, err := reserveRequest() // a message that has been taken is to be received
	if err != nil {
		return fail(nil, err)
	}
	m, err := takeMessage(message)
	if err != nil {
		return giveReserved(nil, request, h, nil, err)
	}
	if m == nil {
		c, err := noProcComm()
		if err != nil {
			return giveReserved(nil, request, h, nil, err)
		}
		r, err := c.Irecv("MPI_Imrecv", b, core.ProcNull, core.AnyTag)
		return giveReserved(c, request, h, r, err)
	}
	r, err := m.Irecv("MPI_Imrecv", b)
	return giveReserved(m.comm, request, h, r, err)
}
