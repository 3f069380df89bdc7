package main

/*
#include "foreign.h"
*/
import "C"

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	arithmetic "github.com/sctpmpi/sctpmpi/mpi/internal/core/combine"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

// foreignOps and foreignKinds are the numbers of foreign.h.
var (
	foreignOps = map[collective.Reduction]C.int{
		collective.Sum: C.foreign_sum, collective.Prod: C.foreign_prod, collective.Max: C.foreign_max, collective.Min: C.foreign_min,
		collective.LogicalAnd: C.foreign_land, collective.LogicalOr: C.foreign_lor, collective.LogicalXor: C.foreign_lxor,
		collective.BitAnd: C.foreign_band, collective.BitOr: C.foreign_bor, collective.BitXor: C.foreign_bxor,
		collective.MaxLoc: C.foreign_maxloc, collective.MinLoc: C.foreign_minloc,
	}
	foreignKinds = map[datatype.Kind]C.int{
		datatype.Int128: C.foreign_int128, datatype.Float16: C.foreign_float16, datatype.LongDouble: C.foreign_long_double,
		datatype.Float128: C.foreign_float128, datatype.Complex32: C.foreign_complex32,
		datatype.LongDoubleComplex: C.foreign_long_double_complex, datatype.Complex256: C.foreign_complex256,
		datatype.Logical16: C.foreign_logical16, datatype.LongDoubleInt: C.foreign_long_double_int,
	}
)

func init() { arithmetic.Foreign = foreign }

// foreign is Foreign of package combine: C combines what Go cannot.
func foreign(r collective.Reduction, k datatype.Kind) arithmetic.Func {
	op, known := foreignOps[r]
	kind, ours := foreignKinds[k]
	if !known || !ours || C.foreign_combine(op, kind, nil, nil, 0) == 0 {
		return nil
	}
	size := int(datatype.Basic(k).Extent())
	return func(left, right []byte) {
		C.foreign_combine(op, kind, unsafe.Pointer(unsafe.SliceData(left)), unsafe.Pointer(unsafe.SliceData(right)), C.size_t(len(left)/size))
	}
}
