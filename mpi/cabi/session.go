package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"strings"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/info"
)

var sessions = handle.NewTable[session](handle.Session)

// session is a session as C programs see it (MPI 4.1, section 11.3).
type session struct {
	*core.Session
	handling
	handle handle.Handle
}

func (s *session) object() (handle.Kind, handle.Handle) { return handle.Session, s.handle }

// sessionOf is the session with a handle.
func sessionOf(h C.uintptr_t) (*session, error) {
	if s := sessions.Get(handle.Handle(h)); s != nil {
		return s, nil
	}
	if h == sessionNull {
		return nil, faultf(errSession, "the session is MPI_SESSION_NULL")
	}
	return nil, noHandle(errSession, handle.Session, uintptr(h), "session", "finalized")
}

//export sctpmpi_Session_init
func sctpmpi_Session_init(info, errhandler C.uintptr_t, to *C.uintptr_t) C.int {
	if _, err := infoOf(info); err != nil {
		return fail(nil, err)
	}
	e, err := errhandlerOf(errhandler, handle.Session)
	if err != nil {
		return fail(nil, err)
	}
	set, err := settings()
	if err != nil {
		return fail(nil, err)
	}
	opened, err := core.OpenSession("MPI_Session_init", set)
	if err != nil {
		return fail(nil, err)
	}
	s := &session{Session: opened}
	s.handler.Store(e)
	if s.handle = sessions.Add(s); s.handle == 0 {
		_ = opened.Finalize() // the table is what has failed
		return fail(nil, tooMany("sessions"))
	}
	*to = C.uintptr_t(s.handle)
	return 0
}

//export sctpmpi_Session_finalize
func sctpmpi_Session_finalize(h *C.uintptr_t) C.int {
	s, err := sessionOf(*h)
	if err != nil {
		return fail(nil, err)
	}
	if err := s.Finalize(); err != nil {
		return fail(s, err)
	}
	sessions.Remove(s.handle)
	*h = sessionNull
	return 0
}

//export sctpmpi_Session_set_errhandler
func sctpmpi_Session_set_errhandler(h, errhandler C.uintptr_t) C.int {
	s, err := sessionOf(h)
	return setErrhandler(s, err, errhandler)
}

//export sctpmpi_Session_get_errhandler
func sctpmpi_Session_get_errhandler(h C.uintptr_t, errhandler *C.uintptr_t) C.int {
	s, err := sessionOf(h)
	return getErrhandler(s, err, errhandler)
}

//export sctpmpi_Session_call_errhandler
func sctpmpi_Session_call_errhandler(h C.uintptr_t, errorcode C.int) C.int {
	s, err := sessionOf(h)
	return callErrhandler(s, err, errorcode)
}

//export sctpmpi_Session_get_info
func sctpmpi_Session_get_info(h C.uintptr_t, used *C.uintptr_t) C.int {
	s, err := sessionOf(h)
	if err != nil {
		return fail(nil, err)
	}
	known := new(info.Info)
	return giveInfo(s, used, known, known.Set("MPI_Session_get_info", "thread_level", "MPI_THREAD_MULTIPLE"))
}

//export sctpmpi_Session_get_num_psets
func sctpmpi_Session_get_num_psets(h, info C.uintptr_t, n *C.int) C.int {
	s, err := sessionOf(h)
	if err != nil {
		return fail(nil, err)
	}
	sets, err := s.ProcessSets()
	*n = C.int(len(sets))
	return fail(s, err)
}

//export sctpmpi_Session_get_nth_pset
func sctpmpi_Session_get_nth_pset(h, info C.uintptr_t, n C.int, room *C.int, name *C.char) C.int {
	s, err := sessionOf(h)
	if err != nil {
		return fail(nil, err)
	}
	sets, err := s.ProcessSets()
	if err != nil {
		return fail(s, err)
	}
	if n < 0 || int(n) >= len(sets) {
		return fail(s, faultf(errArg, "process set %d of %d", int(n), len(sets)))
	}
	textTo(name, C.int64_t(*room), sets[n])
	*room = C.int(len(sets[n]) + 1)
	return 0
}

// setName is the name of a process set. MPI's own may be written in small letters, too, as MPICH has it.
func setName(name *C.char) string {
	text := C.GoString(name)
	for _, known := range []string{"mpi://WORLD", "mpi://SELF"} {
		if strings.EqualFold(text, known) {
			return known
		}
	}
	return text
}

//export sctpmpi_Session_get_pset_info
func sctpmpi_Session_get_pset_info(h C.uintptr_t, name *C.char, to *C.uintptr_t) C.int {
	s, err := sessionOf(h)
	if err != nil {
		return fail(nil, err)
	}
	known, err := s.ProcessSetInfo(setName(name))
	return giveInfo(s, to, known, err)
}

//export sctpmpi_Group_from_session_pset
func sctpmpi_Group_from_session_pset(h C.uintptr_t, name *C.char, newgroup *C.uintptr_t) C.int {
	s, err := sessionOf(h)
	if err != nil {
		return fail(nil, err)
	}
	g, err := s.Group(setName(name))
	return giveGroup(s, newgroup, g, s, err)
}

// sessionFor is the session of a group, or one for a group of a communicator. done ends its use.
func sessionFor(g *groupObject) (s *core.Session, done func(), err error) {
	if g.session != nil {
		return g.session.Session, func() {}, nil
	}
	c, err := inside()
	if err != nil {
		return nil, nil, faultf(errGroup, "the group is from no session")
	}
	s, err = c.OpenSession("MPI_Comm_create_from_group")
	return s, func() { _ = s.Finalize() }, err // the process has a world, so that nothing else ends with it
}

//export sctpmpi_Comm_create_from_group
func sctpmpi_Comm_create_from_group(group C.uintptr_t, tag *C.char, info, errhandler C.uintptr_t, newcomm *C.uintptr_t) C.int {
	return createFromGroups(group, info, errhandler, newcomm, func(s *core.Session, g *core.Group, hints *hints) (*core.Comm, error) {
		return s.CreateFromGroup(g, C.GoString(tag), hints)
	})
}

//export sctpmpi_Intercomm_create_from_groups
func sctpmpi_Intercomm_create_from_groups(local C.uintptr_t, leader C.int, remote C.uintptr_t, remoteLeader C.int, tag *C.char,
	info, errhandler C.uintptr_t, newcomm *C.uintptr_t) C.int {
	return createFromGroups(local, info, errhandler, newcomm, func(s *core.Session, g *core.Group, hints *hints) (*core.Comm, error) {
		far, err := groupOf(remote)
		if err != nil {
			return nil, err
		}
		return s.CreateIntercommFromGroups(g, int(leader), far.Group, int(remoteLeader), C.GoString(tag), hints)
	})
}

type hints = info.Info

// createFromGroups makes a communicator without another one, and gives it an error handler.
func createFromGroups(group, info, errhandler C.uintptr_t, to *C.uintptr_t,
	create func(s *core.Session, g *core.Group, h *hints) (*core.Comm, error)) C.int {
	g, err := groupOf(group)
	if err != nil {
		return fail(nil, err)
	}
	var of owner
	if g.session != nil {
		of = g.session
	}
	h, err := infoOf(info)
	if err != nil {
		return fail(of, err)
	}
	e, err := errhandlerOf(errhandler, handle.Comm)
	if err != nil {
		return fail(of, err)
	}
	if g.Size() == 0 {
		*to = commNull // without others, which do not call this
		return 0
	}
	s, done, err := sessionFor(g)
	if err != nil {
		return fail(of, err)
	}
	defer done()
	made, err := create(s, g.Group, h)
	if err != nil {
		return fail(of, err)
	}
	parent := new(comm)
	parent.handler.Store(e)
	return parent.giveComm(to, made, nil)
}
