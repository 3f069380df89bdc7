package core

import (
	"strings"
)

// routine is a collective operation.
type routine uint8

const (
	opBarrier routine = 1 + iota
	opBcast
	opGather
	opGatherv
	opScatter
	opScatterv
	opAllgather
	opAllgatherv
	opAlltoall
	opAlltoallv
	opReduce
	opAllreduce
	opScan
	opExscan
	opDup
	opSplit
	opFree
	opFinalize
	routineEnd
)

var routineNames = [routineEnd]string{
	opBarrier: "mpi.Barrier", opBcast: "mpi.Bcast", opGather: "mpi.Gather", opGatherv: "mpi.Gatherv",
	opScatter: "mpi.Scatter", opScatterv: "mpi.Scatterv", opAllgather: "mpi.Allgather", opAllgatherv: "mpi.Allgatherv",
	opAlltoall: "mpi.Alltoall", opAlltoallv: "mpi.Alltoallv", opReduce: "mpi.Reduce", opAllreduce: "mpi.Allreduce",
	opScan: "mpi.Scan", opExscan: "mpi.Exscan", opDup: "mpi.Dup", opSplit: "mpi.Split", opFree: "mpi.Free",
	opFinalize: "mpi.Finalize",
}

// op is the name of the operation in errors.
func (r routine) op() string {
	if r < routineEnd && r > 0 {
		return routineNames[r]
	}
	return "an operation unknown here"
}

// String is its name without the package's.
func (r routine) String() string { return strings.TrimPrefix(r.op(), "mpi.") }
