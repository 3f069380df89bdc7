package mpi

import (
	"os"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

// Session is a library's own way to MPI, which needs no communicator of its caller (MPI 4.1, section 11.3). It knows sets of
// processes by names, and makes communicators of groups of them. A process may have any number of sessions, beside the world of Init
// or Run or without one. All have the same processes and connections.
type Session struct{ session core.Session }

func (s *Session) core() *core.Session { return (*core.Session)(unsafe.Pointer(s)) }

// OpenSession returns a new session of this process (MPI_SESSION_INIT; section 11.3.1). If the process is in no job yet it becomes a
// member as in Init, with these options, the errors of Init, and all that Init says of launchers: it waits until all processes of
// the job have called OpenSession or Init. Else the process keeps the options with which it has begun. WithContext also bounds
// what the session's methods wait for.
//
// Init may be called after OpenSession, with no more options. Finalize each session with Session.Finalize. In RunLocal,
// where one process has many ranks, use Comm.OpenSession.
func OpenSession(options ...Option) (*Session, error) {
	const op = "mpi.OpenSession"
	s, err := newSettings(op, os.Getenv, options)
	if err != nil {
		return nil, err
	}
	return newSession(core.OpenSession(op, s))
}

// OpenSession returns a new session of the process that has this communicator: what the function OpenSession does, for ranks
// of RunLocal too. Its methods give up when the context of the view does.
func (c *Comm) OpenSession() (*Session, error) {
	return newSession(c.core().OpenSession("mpi.Comm.OpenSession"))
}

func newSession(s *core.Session, err error) (*Session, error) {
	return (*Session)(unsafe.Pointer(s)), public(err)
}

// Finalize ends the session (MPI_SESSION_FINALIZE; section 11.3.1). All communication of its communicators must be complete. They are
// usable as long as the process is in its job, which it leaves with the last session and the world: as Comm.Finalize does, with the
// same errors, and waiting for all processes of the job. If the process has called Init or Run, all sessions are finalized before
// the world, whose Finalize returns ErrSession otherwise, and does not end the process's part. ErrSession: it has been finalized.
func (s *Session) Finalize() error { return public(s.core().Finalize()) }

// ProcessSets are the names of the process sets (MPI_SESSION_GET_NUM_PSETS and MPI_SESSION_GET_NTH_PSET; section 11.3.3): mpi://WORLD, all
// processes of the job; mpi://SELF, this one; mpix://SHARED, those of this host, as far as the launcher says which these are.
func (s *Session) ProcessSets() ([]string, error) { return valueOr(s.core().ProcessSets()) }

// ProcessSetInfo is what is known of a process set (MPI_SESSION_GET_PSET_INFO; section 11.3.3): mpi_size, how many processes it has.
// ErrArg: there is no such set.
func (s *Session) ProcessSetInfo(set string) (*Info, error) {
	known, err := s.core().ProcessSetInfo(set)
	return newInfo(known), public(err)
}

// Group is the group of a process set (MPI_GROUP_FROM_SESSION_PSET; section 7.3.2). ErrArg: there is no such set.
func (s *Session) Group(set string) (*Group, error) { return groupOr(s.core().Group(set)) }

// CreateFromGroup makes a communicator of the processes of a group (MPI_COMM_CREATE_FROM_GROUP; section 7.4.2). They all call it,
// with the same group, tag and hints, and no others do (ErrArg). The tag, of at most 255 bytes (ErrTag), keeps calls apart that
// different goroutines make at a time. hints may be nil: see Comm.SetInfo. The empty group gives nil, and waits for none. Give
// the communicator back with Free.
func (s *Session) CreateFromGroup(g *Group, tag string, hints *Info) (*Comm, error) {
	return commOr(s.core().CreateFromGroup(g.core(), tag, hints.core()))
}

// CreateIntercommFromGroups makes an intercommunicator of two groups that have no process in common (MPI_INTERCOMM_CREATE_FROM_GROUPS;
// section 7.6.2). All their processes call it, with their own group first, the ranks of the leaders in each, and tag and hints
// as in CreateFromGroup. If a group is empty the result is nil, and waits for none. See Comm.CreateIntercomm.
func (s *Session) CreateIntercommFromGroups(local *Group, leader int, remote *Group, remoteLeader int, tag string, hints *Info) (*Comm, error) {
	return commOr(s.core().CreateIntercommFromGroups(local.core(), leader, remote.core(), remoteLeader, tag, hints.core()))
}
