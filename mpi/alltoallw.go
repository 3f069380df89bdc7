package mpi

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

// memories is what several Data are for package core.
func memories(d []Data) []core.Buffer { return *(*[]core.Buffer)(unsafe.Pointer(&d)) }

// Alltoallw is Alltoallv of Data: send[i] goes to rank i, and recv[i] is where what rank i sends goes (MPI_ALLTOALLW; MPI
// 4.1, section 6.8). Each has its own type and place in memory, such as a block of a matrix. Two ranks agree on the length
// and the type of what goes from one to the other; the zero Data is nothing. What is received must not overlap anything
// else; this is checked of Data that is one piece. If send is nil what is received in recv replaces what is sent
// (MPI_IN_PLACE); a copy is sent. Collective.
func Alltoallw(c *Comm, send, recv []Data) error {
	return blocking(c.core().Alltoallw(core.Blocking, memories(send), memories(recv)))
}

// Ialltoallw is Alltoallw that does not wait (MPI_IALLTOALLW; section 6.12.6). See Ibcast. The slices send and recv may be
// used again at once; what they name may not.
func Ialltoallw(c *Comm, send, recv []Data) (*Request, error) {
	return newRequest(c.core().Alltoallw(core.Nonblocking, memories(send), memories(recv)))
}

// AlltoallwInit is BcastInit for Alltoallw (MPI_ALLTOALLW_INIT; section 6.13.6).
func AlltoallwInit(c *Comm, send, recv []Data) (*Request, error) {
	return newRequest(c.core().Alltoallw(core.Persistent, memories(send), memories(recv)))
}

// NeighborAlltoallw is NeighborAlltoall of Data, one for each neighbour (MPI_NEIGHBOR_ALLTOALLW; section 8.6.2): see
// Alltoallw. So the borders of a matrix go to the neighbours in a grid, and theirs come into its halo, columns as well as
// rows. What is given for a neighbour beyond a border is not used.
func NeighborAlltoallw(c *Comm, send, recv []Data) error {
	return blocking(c.core().NeighborAlltoallw(core.Blocking, memories(send), memories(recv)))
}

// IneighborAlltoallw is NeighborAlltoallw that does not wait (MPI_INEIGHBOR_ALLTOALLW; section 8.7.2). See Ialltoallw.
func IneighborAlltoallw(c *Comm, send, recv []Data) (*Request, error) {
	return newRequest(c.core().NeighborAlltoallw(core.Nonblocking, memories(send), memories(recv)))
}

// NeighborAlltoallwInit is BcastInit for NeighborAlltoallw (MPI_NEIGHBOR_ALLTOALLW_INIT; section 8.8.2).
func NeighborAlltoallwInit(c *Comm, send, recv []Data) (*Request, error) {
	return newRequest(c.core().NeighborAlltoallw(core.Persistent, memories(send), memories(recv)))
}
