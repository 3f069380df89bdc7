package datatype_test

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

// A column of a matrix of 3 rows and 4 columns.
func ExampleVector() {
	matrix := []int32{
		0, 1, 2, 3,
		10, 11, 12, 13,
		20, 21, 22, 23,
	}
	column, err := datatype.Vector(3, 1, 4, datatype.Basic(datatype.Int32))
	if err != nil {
		fmt.Println(err)
		return
	}
	packed := make([]int32, 3)
	column.Pack(unsafe.Slice((*byte)(unsafe.Pointer(&packed[0])), column.Size()), unsafe.Pointer(&matrix[1]), 1, 0)
	fmt.Println(column.Name(), packed, column.Signature())
	// Output: vector of int32 [1 11 21] int32
}

// Columns that follow each other by one element are the transposed matrix.
func ExampleResized() {
	matrix := []byte("abcdef" + "ghijkl")
	column, err := datatype.Vector(2, 1, 6, datatype.Basic(datatype.Byte))
	if err != nil {
		fmt.Println(err)
		return
	}
	next, err := datatype.Resized(column, 0, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	packed := make([]byte, 12)
	next.Pack(packed, unsafe.Pointer(&matrix[0]), 6, 0)
	fmt.Println(string(packed))
	// Output: agbhcidjekfl
}

// The parts of memory that are fragment 10 to 20 of a message.
func ExampleType_Pieces() {
	blocks, err := datatype.Indexed([]int64{2, 1}, []int64{5, 0}, datatype.Basic(datatype.Int32))
	if err != nil {
		fmt.Println(err)
		return
	}
	for disp, size := range blocks.Pieces(2, 10, 20) {
		fmt.Println(size, "bytes at", disp)
	}
	// Output:
	// 2 bytes at 2
	// 8 bytes at 48
}

// One field of a slice of structs.
func ExampleField() {
	type body struct {
		Name string
		Pos  struct{ X, Y float64 }
	}
	bodies := []body{{Name: "Sun"}, {Name: "Earth"}}
	bodies[1].Pos.X = 1.5
	x, err := datatype.Field(reflect.TypeFor[body](), "Pos.X")
	if err != nil {
		fmt.Println(err)
		return
	}
	packed := make([]float64, 2)
	x.Pack(unsafe.Slice((*byte)(unsafe.Pointer(&packed[0])), 16), unsafe.Pointer(&bodies[0]), 2, 0)
	fmt.Println(packed)
	// Output: [0 1.5]
}

// Wrong arguments are named as the program knows them.
func ExampleSubarray() {
	_, err := datatype.Subarray([]int64{10, 10}, []int64{4, 4}, []int64{0, 8}, datatype.OrderC, datatype.Basic(datatype.Float64))
	fmt.Println(err)
	// Output: subarray: in dimension 1 the part, 4 elements from 8 on, is not within the array's 10
}
