package mpi

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"reflect"
	"sync"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

// sized is the kind of int or uint under its name with a size. The library is
// for 64-bit platforms: MaxLength of package matching is an int.
func sized(kind reflect.Kind) reflect.Kind {
	switch kind {
	case reflect.Int:
		return reflect.Int64
	case reflect.Uint:
		return reflect.Uint64
	}
	return kind
}

// datatypes has the types that were described: reflect.Type → *core.Type.
var datatypes sync.Map

// datatypeOf describes T, basic types without reflection.
func datatypeOf[T any]() *core.Type {
	switch any((*T)(nil)).(type) {
	case *byte:
		return &core.Basic[reflect.Uint8]
	case *int:
		return &core.Basic[reflect.Int64]
	case *int32:
		return &core.Basic[reflect.Int32]
	case *int64:
		return &core.Basic[reflect.Int64]
	case *uint32:
		return &core.Basic[reflect.Uint32]
	case *uint64:
		return &core.Basic[reflect.Uint64]
	case *float32:
		return &core.Basic[reflect.Float32]
	case *float64:
		return &core.Basic[reflect.Float64]
	}
	t := reflect.TypeFor[T]()
	if d, ok := datatypes.Load(t); ok {
		return d.(*core.Type)
	}
	d, _ := datatypes.LoadOrStore(t, describe(t))
	return d.(*core.Type)
}

// describe checks t and works out its signature.
func describe(t reflect.Type) *core.Type {
	d := &core.Type{Size: int(t.Size()), Name: t.String()}
	switch where, what := pointerIn(t, ""); {
	case what != "" && where == "":
		d.Unsendable = fmt.Sprintf("type %s cannot be sent: it is %s; only fixed-size types without pointers can", d.Name, what)
	case what != "":
		d.Unsendable = fmt.Sprintf("type %s cannot be sent: %s is %s; only fixed-size types without pointers can", d.Name, where, what)
	case t.Size() == 0:
		d.Unsendable = fmt.Sprintf("type %s cannot be sent: it has no size, so a message could not tell how many there are", d.Name)
	case t.Size() > math.MaxUint16:
		d.Unsendable = fmt.Sprintf("type %s cannot be sent: an element has %d bytes, the limit is %d; send a slice of its parts", d.Name, t.Size(), math.MaxUint16)
	}
	if d.Unsendable != "" {
		return d
	}
	if kind := sized(t.Kind()); int(kind) < len(core.Basic) && core.Basic[kind].Size > 0 {
		d.Sig = core.Basic[kind].Sig
		return d
	}
	hash := fnv.New64a()
	layout := appendLayout(binary.LittleEndian.AppendUint64(nil, uint64(t.Size())), t, 0)
	hash.Write(layout)
	d.Part = onlyPart(layout[8:], d.Size)
	sum := hash.Sum64()
	d.Sig = core.Compound | matching.Type(sum^sum>>32)
	core.Register(d)
	return d
}

// pointerIn finds the first part of t that is or holds a pointer: its path
// within t ("" for t itself) and what it is.
func pointerIn(t reflect.Type, path string) (where, what string) {
	switch kind := t.Kind(); kind {
	case reflect.Array:
		return pointerIn(t.Elem(), path+"[]")
	case reflect.Struct:
		for f := range t.Fields() {
			name := f.Name
			if path != "" {
				name = path + "." + name
			}
			if where, what = pointerIn(f.Type, name); what != "" {
				return where, what
			}
		}
	case reflect.Interface:
		return path, "an interface"
	case reflect.Pointer, reflect.UnsafePointer:
		return path, "a pointer"
	case reflect.String, reflect.Slice, reflect.Map, reflect.Chan, reflect.Func, reflect.Uintptr:
		return path, "a " + kind.String()
	}
	return "", ""
}

// appendLayout appends the kinds and offsets of the basic parts of t.
func appendLayout(b []byte, t reflect.Type, offset uintptr) []byte {
	switch {
	case t.Size() == 0:
	case t.Kind() == reflect.Array:
		for i := range t.Len() {
			b = appendLayout(b, t.Elem(), offset+uintptr(i)*t.Elem().Size())
		}
	case t.Kind() == reflect.Struct:
		for f := range t.Fields() {
			b = appendLayout(b, f.Type, offset+f.Offset)
		}
	default:
		b = append(b, byte(sized(t.Kind())))
		b = binary.LittleEndian.AppendUint16(b, uint16(offset))
	}
	return b
}

// onlyPart returns the basic type that a layout of size bytes has nothing but, 0
// if there are several or gaps between them.
func onlyPart(layout []byte, size int) matching.Type {
	kind := reflect.Kind(layout[0])
	for part := layout; len(part) > 0; part = part[3:] {
		if part[0] != layout[0] {
			return 0
		}
	}
	if core.Basic[kind].Size*len(layout)/3 != size {
		return 0
	}
	return core.Basic[kind].Sig
}

// view returns the memory of buf, not a copy.
func view[T any](buf []T) core.Buffer {
	d := datatypeOf[T]()
	if d.Unsendable != "" {
		return core.Buffer{Type: d}
	}
	return core.Of(d, buf)
}
