package mpi

import (
	"reflect"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

// The types of the elements that most programs send.
var (
	typeOfUint8   = datatype.Basic(datatype.Uint8)
	typeOfInt64   = datatype.Basic(datatype.Int64)
	typeOfInt32   = datatype.Basic(datatype.Int32)
	typeOfUint32  = datatype.Basic(datatype.Uint32)
	typeOfUint64  = datatype.Basic(datatype.Uint64)
	typeOfFloat32 = datatype.Basic(datatype.Float32)
	typeOfFloat64 = datatype.Basic(datatype.Float64)
	typeOfObject  = datatype.Basic(datatype.Char) // as no other type of Go
)

// datatypeOf describes T, basic types without reflection.
func datatypeOf[T any]() *core.Type {
	switch any((*T)(nil)).(type) {
	case *byte:
		return typeOfUint8
	case *int, *int64:
		return typeOfInt64
	case *int32:
		return typeOfInt32
	case *uint32:
		return typeOfUint32
	case *uint64:
		return typeOfUint64
	case *float32:
		return typeOfFloat32
	case *float64:
		return typeOfFloat64
	case *object:
		return typeOfObject
	}
	return datatype.OfGo(reflect.TypeFor[T]())
}

// view returns the memory of buf, not a copy.
func view[T any](buf []T) core.Buffer {
	return core.Buffer{Addr: unsafe.Pointer(unsafe.SliceData(buf)), Count: len(buf), Type: datatypeOf[T]()}
}
