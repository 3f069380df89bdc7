package mpi

import (
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

// reductions are the functions of this package that are an Op.
var reductions = map[string]core.Reduction{
	"Sum": core.Sum, "Prod": core.Prod, "Max": core.Max, "Min": core.Min,
	"LogicalAnd": core.LogicalAnd, "LogicalOr": core.LogicalOr, "LogicalXor": core.LogicalXor,
	"BitAnd": core.BitAnd, "BitOr": core.BitOr, "BitXor": core.BitXor,
	"MaxLoc": core.MaxLoc, "MinLoc": core.MinLoc,
}

// recognized has the reduction of each function that was seen, by its address.
// It is replaced when one is added.
var recognized struct {
	sync.Mutex
	functions atomic.Pointer[map[uintptr]core.Reduction]
}

// recognize returns which of this package's operations op is. It knows them by
// the names of functions. In a generic function of the program's they have
// others, and are not recognized.
func recognize[T any](op Op[T]) core.Reduction {
	pc := reflect.ValueOf(op).Pointer()
	if known := recognized.functions.Load(); known != nil {
		if r, ok := (*known)[pc]; ok {
			return r
		}
	}
	return remember(pc)
}

var packageName = reflect.TypeFor[Comm]().PkgPath() + "."

func remember(pc uintptr) (r core.Reduction) {
	name, ours := strings.CutPrefix(runtime.FuncForPC(pc).Name(), packageName)
	name, generic := strings.CutSuffix(name, "[...]")
	if ours && generic {
		r = reductions[name]
	}
	recognized.Lock()
	defer recognized.Unlock()
	functions := map[uintptr]core.Reduction{pc: r}
	if old := recognized.functions.Load(); old != nil {
		for pc, r := range *old {
			functions[pc] = r
		}
	}
	recognized.functions.Store(&functions)
	return r
}

// combining returns op as a function of views; nil if op is nil.
func combining[T any](op Op[T]) core.Combine {
	if op == nil {
		return nil
	}
	return func(left, right []byte) { op(cast[T](left), cast[T](right)) }
}

// cast returns b, which is aligned for T, as a []T.
func cast[T any](b []byte) []T {
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}
