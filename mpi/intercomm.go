package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

// Root is the root of a collective operation on an intercommunicator, as the root itself names it (MPI_ROOT). The others of its
// group pass ProcNull and have no part in the operation; the ranks of the other group pass the root's rank.
const Root = core.Root

// CreateIntercomm returns an intercommunicator of the group of c and another group, which have no process in common
// (MPI_INTERCOMM_CREATE; MPI 4.1, section 7.6.2). Its messages go from one group to the other: ranks in sends and receives are
// those of the other group, Size and Rank those of this one. All ranks of c call it with the same leader, a rank of c. The
// leaders of the two groups find each other on the communicator between: remoteLeader is the rank of the other one there. Other
// ranks may pass nil for between. tag, the same for both leaders, has nothing to do with those of messages. If one of the
// leaders fails all ranks of both groups do.
//
// Collective operations on it send from each group to the other one (section 6.2.3). Where there is a root it passes Root,
// the others of its group pass ProcNull, and those of the other group its rank. Buffers have a part for each rank of the
// other group; there is no in-place form. All forms, blocking, nonblocking and persistent, are there for slices, Data and
// single values. Scan and Exscan, CreateGroup, topologies, windows, files, and collective operations with objects and slices of
// unknown lengths are not (ErrComm). Dup, Split, SplitType, Create, Free, attributes, names and hints are.
func (c *Comm) CreateIntercomm(leader int, between *Comm, remoteLeader, tag int) (*Comm, error) {
	return commOr(c.core().CreateIntercomm(leader, between.core(), remoteLeader, tag))
}

// Merge returns a communicator of both groups of an intercommunicator (MPI_INTERCOMM_MERGE; section 7.6.2). The ranks of a group
// all pass the same high: a group that passes true comes behind one that passes false. Collective.
func (c *Comm) Merge(high bool) (*Comm, error) { return commOr(c.core().Merge(high)) }

// Inter reports whether c is an intercommunicator (MPI_COMM_TEST_INTER; section 7.6.1).
func (c *Comm) Inter() bool { return c.core().Inter() }

// RemoteSize is the number of processes of the other group (MPI_COMM_REMOTE_SIZE; section 7.6.1); 0 if c is no
// intercommunicator.
func (c *Comm) RemoteSize() int { return c.core().RemoteSize() }

// RemoteGroup is the other group (MPI_COMM_REMOTE_GROUP; section 7.6.1); nil if c is no intercommunicator.
func (c *Comm) RemoteGroup() *Group { return newGroup(c.core().RemoteGroup()) }
