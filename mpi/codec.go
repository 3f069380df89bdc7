package mpi

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"unsafe"
)

// Codec makes bytes of Go values, and values of bytes again, for SendObject and
// its like. Gob is the one that they use if they are given none. Its methods may
// be called from several goroutines.
type Codec interface {
	// Name tells codecs apart, in at most 255 bytes. A message says by which
	// codec its object was encoded; a receive with a codec of another name fails.
	Name() string
	// Marshal encodes the value that object points to. Its type is the static one
	// in the program: for SendObject[Shape] object is a *Shape, if that is an
	// interface too.
	Marshal(object any) ([]byte, error)
	// Unmarshal sets the value that object points to. What the data may be is
	// in the sender's hands: they must cause no more than an error.
	Unmarshal(data []byte, object any) error
}

// Gob is the codec of package encoding/gob, which says what can be encoded: most
// types, without the unexported fields of structs; values in interfaces if their
// types are registered with gob.Register. What is received may be of another
// type, as far as gob allows. Each message says all about its type, so that small
// objects take some hundred bytes. Package gob says about hostile data that they
// may take much memory: it is for members of a job that trust each other.
var Gob Codec = gobCodec{}

// JSON is the codec of package encoding/json.
var JSON Codec = jsonCodec{}

type gobCodec struct{}

func (gobCodec) Name() string { return "gob" }

func (gobCodec) Marshal(object any) ([]byte, error) {
	if v := reflect.ValueOf(object).Elem(); (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && v.IsNil() {
		return nil, errors.New("gob has nothing for nil")
	}
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(object)
	return b.Bytes(), err
}

func (gobCodec) Unmarshal(data []byte, object any) error {
	r := bytes.NewReader(data)
	if err := gob.NewDecoder(r).Decode(object); err != nil {
		return err
	}
	if n := r.Len(); n > 0 {
		return fmt.Errorf("%s follow the object", plural(n, "byte"))
	}
	return nil
}

type jsonCodec struct{}

func (jsonCodec) Name() string                            { return "json" }
func (jsonCodec) Marshal(object any) ([]byte, error)      { return json.Marshal(object) }
func (jsonCodec) Unmarshal(data []byte, object any) error { return json.Unmarshal(data, object) }

// object is an element of messages that are objects. It is a type of its own, so
// that no receive takes bytes for an object or an object for bytes.
type object [1]byte

// An object is in a message as: objectMark, the length of the codec's name in a
// byte, the name, and what the codec has made of the object.
const objectMark = "o1"

// codecOf returns the codec that a call is given, of which there is at most one.
func codecOf(op string, codecs []Codec) (Codec, error) {
	switch {
	case len(codecs) == 0:
		return Gob, nil
	case len(codecs) > 1:
		return nil, invalid(op, ErrArg, "%d codecs; there can be one", len(codecs))
	case codecs[0] == nil:
		return nil, invalid(op, ErrArg, "the codec is nil")
	case len(codecs[0].Name()) > 255:
		return nil, invalid(op, ErrArg, "the name of the codec has %d bytes; the limit is 255", len(codecs[0].Name()))
	}
	return codecs[0], nil
}

// encode encodes *v.
func encode[T any](op string, codec Codec, v *T) (_ []object, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = unencodable[T](op, codec, fmt.Errorf("panic: %v", p))
		}
	}()
	data, err := codec.Marshal(v)
	if err != nil {
		return nil, unencodable[T](op, codec, err)
	}
	name := codec.Name()
	b := make([]byte, 0, len(objectMark)+1+len(name)+len(data))
	b = append(b, objectMark...)
	b = append(b, byte(len(name)))
	b = append(b, name...)
	b = append(b, data...)
	return unsafe.Slice((*object)(unsafe.Pointer(unsafe.SliceData(b))), len(b)), nil
}

func unencodable[T any](op string, codec Codec, cause error) error {
	return because(cause, op, ErrType, "an object of type %s cannot be encoded by %s: %v", typeOf[T](), codec.Name(), cause)
}

// decode decodes the object that from has sent.
func decode[T any](op string, codec Codec, message []object, from origin) (v T, err error) {
	name, data, ok := parse(message)
	if !ok {
		return v, invalid(op, ErrType, "the %s from %s are no object", plural(len(message), "byte"), from.name).about(from.rank)
	}
	if name != codec.Name() {
		return v, invalid(op, ErrType, "the object from %s was encoded by %s and cannot be decoded by %s: both must use the same codec",
			from.name, name, codec.Name()).about(from.rank)
	}
	defer func() {
		if p := recover(); p != nil {
			v, err = *new(T), undecodable[T](op, codec, from, fmt.Errorf("panic: %v", p))
		}
	}()
	if err := codec.Unmarshal(data, &v); err != nil {
		return *new(T), undecodable[T](op, codec, from, err)
	}
	return v, nil
}

func undecodable[T any](op string, codec Codec, from origin, cause error) error {
	return because(cause, op, ErrType, "the object from %s cannot be decoded as %s by %s: %v", from.name, typeOf[T](), codec.Name(), cause).
		about(from.rank)
}

// parse returns the name of the codec in a message, and what that has made of
// the object.
func parse(message []object) (name string, data []byte, ok bool) {
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(message))), len(message))
	b, ok = bytes.CutPrefix(b, []byte(objectMark))
	if !ok || len(b) == 0 || len(b)-1 < int(b[0]) {
		return "", nil, false
	}
	n := 1 + int(b[0])
	return string(b[1:n]), b[n:], true
}

// typeOf is the name of T in errors.
func typeOf[T any]() string { return reflect.TypeFor[T]().String() }
