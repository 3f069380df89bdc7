package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

// Dup returns a communicator with the same processes, in the same order, and
// a space of messages of its own (MPI_COMM_DUP; MPI 4.1, section 7.4.2): what
// a library takes so that its messages never meet its caller's. It gets the hints of c,
// and the attributes whose keys say so. Collective.
// Give it back with Free: a process can have 16,000 communicators at a time
// (ErrOther).
func (c *Comm) Dup() (*Comm, error) { return commOr(c.core().Dup()) }

// DupWithInfo is Dup with these hints in place of those of c (MPI_COMM_DUP_WITH_INFO; section 7.4.2). See Comm.SetInfo.
// All ranks pass the same hints. Collective.
func (c *Comm) DupWithInfo(hints *Info) (*Comm, error) {
	return commOr(c.core().DupWithInfo(hints.core()))
}

// Idup is Dup that does not wait (MPI_COMM_IDUP; section 7.4.2). The communicator can be used, and freed, when the request has
// completed without an error; before that its operations return ErrComm. Collective; see Ibcast.
func (c *Comm) Idup() (*Comm, *Request, error) { return c.IdupWithInfo(nil) }

// IdupWithInfo is Idup with these hints in place of those of c, unless they are nil (MPI_COMM_IDUP_WITH_INFO; section
// 7.4.2).
func (c *Comm) IdupWithInfo(hints *Info) (*Comm, *Request, error) {
	dup, request, err := c.core().Idup(hints.core())
	r, err := newRequest(request, err)
	return newComm(dup), r, err
}

// Split divides the processes into communicators: those that pass the same
// color get one together, in the order of their keys, and of their ranks in c
// where keys are equal (MPI_COMM_SPLIT; section 7.4.2). The color is not
// negative, or Undefined for a rank that wants none: it gets nil. Collective.
// Give the communicator back with Free.
//
// Those of an intercommunicator are intercommunicators, between the processes
// of a color in its two groups. A color that only one of the groups has gets nil.
func (c *Comm) Split(color, key int) (*Comm, error) { return commOr(c.core().Split(color, key)) }

// SplitKind says how Comm.SplitType divides.
type SplitKind int

// The kinds of SplitType. Undefined is one too, for a rank that wants no communicator.
const (
	// SplitShared: the processes of each host together (MPI_COMM_TYPE_SHARED). Where the launcher does not say which
	// they are each process counts as alone on a host.
	SplitShared = SplitKind(core.SplitShared)
	// SplitHWGuided and SplitHWUnguided: by the hardware within a host (MPI_COMM_TYPE_HW_GUIDED, …_UNGUIDED). This library
	// knows none, so that all ranks get nil, as MPI has it.
	SplitHWGuided   = SplitKind(core.SplitHWGuided)
	SplitHWUnguided = SplitKind(core.SplitHWUnguided)
)

// SplitType divides the processes by what they share, in the order of their keys (MPI_COMM_SPLIT_TYPE; section 7.4.2). All
// ranks pass the same kind, or Undefined. On intercommunicators it does as Split does. Collective.
func (c *Comm) SplitType(kind SplitKind, key int) (*Comm, error) {
	return commOr(c.core().SplitType(core.SplitKind(kind), key))
}

// Create returns a communicator of the processes of a group, in its order (MPI_COMM_CREATE; section 7.4.2). All ranks of c
// call it, and all in the group pass the same group; other ranks may pass another group, with other processes. Ranks that are
// not in the group that they pass get nil. Errors are ErrArg if a group has a process that c does not have, or ranks of a
// group pass different ones. Collective.
//
// On an intercommunicator the group has processes of this rank's group only, and all in this rank's group pass the same. The
// result is an intercommunicator between the groups that the two sides pass; all get nil if one of these is empty.
func (c *Comm) Create(g *Group) (*Comm, error) { return commOr(c.core().Create(g.core())) }

// CreateGroup is Create that only the ranks of the group call (MPI_COMM_CREATE_GROUP; section 7.4.2). Calls of several
// goroutines that may be under way at the same time have different tags, which have nothing to do with those of messages.
// Intercommunicators do not have it (ErrComm), as MPI has it.
func (c *Comm) CreateGroup(g *Group, tag int) (*Comm, error) {
	return commOr(c.core().CreateGroup(g.core(), tag))
}

// Self is the communicator of this process alone (MPI_COMM_SELF; section 7.4). It is the same one whatever communicator it is
// asked of, and cannot be freed. Its attributes are deleted first in Finalize (section 11.2.4). It is nil if c is.
func (c *Comm) Self() *Comm { return newComm(c.core().Self()) }

// Free gives a communicator back (MPI_COMM_FREE; section 7.4.3). All ranks call it, but none waits for the others; Finalize
// does, and fails with ErrOther if one of them calls it and has not freed c. Until all have freed it c counts among the 16,000
// communicators that a process can have, but for 256.
// Operations on c then fail with ErrComm. Requests that were started before complete normally, as do messages that other
// ranks have sent and a receive waits for. The world communicator cannot be freed. The functions of attributes' keys are
// called, those of the last attributes first; c is freed even if one of them fails.
func (c *Comm) Free() error { return public(c.core().Free()) }
