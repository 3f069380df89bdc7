package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

// Collective operations on Data. Those that put the vectors of all ranks into one Data, or divide one among ranks, do it in whole
// elements of the Data: the rows, columns or blocks that it was made of. So ScatterData of m.Columns(0, n) gives each rank some
// columns, and the counts and displacements of a Layout are columns too. Ranks may pass different Data if they have the
// same numbers in the same order. In errors the operations have the names of those on slices. Alltoallw exchanges Data of
// different lengths.

// BcastData is Bcast of Data.
func BcastData(c *Comm, d Data, root int) error {
	return blocking(c.core().Bcast(core.Blocking, d.memory(), root))
}

// GatherData is Gather of Data. At ranks other than root recv is not used, and may be Data{}.
func GatherData(c *Comm, send, recv Data, root int) error {
	return blocking(c.core().Gather(core.Blocking, send.memory(), recv.memory(), root))
}

// ScatterData is Scatter of Data. At ranks other than root send is not used, and may be Data{}.
func ScatterData(c *Comm, send, recv Data, root int) error {
	return blocking(c.core().Scatter(core.Blocking, send.memory(), recv.memory(), root))
}

// AllgatherData is Allgather of Data.
func AllgatherData(c *Comm, send, recv Data) error {
	return blocking(c.core().Allgather(core.Blocking, send.memory(), recv.memory()))
}

// GathervData is Gatherv of Data. At ranks other than root recv and layout are not used.
func GathervData(c *Comm, send, recv Data, layout Layout, root int) error {
	return blocking(c.core().Gatherv(core.Blocking, send.memory(), recv.memory(), core.Layout(layout), root))
}

// ScattervData is Scatterv of Data. At ranks other than root send and layout are not used.
func ScattervData(c *Comm, send Data, layout Layout, recv Data, root int) error {
	return blocking(c.core().Scatterv(core.Blocking, send.memory(), core.Layout(layout), recv.memory(), root))
}

// AllgathervData is Allgatherv of Data. What the layout gives each rank must have the same length in bytes on all ranks.
func AllgathervData(c *Comm, send, recv Data, layout Layout) error {
	return blocking(c.core().Allgatherv(core.Blocking, send.memory(), recv.memory(), core.Layout(layout)))
}

// AlltoallData is Alltoall of Data. With columns on one side and rows on the other it transposes a matrix that is divided
// among ranks.
func AlltoallData(c *Comm, send, recv Data) error {
	return blocking(c.core().Alltoall(core.Blocking, send.memory(), recv.memory()))
}

// IbcastData is BcastData that does not wait. See Ibcast.
func IbcastData(c *Comm, d Data, root int) (*Request, error) {
	return newRequest(c.core().Bcast(core.Nonblocking, d.memory(), root))
}

// IgatherData is GatherData that does not wait. See Ibcast.
func IgatherData(c *Comm, send, recv Data, root int) (*Request, error) {
	return newRequest(c.core().Gather(core.Nonblocking, send.memory(), recv.memory(), root))
}

// IscatterData is ScatterData that does not wait. See Ibcast.
func IscatterData(c *Comm, send, recv Data, root int) (*Request, error) {
	return newRequest(c.core().Scatter(core.Nonblocking, send.memory(), recv.memory(), root))
}

// IallgatherData is AllgatherData that does not wait. See Ibcast.
func IallgatherData(c *Comm, send, recv Data) (*Request, error) {
	return newRequest(c.core().Allgather(core.Nonblocking, send.memory(), recv.memory()))
}

// IgathervData is GathervData that does not wait. See Ibcast.
func IgathervData(c *Comm, send, recv Data, layout Layout, root int) (*Request, error) {
	return newRequest(c.core().Gatherv(core.Nonblocking, send.memory(), recv.memory(), core.Layout(layout), root))
}

// IscattervData is ScattervData that does not wait. See Ibcast.
func IscattervData(c *Comm, send Data, layout Layout, recv Data, root int) (*Request, error) {
	return newRequest(c.core().Scatterv(core.Nonblocking, send.memory(), core.Layout(layout), recv.memory(), root))
}

// IallgathervData is AllgathervData that does not wait. See Ibcast.
func IallgathervData(c *Comm, send, recv Data, layout Layout) (*Request, error) {
	return newRequest(c.core().Allgatherv(core.Nonblocking, send.memory(), recv.memory(), core.Layout(layout)))
}

// IalltoallData is AlltoallData that does not wait. See Ibcast.
func IalltoallData(c *Comm, send, recv Data) (*Request, error) {
	return newRequest(c.core().Alltoall(core.Nonblocking, send.memory(), recv.memory()))
}

// BcastDataInit is BcastInit of Data. So are the following: each run sends what the Data holds when it is started.
func BcastDataInit(c *Comm, d Data, root int) (*Request, error) {
	return newRequest(c.core().Bcast(core.Persistent, d.memory(), root))
}

// GatherDataInit is BcastInit for GatherData.
func GatherDataInit(c *Comm, send, recv Data, root int) (*Request, error) {
	return newRequest(c.core().Gather(core.Persistent, send.memory(), recv.memory(), root))
}

// ScatterDataInit is BcastInit for ScatterData.
func ScatterDataInit(c *Comm, send, recv Data, root int) (*Request, error) {
	return newRequest(c.core().Scatter(core.Persistent, send.memory(), recv.memory(), root))
}

// AllgatherDataInit is BcastInit for AllgatherData.
func AllgatherDataInit(c *Comm, send, recv Data) (*Request, error) {
	return newRequest(c.core().Allgather(core.Persistent, send.memory(), recv.memory()))
}

// AlltoallDataInit is BcastInit for AlltoallData.
func AlltoallDataInit(c *Comm, send, recv Data) (*Request, error) {
	return newRequest(c.core().Alltoall(core.Persistent, send.memory(), recv.memory()))
}
