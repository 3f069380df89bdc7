package main

// #include "sctpmpi.h"
import "C"

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

// Predefined handles of the standard ABI that are used by name here.
const (
	commNull       = 0x100
	commWorld      = 0x101
	commSelf       = 0x102
	groupNull      = 0x108
	groupEmpty     = 0x109
	winNull        = 0x110
	fileNull       = 0x118
	sessionNull    = 0x120
	messageNull    = 0x128
	messageNoProc  = 0x129
	infoNull       = 0x130
	infoEnv        = 0x131
	errhandlerNull = 0x140
	requestNull    = 0x180
	typeNull       = 0x200
)

// The tables of objects that are not predefined. Each chapter has those of its own objects.
var (
	comms    = handle.NewTable[comm](handle.Comm)
	requests = handle.NewTable[core.Request](handle.Request)
)

// comm is a communicator as C programs see it.
type comm struct {
	core.View
	handling
	handle   handle.Handle
	attached attached // MPI_Comm_attach_buffer
}

func (c *comm) object() (handle.Kind, handle.Handle) { return handle.Comm, c.handle }

// world and self are the predefined communicators while there are any.
var world, self atomic.Pointer[comm]

// faces has the comm of each *core.Comm, for errors and functions of the program that are about one.
var faces sync.Map

func faceOf(c *core.Comm) *comm {
	if face, ok := faces.Load(c); ok {
		return face.(*comm)
	}
	return nil
}

// commOf is the communicator with a handle.
func commOf(h C.uintptr_t) (*comm, error) {
	if h == commWorld {
		if c := world.Load(); c != nil {
			return c, nil
		}
	}
	if c := comms.Get(handle.Handle(h)); c != nil {
		return c, nil
	}
	return predefinedComm(h)
}

func predefinedComm(h C.uintptr_t) (*comm, error) {
	switch {
	case h == commNull:
		return nil, faultf(errComm, "the communicator is MPI_COMM_NULL")
	case h == commSelf && self.Load() != nil:
		return self.Load(), nil
	case h == commSelf || h == commWorld:
		return nil, outside()
	}
	return nil, noHandle(errComm, handle.Comm, uintptr(h), "communicator", "freed")
}

// makeComm makes the face of a communicator, with a handle unless it is predefined. parent is what it is made of, nil if
// there is none.
func makeComm(c *core.Comm, h handle.Handle, parent *comm) (*comm, error) {
	made := &comm{View: c.View(context.Background()), handle: h}
	if parent != nil {
		made.inherit(&parent.handling)
	}
	if h == 0 {
		if made.handle = comms.Add(made); made.handle == 0 {
			return nil, tooMany("communicators")
		}
	}
	faces.Store(c, made)
	return made, nil
}

// giveComm passes a new communicator, nil for MPI_COMM_NULL, to the program.
func (parent *comm) giveComm(to *C.uintptr_t, c *core.Comm, err error) C.int {
	if err != nil {
		return fail(parent, err)
	}
	*to = commNull
	if c == nil {
		return 0
	}
	made, err := makeComm(c, 0, parent)
	if err != nil {
		return fail(parent, err)
	}
	*to = C.uintptr_t(made.handle)
	return 0
}

func tooMany(objects string) error {
	return faultf(errNoMem, "too many %s are live: a process can have %d at a time", objects, handle.Limit)
}

// requestOf is the request with a handle, nil for MPI_REQUEST_NULL.
func requestOf(h C.uintptr_t) (*core.Request, error) {
	if r := requests.Get(handle.Handle(h)); r != nil || h == requestNull {
		return r, nil
	}
	return nil, noHandle(errRequest, handle.Request, uintptr(h), "request", "freed")
}

// giveRequest passes the request of an operation, which begin begins, to the program.
func (c *comm) giveRequest(to *C.uintptr_t, begin func() (*core.Request, error)) C.int {
	h, err := reserveRequest()
	if err != nil {
		return fail(c, err)
	}
	r, err := begin()
	return giveReserved(c, to, h, r, err)
}

// reserveRequest takes a handle for a request before its operation begins. An operation without one would go on, and nothing
// could wait for it.
func reserveRequest() (handle.Handle, error) {
	h := requests.Reserve()
	if h == 0 {
		return 0, tooMany("requests")
	}
	return h, nil
}

// giveReserved passes a request to the program by the handle that was taken for it.
func giveReserved(of owner, to *C.uintptr_t, h handle.Handle, r *core.Request, err error) C.int {
	if err != nil {
		requests.GiveBack(h)
		return fail(of, err)
	}
	requests.Put(h, r)
	*to = C.uintptr_t(h)
	return 0
}

// forget ends the use of a communicator's handle.
func (c *comm) forget() {
	comms.Remove(c.handle)
	faces.Delete(c.Comm)
}

// fail is the code of an error. of is the object whose error handler counts, nil if there is none.
func fail(of owner, err error) C.int {
	if c, ok := of.(*comm); ok && c == nil {
		of = nil
	}
	return C.int(failed(of, err))
}
