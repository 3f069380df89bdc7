package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

// types are the datatypes that are not predefined.
var types = handle.NewTable[datatypeObject](handle.Datatype)

// datatypeObject is a datatype that the program has made.
type datatypeObject struct{ *core.Type }

// predefinedKinds are the kinds of the predefined datatypes, by their numbers in the standard ABI. A long has 64 bits, a
// Fortran INTEGER and LOGICAL 32.
var predefinedKinds = map[uintptr]datatype.Kind{
	0x201: datatype.Long, 0x202: datatype.Int64, 0x203: datatype.Int64, 0x207: datatype.Packed,
	0x208: datatype.Int16, 0x209: datatype.Int32, 0x20a: datatype.Long, 0x20b: datatype.Int64,
	0x20c: datatype.Uint16, 0x20d: datatype.Uint32, 0x20e: datatype.Ulong, 0x20f: datatype.Uint64,
	0x210: datatype.Float32, 0x212: datatype.Complex64, 0x213: datatype.Complex64, 0x214: datatype.Float64,
	0x216: datatype.Complex128, 0x217: datatype.Complex128, 0x218: datatype.Logical4, 0x219: datatype.Int32,
	0x21a: datatype.Float32, 0x21b: datatype.Complex64, 0x21c: datatype.Float64, 0x21d: datatype.Complex128,
	0x21e: datatype.Char, 0x220: datatype.LongDouble, 0x224: datatype.LongDoubleComplex, 0x225: datatype.LongDoubleComplex,
	0x228: datatype.FloatInt, 0x229: datatype.DoubleInt, 0x22a: datatype.LongInt, 0x22b: datatype.TwoInt,
	0x22c: datatype.ShortInt, 0x22d: datatype.LongDoubleInt, 0x230: datatype.TwoFloat, 0x231: datatype.TwoDouble,
	0x232: datatype.TwoInt, 0x238: datatype.Bool, 0x239: datatype.Bool, 0x23c: datatype.Wchar,
	0x240: datatype.Int8, 0x241: datatype.Uint8, 0x243: datatype.Char, 0x244: datatype.Int8, 0x245: datatype.Uint8,
	0x247: datatype.Byte, 0x248: datatype.Int16, 0x249: datatype.Uint16, 0x250: datatype.Int32, 0x251: datatype.Uint32,
	0x258: datatype.Int64, 0x259: datatype.Uint64, 0x2c0: datatype.Logical1, 0x2c1: datatype.Int8,
	0x2c8: datatype.Logical2, 0x2c9: datatype.Int16, 0x2ca: datatype.Float16, 0x2d0: datatype.Logical4,
	0x2d1: datatype.Int32, 0x2d2: datatype.Float32, 0x2d3: datatype.Complex32, 0x2d8: datatype.Logical8,
	0x2d9: datatype.Int64, 0x2da: datatype.Float64, 0x2db: datatype.Complex64, 0x2e0: datatype.Logical16,
	0x2e1: datatype.Int128, 0x2e2: datatype.Float128, 0x2e3: datatype.Complex128, 0x2eb: datatype.Complex256,
}

// predefinedTypes are the predefined datatypes from typeNull on.
var predefinedTypes = func() (all [0x100]*core.Type) {
	for number, kind := range predefinedKinds {
		all[number-typeNull] = core.Basic(kind)
	}
	return all
}()

// typeOf is the datatype with a handle.
func typeOf(h C.uintptr_t) (*core.Type, error) {
	if i := uintptr(h) - typeNull; i < uintptr(len(predefinedTypes)) && predefinedTypes[i] != nil {
		return predefinedTypes[i], nil
	}
	if t := types.Get(handle.Handle(h)); t != nil {
		return t.Type, nil
	}
	if h == typeNull {
		return nil, faultf(errType, "the datatype is MPI_DATATYPE_NULL")
	}
	return nil, faultf(errType, "%#x is no datatype, or one that has been freed", uintptr(h))
}
