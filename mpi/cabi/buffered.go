package main

// #include "sctpmpi.h"
import "C"

import (
	"context"
	"sync"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

// Buffered messages are copied to memory of this library. What the program attaches is a limit for them, and the
// program gets it back as it is.

// attached is a buffer that the program has attached, if set.
type attached struct {
	mu   sync.Mutex
	addr unsafe.Pointer
	size C.int64_t
	set  bool
}

// automatic is MPI_BUFFER_AUTOMATIC: there is no limit.
var automatic = uintptr(2)

// attach notes a buffer, and calls limit with its size, or with noLimit.
func (a *attached) attach(addr unsafe.Pointer, size C.int64_t, limit func(bytes int) error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	bytes := int(size)
	switch {
	case a.set:
		return faultf(errBuffer, "a buffer is attached already: detach it first")
	case uintptr(addr) == automatic:
		bytes = noLimit
	case size < 0:
		return faultf(errArg, "a buffer of %d bytes", int64(size))
	}
	if err := limit(bytes); err != nil {
		return err
	}
	a.addr, a.size, a.set = addr, size, true
	return nil
}

// noLimit is more than buffered messages can take.
const noLimit = 1 << 62

// detach passes the buffer to the program when flush says that all messages have left.
func (a *attached) detach(to unsafe.Pointer, size *C.int64_t, flush func() error, limit func() error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.set {
		*(*unsafe.Pointer)(to), *size = nil, 0
		return faultf(errBuffer, "no buffer is attached")
	}
	if err := flush(); err != nil {
		return err
	}
	*(*unsafe.Pointer)(to), *size = a.addr, a.size
	a.addr, a.size, a.set = nil, 0, false
	return limit()
}

// processBuffer is what MPI_Buffer_attach has attached.
var processBuffer attached

// inside is MPI_COMM_WORLD, for functions of the process.
func inside() (*comm, error) { return commOf(commWorld) }

// finish waits for a request that the program does not see.
func finish(r *core.Request, err error) error {
	if err == nil {
		_, err = r.Wait(context.Background())
	}
	return err
}

func mpiBufferAttach(buffer unsafe.Pointer, size C.int64_t) error {
	c, err := inside()
	if err != nil {
		return err
	}
	return processBuffer.attach(buffer, size, func(bytes int) error { return c.LimitProcessBuffer("MPI_Buffer_attach", bytes) })
}

func mpiBufferDetach(addr unsafe.Pointer, size *C.int64_t) error {
	c, err := inside()
	if err != nil {
		return err
	}
	return processBuffer.detach(addr, size,
		func() error { return finish(c.FlushProcessBuffer("MPI_Buffer_detach")) },
		func() error { return c.LimitProcessBuffer("MPI_Buffer_detach", 0) })
}

func mpiBufferFlush() error {
	c, err := inside()
	if err != nil {
		return err
	}
	return finish(c.FlushProcessBuffer("MPI_Buffer_flush"))
}

func mpiBufferIflush(request *C.uintptr_t) C.int {
	c, err := inside()
	if err != nil {
		return fail(nil, err)
	}
	return c.giveRequest(request, func() (*core.Request, error) { return c.FlushProcessBuffer("MPI_Buffer_iflush") })
}

func mpiCommAttachBuffer(c *comm, buffer unsafe.Pointer, size C.int64_t) error {
	return c.attached.attach(buffer, size, func(bytes int) error { return c.LimitBuffer("MPI_Comm_attach_buffer", bytes) })
}

func mpiCommDetachBuffer(c *comm, addr unsafe.Pointer, size *C.int64_t) error {
	return c.attached.detach(addr, size,
		func() error { return finish(c.FlushBuffer("MPI_Comm_detach_buffer")) },
		func() error { return c.LimitBuffer("MPI_Comm_detach_buffer", -1) })
}

func mpiCommFlushBuffer(c *comm) error { return finish(c.FlushBuffer("MPI_Comm_flush_buffer")) }
func mpiCommIflushBuffer(c *comm) (*core.Request, error) {
	return c.FlushBuffer("MPI_Comm_iflush_buffer")
}

func mpiSessionAttachBuffer(s *session, buffer unsafe.Pointer, size C.int64_t) error {
	return s.attached.attach(buffer, size, func(bytes int) error { return s.LimitBuffer("MPI_Session_attach_buffer", bytes) })
}

func mpiSessionDetachBuffer(s *session, addr unsafe.Pointer, size *C.int64_t) error {
	return s.attached.detach(addr, size,
		func() error { return finish(s.FlushBuffer("MPI_Session_detach_buffer")) },
		func() error { return s.LimitBuffer("MPI_Session_detach_buffer", -1) })
}

func mpiSessionFlushBuffer(s *session) error {
	return finish(s.FlushBuffer("MPI_Session_flush_buffer"))
}
func mpiSessionIflushBuffer(s *session) (*core.Request, error) {
	return s.FlushBuffer("MPI_Session_iflush_buffer")
}
