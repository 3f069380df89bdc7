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
	SetInfo
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
	SetInfo:            "mpi.Comm.SetInfo",
}

// Op is the name of the operation in errors.
func (r Routine) Op() string {
	if r < routineEnd && r > 0 {
		return routineNames[r]
	}
	return "an operation unknown here"
}

// Form is how an operation is called.
type Form uint8

// The forms of a collective operation (MPI 4.1, sections 6.1, 6.12 and 6.13).
const (
	Blocking Form = iota
	Nonblocking
	Persistent
)

// names has the names of the operations in all forms.
var names = func() (names [Persistent + 1][routineEnd]string) {
	names[Blocking] = routineNames
	for r, name := range routineNames {
		if bare := strings.TrimPrefix(name, "mpi."); bare != "" {
			names[Nonblocking][r] = "mpi.I" + strings.ToLower(bare[:1]) + bare[1:]
			names[Persistent][r] = name + "Init"
		}
	}
	return names
}()

// name is the name in errors of an operation that is called in this form.
func (f Form) name(r Routine) string { return names[f][r] }

// String is its name without the package's.
func (r Routine) String() string { return strings.TrimPrefix(r.Op(), "mpi.") }
