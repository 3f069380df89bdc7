package datatype

import (
	"reflect"
	"strconv"
	"strings"
	"sync"
)

var goKinds = [...]Kind{
	reflect.Bool: Bool, reflect.Int8: Int8, reflect.Int16: Int16, reflect.Int32: Int32, reflect.Int64: Int64,
	reflect.Uint8: Uint8, reflect.Uint16: Uint16, reflect.Uint32: Uint32, reflect.Uint64: Uint64,
	reflect.Float32: Float32, reflect.Float64: Float64, reflect.Complex64: Complex64, reflect.Complex128: Complex128,
}

var goTypes sync.Map // reflect.Type → *Type

// OfGo describes a Go type without pointers. Its extent is Go's size; the padding of structs is not sent. What cannot be sent
// has Err, an ErrType that says why.
func OfGo(t reflect.Type) *Type {
	made, ok := goTypes.Load(t)
	if !ok {
		made, _ = goTypes.LoadOrStore(t, describe(t))
	}
	return made.(*Type)
}

func describe(t reflect.Type) *Type {
	if err := refuse(t); err != nil {
		return Refused(err)
	}
	made, err := ofGo(t)
	if err != nil {
		return Refused(err)
	}
	if made.kind != Invalid { // a predefined type keeps its name
		return made
	}
	made.SetName(t.String())
	made.item, made.padded = made.Size(), true
	made.Commit()
	seen.LoadOrStore(made.exact, made)
	return made
}

// others says what can be sent, and how all else is.
const others = "only fixed-size types without pointers can; SendObject, BcastObject, GatherObjects and the like take any value"

func refuse(t reflect.Type) error {
	where, what := pointerIn(t, "")
	switch {
	case what != "" && where == "":
		return invalid(ErrType, "type %s cannot be sent: it is %s; "+others, t, what)
	case what != "":
		return invalid(ErrType, "type %s cannot be sent: %s is %s; "+others, t, where, what)
	case t.Size() == 0:
		return invalid(ErrType, "type %s cannot be sent: it has no size, so a message could not tell how many there are", t)
	}
	return nil
}

// pointerIn finds the first part of t that is or holds a pointer: its path within t ("" for t itself) and what it is.
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

// ofGo describes a type that has not been refused.
func ofGo(t reflect.Type) (*Type, error) {
	switch kind := t.Kind(); kind {
	case reflect.Array:
		element, err := ofGo(t.Elem())
		if err != nil {
			return nil, err
		}
		return Contiguous(int64(t.Len()), element)
	case reflect.Struct:
		return ofStruct(t)
	case reflect.Int, reflect.Uint:
		signed, unsigned := Int64, Uint64
		if t.Size() == 4 {
			signed, unsigned = Int32, Uint32
		}
		if kind == reflect.Int {
			return Basic(signed), nil
		}
		return Basic(unsigned), nil
	default:
		return Basic(goKinds[kind]), nil
	}
}

func ofStruct(t reflect.Type) (*Type, error) {
	var lengths, displacements []int64
	var types []*Type
	for f := range t.Fields() {
		if f.Type.Size() == 0 {
			continue
		}
		field, err := ofGo(f.Type)
		if err != nil {
			return nil, err
		}
		lengths, displacements, types = append(lengths, 1), append(displacements, int64(f.Offset)), append(types, field)
	}
	made, err := Struct(lengths, displacements, types)
	if size := int64(t.Size()); err == nil && (made.low != 0 || made.extent() != size) {
		return Resized(made, 0, size)
	}
	return made, err
}

// Field describes one field of a Go type, such as "Pos.X" or "Cells[3].Mass", so that the field of all elements of a slice
// can be sent: its extent is the size of t. The other fields may hold pointers.
func Field(t reflect.Type, path string) (*Type, error) {
	at, offset := t, uintptr(0)
	for name := range strings.SplitSeq(path, ".") {
		name, indices, _ := strings.Cut(name, "[")
		if at.Kind() != reflect.Struct {
			return nil, invalid(ErrArg, "field %s of %v: %v is not a struct", path, t, at)
		}
		f, ok := at.FieldByName(name)
		if !ok {
			return nil, invalid(ErrArg, "field %s of %v: %v has no field %q", path, t, at, name)
		}
		inner := at
		for _, i := range f.Index { // a promoted field lies in an embedded struct
			if inner.Kind() == reflect.Pointer {
				return nil, invalid(ErrArg, "field %s of %v: %s lies behind a pointer", path, t, name)
			}
			offset += inner.Field(i).Offset
			inner = inner.Field(i).Type
		}
		at = f.Type
		for indices != "" {
			number, rest, closed := strings.Cut(indices, "]")
			i, err := strconv.Atoi(number)
			if err != nil || !closed || rest != "" && rest[0] != '[' {
				return nil, invalid(ErrArg, "field %s of %v: %q is no index", path, t, "["+indices)
			}
			if at.Kind() != reflect.Array || i < 0 || i >= at.Len() {
				return nil, invalid(ErrArg, "field %s of %v: %v has no element %d", path, t, at, i)
			}
			at = at.Elem()
			offset += uintptr(i) * at.Size()
			indices = strings.TrimPrefix(rest, "[")
		}
	}
	field := OfGo(at)
	if field.Err() != nil {
		return nil, field.Err()
	}
	placed, err := Hindexed([]int64{1}, []int64{int64(offset)}, field)
	if err != nil {
		return nil, err
	}
	made, err := Resized(placed, 0, int64(t.Size()))
	if err != nil {
		return nil, err
	}
	made.SetName(path + " of " + t.String())
	return made, nil
}
