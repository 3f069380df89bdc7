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
	"Replace": collective.Replace, "NoOp": collective.NoOp,
}

// recognized has the operation of each function that was seen, by the address of its code, without
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
	r := seen(op)
	if r.Combine == nil {
		r.Combine = onBytes(op)
	}
	return r
}

// seen returns what is known of op.
func seen[T any](op Op[T]) core.Op {
	pc := reflect.ValueOf(op).Pointer()
	if known := recognized.functions.Load(); known != nil {
		if r, ok := (*known)[pc]; ok {
			return r
		}
	}
	r := builtin(pc)
	if r.Reduction != 0 {
		r.Combine, r.Exact = onBytes(op), exact[T](r.Reduction)
	}
	remember(pc, r)
	return r
}

// exact reports whether an operation of this package groups elements of a type as it likes, to the bit.
func exact[T any](r collective.Reduction) bool {
	switch t := reflect.TypeFor[T](); t.Kind() {
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return r != collective.Sum && r != collective.Prod
	case reflect.Struct: // Located
		kind := t.Field(0).Type.Kind()
		return kind != reflect.Float32 && kind != reflect.Float64
	}
	return true
}

// onBytes returns op as a function of bytes.
func onBytes[T any](op Op[T]) func(left, right []byte) {
	return func(left, right []byte) { op(cast[T](left), cast[T](right)) }
}

var packageName = reflect.TypeFor[Comm]().PkgPath() + "."

// builtin recognizes an operation of this package by the name of its function, whose code is at pc.
func builtin(pc uintptr) core.Op {
	name, ours := strings.CutPrefix(runtime.FuncForPC(pc).Name(), packageName)
	name, generic := strings.CutSuffix(name, "[...]")
	if r := reductions[name]; ours && generic && r != 0 {
		return core.Op{Reduction: r, Op: schedule.Op{Commutes: r != collective.Replace && r != collective.NoOp}, Safe: true}
	}
	return core.Op{}
}

// remember notes what is known of the function whose code is at pc.
func remember(pc uintptr, op core.Op) {
	recognized.Lock()
	defer recognized.Unlock()
	functions := map[uintptr]core.Op{pc: op}
	if old := recognized.functions.Load(); old != nil {
		if _, known := (*old)[pc]; known {
			return
		}
		for pc, op := range *old {
			functions[pc] = op
		}
	}
	recognized.functions.Store(&functions)
}

// cast returns b, which is aligned for T, as a []T.
func cast[T any](b []byte) []T {
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}
