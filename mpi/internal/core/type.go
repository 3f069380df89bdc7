package core

import (
	"fmt"
	"reflect"
	"sync"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
)

// Type is what a message needs to know of the type of its elements.
type Type struct {
	Sig        matching.Type // goes with the message; only types with the same match
	Size       int           // in bytes
	Name       string        // in errors
	Unsendable string        // why it cannot be sent, "" if it can
	// Part is, of a compound type, the signature of the basic type that it is made of alone and without gaps; 0
	// if there is none.
	Part matching.Type
}

// Compound marks the signature of a type that is made of others, the rest of which is a
// hash of its layout. The signature of a basic type is its reflect.Kind.
const Compound matching.Type = 1 << 31

// Basic are the basic types, by their kinds. Those of other kinds have no size.
var Basic = [...]Type{
	reflect.Bool:       {Sig: matching.Type(reflect.Bool), Size: 1, Name: "bool"},
	reflect.Int8:       {Sig: matching.Type(reflect.Int8), Size: 1, Name: "int8"},
	reflect.Int16:      {Sig: matching.Type(reflect.Int16), Size: 2, Name: "int16"},
	reflect.Int32:      {Sig: matching.Type(reflect.Int32), Size: 4, Name: "int32"},
	reflect.Int64:      {Sig: matching.Type(reflect.Int64), Size: 8, Name: "int64"},
	reflect.Uint8:      {Sig: matching.Type(reflect.Uint8), Size: 1, Name: "uint8"},
	reflect.Uint16:     {Sig: matching.Type(reflect.Uint16), Size: 2, Name: "uint16"},
	reflect.Uint32:     {Sig: matching.Type(reflect.Uint32), Size: 4, Name: "uint32"},
	reflect.Uint64:     {Sig: matching.Type(reflect.Uint64), Size: 8, Name: "uint64"},
	reflect.Float32:    {Sig: matching.Type(reflect.Float32), Size: 4, Name: "float32"},
	reflect.Float64:    {Sig: matching.Type(reflect.Float64), Size: 8, Name: "float64"},
	reflect.Complex64:  {Sig: matching.Type(reflect.Complex64), Size: 8, Name: "complex64"},
	reflect.Complex128: {Sig: matching.Type(reflect.Complex128), Size: 16, Name: "complex128"},
}

// compounds has a type of each signature with Compound that this process has
// seen: matching.Type → *Type.
var compounds sync.Map

// Register makes a compound type known, so that errors can name it.
func Register(t *Type) { compounds.LoadOrStore(t.Sig, t) }

// TypeName names a signature in messages.
func TypeName(sig matching.Type) string {
	if t := TypeOf(sig); t != nil {
		return t.Name
	}
	return fmt.Sprintf("a type unknown here (signature %#x)", uint32(sig))
}

// elements describes the type to package collective.
func (t *Type) elements() collective.Elements {
	return collective.Elements{Sig: t.Sig, Size: t.Size, Name: t.Name}
}

// known lists the types that this process knows.
func known(yield func(collective.Elements) bool) {
	for i := range Basic {
		if Basic[i].Size > 0 && !yield(Basic[i].elements()) {
			return
		}
	}
	compounds.Range(func(_, t any) bool { return yield(t.(*Type).elements()) })
}
