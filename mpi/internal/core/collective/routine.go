package collective

import "strings"

// Routine is a collective operation.
type Routine uint8

// The collective operations. They are at most 31: see terms.
const (
	Barrier Routine = 1 + iota
	Bcast
	Gather
	Gatherv
	Scatter
	Scatterv
	Allgather
	Allgatherv
	Alltoall
	Alltoallv
	Alltoallw
	Reduce
	Allreduce
	ReduceScatter
	ReduceScatterBlock
	Scan
	Exscan
	NeighborAllgather
	NeighborAllgatherv
	NeighborAlltoall
	NeighborAlltoallv
	NeighborAlltoallw
	Dup
	Split
	Free
	Finalize
	Create
	routineEnd
)

var routineNames = [routineEnd]string{
	Barrier:            "mpi.Barrier",
	Bcast:              "mpi.Bcast",
	Gather:             "mpi.Gather",
	Gatherv:            "mpi.Gatherv",
	Scatter:            "mpi.Scatter",
	Scatterv:           "mpi.Scatterv",
	Allgather:          "mpi.Allgather",
	Allgatherv:         "mpi.Allgatherv",
	Alltoall:           "mpi.Alltoall",
	Alltoallv:          "mpi.Alltoallv",
	Alltoallw:          "mpi.Alltoallw",
	Reduce:             "mpi.Reduce",
	Allreduce:          "mpi.Allreduce",
	ReduceScatter:      "mpi.ReduceScatter",
	ReduceScatterBlock: "mpi.ReduceScatterBlock",
	Scan:               "mpi.Scan",
	Exscan:             "mpi.Exscan",
	NeighborAllgather:  "mpi.NeighborAllgather",
	NeighborAllgatherv: "mpi.NeighborAllgatherv",
	NeighborAlltoall:   "mpi.NeighborAlltoall",
	NeighborAlltoallv:  "mpi.NeighborAlltoallv",
	NeighborAlltoallw:  "mpi.NeighborAlltoallw",
	Dup:                "mpi.Dup",
	Split:              "mpi.Split",
	Free:               "mpi.Free",
	Finalize:           "mpi.Finalize",
	Create:             "mpi.Create",
}

// Op is the name of the operation in errors.
func (r Routine) Op() string {
	if r < routineEnd && r > 0 {
		return routineNames[r]
	}
	return "an operation unknown here"
}

// nonblocking has the names of the operations that do not wait.
var nonblocking = func() (names [routineEnd]string) {
	for r, name := range routineNames {
		bare := strings.TrimPrefix(name, "mpi.")
		if bare != "" {
			names[r] = "mpi.I" + strings.ToLower(bare[:1]) + bare[1:]
		}
	}
	return names
}()

// String is its name without the package's.
func (r Routine) String() string { return strings.TrimPrefix(r.Op(), "mpi.") }
