package mpi

import (
	"reflect"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

// datatypeOf describes T, basic types without reflection.
func datatypeOf[T any]() *core.Type {
	switch any((*T)(nil)).(type) {
	case *byte:
		return core.Basic(datatype.Uint8)
	case *int, *int64:
		return core.Basic(datatype.Int64)
	case *int32:
		return core.Basic(datatype.Int32)
	case *uint32:
		return core.Basic(datatype.Uint32)
	case *uint64:
		return core.Basic(datatype.Uint64)
	case *float32:
		return core.Basic(datatype.Float32)
	case *float64:
		return core.Basic(datatype.Float64)
	case *object:
		return core.Basic(datatype.Char) // as no other type of Go
	}
	return datatype.OfGo(reflect.TypeFor[T]())
}

// view returns the memory of buf, not a copy.
func view[T any](buf []T) core.Buffer {
	t := datatypeOf[T]()
	if t.Err() != nil {
		return core.Buffer{Type: t}
	}
	return core.Of(t, buf)
}
