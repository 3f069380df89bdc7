package main

// #include "sctpmpi.h"
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
	handle   handle.Handle
	attached attached // MPI_Session_attach_buffer
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

func mpiSessionInit(_ *info.Info, errhandler C.uintptr_t) (C.uintptr_t, error) {
	e, err := errhandlerOf(errhandler, handle.Session)
	if err != nil {
		return 0, err
	}
	set, err := settings()
	if err != nil {
		return 0, err
	}
	opened, err := core.OpenSession("MPI_Session_init", set)
	if err != nil {
		return 0, err
	}
	s := &session{Session: opened}
	s.handler.Store(e)
	if s.handle = sessions.Add(s); s.handle == 0 {
		_ = opened.Finalize() // the table is what has failed
		return 0, tooMany("sessions")
	}
	return C.uintptr_t(s.handle), nil
}

func mpiSessionFinalize(s *session, h *C.uintptr_t) error {
	if err := s.Finalize(); err != nil {
		return err
	}
	sessions.Remove(s.handle)
	*h = sessionNull
	return nil
}

func mpiSessionGetInfo(s *session) (*info.Info, error) {
	known := new(info.Info)
	return known, known.Set("MPI_Session_get_info", "thread_level", "MPI_THREAD_MULTIPLE")
}

func mpiSessionGetNumPsets(s *session, _ C.uintptr_t) (int, error) {
	sets, err := s.ProcessSets()
	return len(sets), err
}

func mpiSessionGetNthPset(s *session, _ C.uintptr_t, n int, room *C.int, name *C.char) error {
	sets, err := s.ProcessSets()
	if err != nil {
		return err
	}
	if n < 0 || n >= len(sets) {
		return faultf(errArg, "process set %d of %d", n, len(sets))
	}
	textTo(name, C.int64_t(*room), sets[n])
	*room = C.int(len(sets[n]) + 1)
	return nil
}

// setName is the name of a process set. MPI's own may be written in small letters, too, as MPICH has it.
func setName(text string) string {
	for _, known := range []string{"mpi://WORLD", "mpi://SELF"} {
		if strings.EqualFold(text, known) {
			return known
		}
	}
	return text
}

func mpiSessionGetPsetInfo(s *session, name string) (*info.Info, error) {
	return s.ProcessSetInfo(setName(name))
}

func mpiGroupFromSessionPset(s *session, name string) (*groupObject, error) {
	g, err := s.Group(setName(name))
	return &groupObject{g, s}, err
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

func mpiCommCreateFromGroup(g *groupObject, tag string, info, errhandler C.uintptr_t, newcomm *C.uintptr_t) C.int {
	return createFromGroups(g, info, errhandler, newcomm, func(s *core.Session, hints *hints) (*core.Comm, error) {
		return s.CreateFromGroup(g.Group, tag, hints)
	})
}

func mpiIntercommCreateFromGroups(g *groupObject, leader C.int, remote C.uintptr_t, remoteLeader C.int, tag string,
	info, errhandler C.uintptr_t, newcomm *C.uintptr_t) C.int {
	return createFromGroups(g, info, errhandler, newcomm, func(s *core.Session, hints *hints) (*core.Comm, error) {
		far, err := groupOf(remote)
		if err != nil {
			return nil, err
		}
		return s.CreateIntercommFromGroups(g.Group, int(leader), far.Group, int(remoteLeader), tag, hints)
	})
}

type hints = info.Info

// createFromGroups makes a communicator without another one, and gives it an error handler.
func createFromGroups(g *groupObject, info, errhandler C.uintptr_t, to *C.uintptr_t,
	create func(s *core.Session, h *hints) (*core.Comm, error)) C.int {
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
	made, err := create(s, h)
	if err != nil {
		return fail(of, err)
	}
	parent := new(comm)
	parent.handler.Store(e)
	return parent.giveComm(to, made, nil)
}
