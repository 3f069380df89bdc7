package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

// NeighborAllgather sends send to all neighbours of this rank in the topology of c, and receives the vectors of those from
// which it receives, one after the other in recv (MPI_NEIGHBOR_ALLGATHER; MPI 4.1, section 8.6.1).
//
// The order of the neighbours is that of the topology. In a grid these are, for each dimension, the one before this rank and
// the one behind it; what a rank sends to the one behind arrives there as from the one before, even if both are the same rank.
// Where a grid has a border there is no neighbour, and the neighbour's part of recv is left as it is. In graphs the order is
// that of GraphNeighbors or DistGraphNeighbors, and of several edges between two ranks the first of one belongs to the first
// of the other. Lengths are to be the same for the sender and the receiver, not for all.
//
// c must have a topology: ErrTopology. A graph made by GraphCreate must have as many edges back as there are in one direction.
// Collective, as all neighbourhood collectives; ranks that are not neighbours do not wait for each other.
func NeighborAllgather[T any](c *Comm, send, recv []T) error {
	return blocking(c.core().NeighborAllgather(core.Blocking, view(send), view(recv)))
}

// NeighborAllgatherv is NeighborAllgather of vectors of different lengths: the layout, with a part for each neighbour, says where
// they go in recv (MPI_NEIGHBOR_ALLGATHERV; section 8.6.1).
func NeighborAllgatherv[T any](c *Comm, send, recv []T, layout Layout) error {
	return blocking(c.core().NeighborAllgatherv(core.Blocking, view(send), view(recv), core.Layout(layout)))
}

// NeighborAlltoall sends a part of send to each neighbour, and receives a part of recv from each
// (MPI_NEIGHBOR_ALLTOALL; section 8.6.2). The parts of each buffer have equal lengths. See NeighborAllgather.
func NeighborAlltoall[T any](c *Comm, send, recv []T) error {
	return blocking(c.core().NeighborAlltoall(core.Blocking, view(send), view(recv)))
}

// NeighborAlltoallv is NeighborAlltoall of parts of different lengths: the layouts, with a part for each neighbour, say
// where they are (MPI_NEIGHBOR_ALLTOALLV; section 8.6.2). send and recv may be one slice, if no part that is received
// overlaps another.
func NeighborAlltoallv[T any](c *Comm, send []T, sendLayout Layout, recv []T, recvLayout Layout) error {
	return blocking(c.core().NeighborAlltoallv(core.Blocking, view(send), core.Layout(sendLayout), view(recv), core.Layout(recvLayout)))
}

// IneighborAllgather is NeighborAllgather that does not wait (MPI_INEIGHBOR_ALLGATHER; section 8.7.1). See Ibcast.
func IneighborAllgather[T any](c *Comm, send, recv []T) (*Request, error) {
	return newRequest(c.core().NeighborAllgather(core.Nonblocking, view(send), view(recv)))
}

// IneighborAllgatherv is NeighborAllgatherv that does not wait (MPI_INEIGHBOR_ALLGATHERV; section 8.7.1). See Ibcast.
func IneighborAllgatherv[T any](c *Comm, send, recv []T, layout Layout) (*Request, error) {
	return newRequest(c.core().NeighborAllgatherv(core.Nonblocking, view(send), view(recv), core.Layout(layout)))
}

// IneighborAlltoall is NeighborAlltoall that does not wait (MPI_INEIGHBOR_ALLTOALL; section 8.7.2). See Ibcast.
func IneighborAlltoall[T any](c *Comm, send, recv []T) (*Request, error) {
	return newRequest(c.core().NeighborAlltoall(core.Nonblocking, view(send), view(recv)))
}

// IneighborAlltoallv is NeighborAlltoallv that does not wait (MPI_INEIGHBOR_ALLTOALLV; section 8.7.2). See Ibcast.
func IneighborAlltoallv[T any](c *Comm, send []T, sendLayout Layout, recv []T, recvLayout Layout) (*Request, error) {
	return newRequest(c.core().NeighborAlltoallv(core.Nonblocking, view(send), core.Layout(sendLayout), view(recv), core.Layout(recvLayout)))
}

// NeighborAllgatherInit is BcastInit for NeighborAllgather (MPI_NEIGHBOR_ALLGATHER_INIT; section 8.8.1).
func NeighborAllgatherInit[T any](c *Comm, send, recv []T) (*Request, error) {
	return newRequest(c.core().NeighborAllgather(core.Persistent, view(send), view(recv)))
}

// NeighborAllgathervInit is BcastInit for NeighborAllgatherv (MPI_NEIGHBOR_ALLGATHERV_INIT; section 8.8.1).
func NeighborAllgathervInit[T any](c *Comm, send, recv []T, layout Layout) (*Request, error) {
	return newRequest(c.core().NeighborAllgatherv(core.Persistent, view(send), view(recv), core.Layout(layout)))
}

// NeighborAlltoallInit is BcastInit for NeighborAlltoall (MPI_NEIGHBOR_ALLTOALL_INIT; section 8.8.2).
func NeighborAlltoallInit[T any](c *Comm, send, recv []T) (*Request, error) {
	return newRequest(c.core().NeighborAlltoall(core.Persistent, view(send), view(recv)))
}

// NeighborAlltoallvInit is BcastInit for NeighborAlltoallv (MPI_NEIGHBOR_ALLTOALLV_INIT; section 8.8.2).
func NeighborAlltoallvInit[T any](c *Comm, send []T, sendLayout Layout, recv []T, recvLayout Layout) (*Request, error) {
	return newRequest(c.core().NeighborAlltoallv(core.Persistent, view(send), core.Layout(sendLayout), view(recv), core.Layout(recvLayout)))
}
