package mpi

import (
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
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

// reduction is the number of an Op of this package: Sum, Max and the like. 0 is any other
// function.
type reduction uint8

// reductions are the functions of this package that are an Op, and what they
// do, in the order of their numbers.
var reductions = [...]struct{ function, what string }{
	{}, {"Sum", "sum"}, {"Prod", "product"}, {"Max", "max"}, {"Min", "min"},
	{"LogicalAnd", "logical and"}, {"LogicalOr", "logical or"}, {"LogicalXor", "logical xor"},
	{"BitAnd", "bitwise and"}, {"BitOr", "bitwise or"}, {"BitXor", "bitwise xor"},
	{"MaxLoc", "max with location"}, {"MinLoc", "min with location"},
}

func (r reduction) String() string {
	if int(r) < len(reductions) && r > 0 {
		return reductions[r].what
	}
	return "an operation of its own"
}

// recognized has the reduction of each function that was seen, by its address.
// It is replaced when one is added.
var recognized struct {
	sync.Mutex
	functions atomic.Pointer[map[uintptr]reduction]
}

// recognize returns which of this package's operations op is. It knows them by
// the names of functions. In a generic function of the program's they have
// others, and are not recognized.
func recognize[T any](op Op[T]) reduction {
	pc := reflect.ValueOf(op).Pointer()
	if known := recognized.functions.Load(); known != nil {
		if r, ok := (*known)[pc]; ok {
			return r
		}
	}
	return remember(pc)
}

var packageName = reflect.TypeFor[Comm]().PkgPath() + "."

func remember(pc uintptr) (r reduction) {
	name, ours := strings.CutPrefix(runtime.FuncForPC(pc).Name(), packageName)
	name, generic := strings.CutSuffix(name, "[...]")
	for i, known := range reductions {
		if ours && generic && name == known.function {
			r = reduction(i)
		}
	}
	recognized.Lock()
	defer recognized.Unlock()
	functions := map[uintptr]reduction{pc: r}
	if old := recognized.functions.Load(); old != nil {
		for pc, r := range *old {
			functions[pc] = r
		}
	}
	recognized.functions.Store(&functions)
	return r
}
