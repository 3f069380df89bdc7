package mpi

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"reflect"
	"sync"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/matching"
)

// datatype is what a message needs to know of its element type.
type datatype struct {
	sig        matching.Type
	size       int
	name       string
	unsendable string // why it cannot be sent, "" if it can
}

// compound marks the signature of an array or struct, the rest of which is a
// hash of its layout. The signature of a basic type is its reflect.Kind.
const compound matching.Type = 1 << 31

var basic = [...]datatype{
	reflect.Bool:       {sig: matching.Type(reflect.Bool), size: 1, name: "bool"},
	reflect.Int8:       {sig: matching.Type(reflect.Int8), size: 1, name: "int8"},
	reflect.Int16:      {sig: matching.Type(reflect.Int16), size: 2, name: "int16"},
	reflect.Int32:      {sig: matching.Type(reflect.Int32), size: 4, name: "int32"},
	reflect.Int64:      {sig: matching.Type(reflect.Int64), size: 8, name: "int64"},
	reflect.Uint8:      {sig: matching.Type(reflect.Uint8), size: 1, name: "uint8"},
	reflect.Uint16:     {sig: matching.Type(reflect.Uint16), size: 2, name: "uint16"},
	reflect.Uint32:     {sig: matching.Type(reflect.Uint32), size: 4, name: "uint32"},
	reflect.Uint64:     {sig: matching.Type(reflect.Uint64), size: 8, name: "uint64"},
	reflect.Float32:    {sig: matching.Type(reflect.Float32), size: 4, name: "float32"},
	reflect.Float64:    {sig: matching.Type(reflect.Float64), size: 8, name: "float64"},
	reflect.Complex64:  {sig: matching.Type(reflect.Complex64), size: 8, name: "complex64"},
	reflect.Complex128: {sig: matching.Type(reflect.Complex128), size: 16, name: "complex128"},
}

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

var (
	datatypes sync.Map // reflect.Type → *datatype
	compounds sync.Map // matching.Type → name of the first type seen with it
)

// datatypeOf describes T, basic types without reflection.
func datatypeOf[T any]() *datatype {
	switch any((*T)(nil)).(type) {
	case *byte:
		return &basic[reflect.Uint8]
	case *int:
		return &basic[reflect.Int64]
	case *int32:
		return &basic[reflect.Int32]
	case *int64:
		return &basic[reflect.Int64]
	case *uint32:
		return &basic[reflect.Uint32]
	case *uint64:
		return &basic[reflect.Uint64]
	case *float32:
		return &basic[reflect.Float32]
	case *float64:
		return &basic[reflect.Float64]
	}
	t := reflect.TypeFor[T]()
	if d, ok := datatypes.Load(t); ok {
		return d.(*datatype)
	}
	d, _ := datatypes.LoadOrStore(t, describe(t))
	return d.(*datatype)
}

// describe checks t and works out its signature.
func describe(t reflect.Type) *datatype {
	d := &datatype{size: int(t.Size()), name: t.String()}
	switch where, what := pointerIn(t, ""); {
	case what != "" && where == "":
		d.unsendable = fmt.Sprintf("type %s cannot be sent: it is %s; only fixed-size types without pointers can", d.name, what)
	case what != "":
		d.unsendable = fmt.Sprintf("type %s cannot be sent: %s is %s; only fixed-size types without pointers can", d.name, where, what)
	case t.Size() == 0:
		d.unsendable = fmt.Sprintf("type %s cannot be sent: it has no size, so a message could not tell how many there are", d.name)
	case t.Size() > math.MaxUint16:
		d.unsendable = fmt.Sprintf("type %s cannot be sent: an element has %d bytes, the limit is %d; send a slice of its parts", d.name, t.Size(), math.MaxUint16)
	}
	if d.unsendable != "" {
		return d
	}
	if kind := sized(t.Kind()); int(kind) < len(basic) && basic[kind].size > 0 {
		d.sig = basic[kind].sig
		return d
	}
	hash := fnv.New64a()
	layout := binary.LittleEndian.AppendUint64(nil, uint64(t.Size()))
	hash.Write(appendLayout(layout, t, 0))
	sum := hash.Sum64()
	d.sig = compound | matching.Type(sum^sum>>32)
	compounds.LoadOrStore(d.sig, d.name)
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

// typeName names a signature in messages.
func typeName(sig matching.Type) string {
	if int(sig) < len(basic) && basic[sig].size > 0 {
		return basic[sig].name
	}
	if name, ok := compounds.Load(sig); ok {
		return name.(string)
	}
	return fmt.Sprintf("a type unknown here (signature %#x)", uint32(sig))
}

// elements is a typed buffer as a transport sees it.
type elements struct {
	bytes []byte
	*datatype
}

// view returns the memory of buf, not a copy.
func view[T any](buf []T) elements {
	d := datatypeOf[T]()
	if d.unsendable != "" {
		return elements{datatype: d}
	}
	return elements{unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(buf))), len(buf)*d.size), d}
}

// count is the number of elements.
func (e elements) count() int { return len(e.bytes) / e.size }

// part returns n elements from the i-th on.
func (e elements) part(i, n int) []byte { return e.bytes[i*e.size : (i+n)*e.size : (i+n)*e.size] }
