package mpi

import (
	"errors"
	"testing"
	"unsafe"
)

// Whatever is in a message, decoding it as an object gives an object or one error
// of class ErrType.
func FuzzObject(f *testing.F) {
	type node struct {
		Name string
		Next *node
		Data []float64
	}
	for _, codec := range []Codec{Gob, JSON} {
		list := node{"a", &node{Name: "b"}, []float64{1, 2}}
		message, err := encode("", codec, &list)
		if err != nil {
			f.Fatal(err)
		}
		b := unsafe.Slice((*byte)(unsafe.Pointer(&message[0])), len(message))
		f.Add(b)
		f.Add(b[:len(b)-3])
		f.Add(b[:5])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		message := unsafe.Slice((*object)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
		for _, codec := range []Codec{Gob, JSON} {
			_, err := decode[node]("mpi.RecvObject", codec, message, ranked(0))
			var e *Error
			if err != nil && !(errors.As(err, &e) && e.Class == ErrType) {
				t.Fatal(err)
			}
			if _, err := decode[any]("mpi.RecvObject", codec, message, ranked(0)); err != nil && !errors.Is(err, ErrType) {
				t.Fatal(err)
			}
		}
	})
}
