package main

// #include "sctpmpi.h"
import "C"

import (
	"os"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/startup"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// checked is what the user wants to have checked; MPI_Init says what is wrong with a value. loose: only lengths are, as other libraries
// do, and not types.
var (
	checked, _ = startup.ParseCheck(os.Getenv(rpi.EnvCheck))
	loose      = !checked.Types
)

// predefinedKinds are the predefined datatypes by their numbers in the standard ABI, and extensions by numbers that it leaves free. A long
// has 64 bits, a Fortran INTEGER and LOGICAL 32.
var predefinedKinds = map[uintptr]struct {
	kind datatype.Kind
	name string
}{
	0x201: {datatype.Int64, "MPI_AINT"},
	0x202: {datatype.Int64, "MPI_COUNT"},
	0x203: {datatype.Int64, "MPI_OFFSET"},
	0x206: {datatype.Float16, "MPIX_C_FLOAT16"},
	0x207: {datatype.Packed, "MPI_PACKED"},
	0x208: {datatype.Int16, "MPI_SHORT"},
	0x209: {datatype.Int32, "MPI_INT"},
	0x20a: {datatype.Long, "MPI_LONG"},
	0x20b: {datatype.Int64, "MPI_LONG_LONG_INT"},
	0x20c: {datatype.Uint16, "MPI_UNSIGNED_SHORT"},
	0x20d: {datatype.Uint32, "MPI_UNSIGNED"},
	0x20e: {datatype.Ulong, "MPI_UNSIGNED_LONG"},
	0x20f: {datatype.Uint64, "MPI_UNSIGNED_LONG_LONG"},
	0x210: {datatype.Float32, "MPI_FLOAT"},
	0x212: {datatype.Complex64, "MPI_C_COMPLEX"},
	0x213: {datatype.Complex64, "MPI_CXX_FLOAT_COMPLEX"},
	0x214: {datatype.Float64, "MPI_DOUBLE"},
	0x216: {datatype.Complex128, "MPI_C_DOUBLE_COMPLEX"},
	0x217: {datatype.Complex128, "MPI_CXX_DOUBLE_COMPLEX"},
	0x218: {datatype.Logical4, "MPI_LOGICAL"},
	0x219: {datatype.Int32, "MPI_INTEGER"},
	0x21a: {datatype.Float32, "MPI_REAL"},
	0x21b: {datatype.Complex64, "MPI_COMPLEX"},
	0x21c: {datatype.Float64, "MPI_DOUBLE_PRECISION"},
	0x21d: {datatype.Complex128, "MPI_DOUBLE_COMPLEX"},
	0x21e: {datatype.Char, "MPI_CHARACTER"},
	0x220: {datatype.LongDouble, "MPI_LONG_DOUBLE"},
	0x224: {datatype.LongDoubleComplex, "MPI_C_LONG_DOUBLE_COMPLEX"},
	0x225: {datatype.LongDoubleComplex, "MPI_CXX_LONG_DOUBLE_COMPLEX"},
	0x228: {datatype.FloatInt, "MPI_FLOAT_INT"},
	0x229: {datatype.DoubleInt, "MPI_DOUBLE_INT"},
	0x22a: {datatype.LongInt, "MPI_LONG_INT"},
	0x22b: {datatype.TwoInt, "MPI_2INT"},
	0x22c: {datatype.ShortInt, "MPI_SHORT_INT"},
	0x22d: {datatype.LongDoubleInt, "MPI_LONG_DOUBLE_INT"},
	0x22e: {datatype.Complex32, "MPIX_C_SHORT_FLOAT_COMPLEX"},
	0x22f: {datatype.Complex32, "MPIX_CXX_SHORT_FLOAT_COMPLEX"},
	0x230: {datatype.TwoFloat, "MPI_2REAL"},
	0x231: {datatype.TwoDouble, "MPI_2DOUBLE_PRECISION"},
	0x232: {datatype.TwoInt, "MPI_2INTEGER"},
	0x238: {datatype.Bool, "MPI_C_BOOL"},
	0x239: {datatype.Bool, "MPI_CXX_BOOL"},
	0x23c: {datatype.Wchar, "MPI_WCHAR"},
	0x240: {datatype.Int8, "MPI_INT8_T"},
	0x241: {datatype.Uint8, "MPI_UINT8_T"},
	0x243: {datatype.Char, "MPI_CHAR"},
	0x244: {datatype.Int8, "MPI_SIGNED_CHAR"},
	0x245: {datatype.Uint8, "MPI_UNSIGNED_CHAR"},
	0x247: {datatype.Byte, "MPI_BYTE"},
	0x248: {datatype.Int16, "MPI_INT16_T"},
	0x249: {datatype.Uint16, "MPI_UINT16_T"},
	0x250: {datatype.Int32, "MPI_INT32_T"},
	0x251: {datatype.Uint32, "MPI_UINT32_T"},
	0x258: {datatype.Int64, "MPI_INT64_T"},
	0x259: {datatype.Uint64, "MPI_UINT64_T"},
	0x2c0: {datatype.Logical1, "MPI_LOGICAL1"},
	0x2c1: {datatype.Int8, "MPI_INTEGER1"},
	0x2c8: {datatype.Logical2, "MPI_LOGICAL2"},
	0x2c9: {datatype.Int16, "MPI_INTEGER2"},
	0x2ca: {datatype.Float16, "MPI_REAL2"},
	0x2d0: {datatype.Logical4, "MPI_LOGICAL4"},
	0x2d1: {datatype.Int32, "MPI_INTEGER4"},
	0x2d2: {datatype.Float32, "MPI_REAL4"},
	0x2d3: {datatype.Complex32, "MPI_COMPLEX4"},
	0x2d8: {datatype.Logical8, "MPI_LOGICAL8"},
	0x2d9: {datatype.Int64, "MPI_INTEGER8"},
	0x2da: {datatype.Float64, "MPI_REAL8"},
	0x2db: {datatype.Complex64, "MPI_COMPLEX8"},
	0x2e0: {datatype.Logical16, "MPI_LOGICAL16"},
	0x2e1: {datatype.Int128, "MPI_INTEGER16"},
	0x2e2: {datatype.Float128, "MPI_REAL16"},
	0x2e3: {datatype.Complex128, "MPI_COMPLEX16"},
	0x2eb: {datatype.Complex256, "MPI_COMPLEX32"},
}

// Numbers that the standard leaves free, for the markers of bounds that MPICH's ABI still has.
const (
	typeLB = 0x204
	typeUB = 0x205
)

// predefinedTypes are the predefined datatypes from typeNull on.
var predefinedTypes = func() (all [0x100]*datatypeObject) {
	for number, p := range predefinedKinds {
		all[number-typeNull] = &datatypeObject{Type: datatype.Declare(p.kind, p.name, loose), handle: number, predefined: true}
	}
	all[typeLB-typeNull] = &datatypeObject{Type: datatype.Marker("MPI_LB", true), handle: typeLB, predefined: true}
	all[typeUB-typeNull] = &datatypeObject{Type: datatype.Marker("MPI_UB", false), handle: typeUB, predefined: true}
	return all
}()

// predefinedHandles has the handle of each predefined datatype, but for those of Fortran by precision.
var predefinedHandles = func() map[*core.Type]uintptr {
	all := make(map[*core.Type]uintptr)
	for _, t := range predefinedTypes {
		if t != nil {
			all[t.Type] = t.handle
		}
	}
	return all
}()
