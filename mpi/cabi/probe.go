package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"sync/atomic"
	"unsafe"

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

//export sctpmpi_Probe
func sctpmpi_Probe(source, tag C.int, comm C.uintptr_t, status *C.sctpmpi_status) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	s, err := c.Probe("MPI_Probe", rankOf(source), tagOf(tag))
	if err == nil {
		give(status, s)
	}
	return fail(c, err)
}

//export sctpmpi_Iprobe
func sctpmpi_Iprobe(source, tag C.int, comm C.uintptr_t, flag *C.int, status *C.sctpmpi_status) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	s, found, err := c.Iprobe("MPI_Iprobe", rankOf(source), tagOf(tag))
	if *flag = truth(found); found {
		give(status, s)
	}
	return fail(c, err)
}

//export sctpmpi_Mprobe
func sctpmpi_Mprobe(source, tag C.int, comm C.uintptr_t, message *C.uintptr_t, status *C.sctpmpi_status) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	m, s, err := c.Mprobe("MPI_Mprobe", rankOf(source), tagOf(tag))
	if err != nil {
		return fail(c, err)
	}
	give(status, s)
	return c.giveMessage(message, m, source)
}

//export sctpmpi_Improbe
func sctpmpi_Improbe(source, tag C.int, comm C.uintptr_t, flag *C.int, message *C.uintptr_t, status *C.sctpmpi_status) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	m, s, found, err := c.Improbe("MPI_Improbe", rankOf(source), tagOf(tag))
	if *flag = truth(found); !found {
		return fail(c, err)
	}
	give(status, s)
	return c.giveMessage(message, m, source)
}

// giveMessage passes a new message to the program.
func (c *comm) giveMessage(to *C.uintptr_t, m *core.Message, source C.int) C.int {
	if source == procNull {
		noProc.Store(c)
		*to = messageNoProc
		return 0
	}
	h := messages.Add(&message{m, c})
	if h == 0 {
		return fail(c, tooMany("messages"))
	}
	*to = C.uintptr_t(h)
	return 0
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

//export sctpmpi_Mrecv
func sctpmpi_Mrecv(buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, message *C.uintptr_t, status *C.sctpmpi_status) C.int {
	b, err := bufferOf(buf, count, datatype)
	if err != nil {
		return fail(nil, err)
	}
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

//export sctpmpi_Imrecv
func sctpmpi_Imrecv(buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, message, request *C.uintptr_t) C.int {
	b, err := bufferOf(buf, count, datatype)
	if err != nil {
		return fail(nil, err)
	}
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
