package mpi

import (
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
)

// reductions are the functions of this package that are an Op.
var reductions = map[string]collective.Reduction{
	"Sum": collective.Sum, "Prod": collective.Prod, "Max": collective.Max, "Min": collective.Min,
	"LogicalAnd": collective.LogicalAnd, "LogicalOr": collective.LogicalOr, "LogicalXor": collective.LogicalXor,
	"BitAnd": collective.BitAnd, "BitOr": collective.BitOr, "BitXor": collective.BitXor,
	"MaxLoc": collective.MaxLoc, "MinLoc": collective.MinLoc,
}

// recognized has the operation of each function that was seen, by its address, without
// Combine if it is not one of this package. It is replaced when one is added.
var recognized struct {
	sync.Mutex
	functions atomic.Pointer[map[uintptr]core.Op]
}

// reduction returns op as an operation on bytes. It knows the operations of this package by
// the names of functions. In a generic function of the program's they have
// others, and are not recognized. Those that are call no function of the program, and so may run at any time.
func reduction[T any](op Op[T]) core.Op {
	if op == nil {
		return core.Op{}
	}
	pc, known := reflect.ValueOf(op).Pointer(), recognized.functions.Load()
	var r core.Op
	ok := false
	if known != nil {
		r, ok = (*known)[pc]
	}
	if !ok {
		r = remember(pc, onBytes(op))
	}
	if r.Combine == nil {
		r.Combine = onBytes(op)
	}
	return r
}

// onBytes returns op as a function of bytes.
func onBytes[T any](op Op[T]) func(left, right []byte) {
	return func(left, right []byte) { op(cast[T](left), cast[T](right)) }
}

var packageName = reflect.TypeFor[Comm]().PkgPath() + "."

// remember recognizes the function at an address. combine is that function, of which there is one for each element type.
func remember(pc uintptr, combine func(left, right []byte)) (op core.Op) {
	name, ours := strings.CutPrefix(runtime.FuncForPC(pc).Name(), packageName)
	name, generic := strings.CutSuffix(name, "[...]")
	if r := reductions[name]; ours && generic && r != 0 {
		op = core.Op{Combine: combine, Reduction: r, Op: schedule.Op{Commutes: true}, Safe: true}
	}
	recognized.Lock()
	defer recognized.Unlock()
	functions := map[uintptr]core.Op{pc: op}
	if old := recognized.functions.Load(); old != nil {
		for pc, op := range *old {
			functions[pc] = op
		}
	}
	recognized.functions.Store(&functions)
	return op
}

// cast returns b, which is aligned for T, as a []T.
func cast[T any](b []byte) []T {
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}
