package datatype

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

type celsius float64

type point struct {
	X, Y float64
	ID   int32
}

type place struct { // the layout of point
	Pos struct{ North, East float64 }
	Nr  [1]int32
}

type node struct {
	Key  int
	Next *node
}

func of[T any]() *Type { return must(granted(OfGo(reflect.TypeFor[T]()))) }

func granted(t *Type) (*Type, error) { return t, t.Err() }

// Types match by what they are made of. Padding is not sent.
func TestGoTypes(t *testing.T) {
	require.Same(t, Basic(Float64), of[celsius]())
	require.Same(t, Basic(Uint8), of[byte]())
	require.Equal(t, of[int]().Size(), int64(unsafe.Sizeof(0)))
	require.Same(t, of[point](), of[point]())
	require.Equal(t, of[point]().Signature(), of[place]().Signature())
	require.Equal(t, of[[7]float64]().Signature(), of[float64]().Signature())
	require.NotEqual(t, of[struct{ A, B int32 }]().Signature(), of[struct{ A, B uint32 }]().Signature())
	require.Equal(t, "datatype.point", of[point]().Name())
	require.Equal(t, "datatype.point", of[point]().Signature().String())
	require.Equal(t, "float64", of[celsius]().Name())

	require.EqualValues(t, 20, of[point]().Size())
	require.EqualValues(t, unsafe.Sizeof(point{}), of[point]().Extent())
	require.False(t, of[point]().Dense())
	require.True(t, of[struct{ A, B int32 }]().Dense())
	require.True(t, of[[3]complex128]().Dense())
	type odd struct {
		A int32
		_ struct{}
		B [0]int64
		C uint16
		E struct{}
	}
	require.EqualValues(t, unsafe.Sizeof(odd{}), of[odd]().Extent())
	require.EqualValues(t, 6, of[odd]().Size())
}

// Types that cannot be sent are refused with the reason and the place.
func TestRefusedTypes(t *testing.T) {
	for refused, text := range map[reflect.Type]string{
		reflect.TypeFor[string]():                            "type string cannot be sent: it is a string; only",
		reflect.TypeFor[[]int]():                             "type []int cannot be sent: it is a slice; only",
		reflect.TypeFor[map[int]int]():                       "it is a map",
		reflect.TypeFor[chan int]():                          "it is a chan",
		reflect.TypeFor[func()]():                            "it is a func",
		reflect.TypeFor[any]():                               "type interface {} cannot be sent: it is an interface",
		reflect.TypeFor[*int]():                              "it is a pointer",
		reflect.TypeFor[unsafe.Pointer]():                    "it is a pointer",
		reflect.TypeFor[uintptr]():                           "it is a uintptr",
		reflect.TypeFor[node]():                              "type datatype.node cannot be sent: Next is a pointer; only",
		reflect.TypeFor[[3]struct{ In struct{ S []int } }](): "[].In.S is a slice",
		reflect.TypeFor[struct{ Names [4]string }]():         "Names[] is a string",
		reflect.TypeFor[struct{}]():                          "type struct {} cannot be sent: it has no size",
		reflect.TypeFor[[0]int]():                            "it has no size",
		reflect.TypeFor[[1 << 20]struct{}]():                 "it has no size",
	} {
		made := OfGo(refused)
		require.ErrorContains(t, made.Err(), text)
		require.ErrorIs(t, made.Err(), ErrType)
		require.Zero(t, made.Size())
	}
	require.EqualValues(t, 1<<20, of[[1 << 20]byte]().Size())
}

type cell struct {
	place
	Name  string
	Cells [3]point
	node  *node
	*celsiusBox
}

type celsiusBox struct{ Deep int64 }

// One field of all elements of a slice is sent, whatever the others are.
func TestField(t *testing.T) {
	cells := make([]cell, 3)
	for i := range cells {
		cells[i].Pos.East = float64(10 * i)
		cells[i].Cells[2].ID = int32(i)
	}
	east, err := Field(reflect.TypeFor[cell](), "Pos.East")
	require.NoError(t, err)
	require.Equal(t, Basic(Float64).Signature(), east.Signature())
	require.Equal(t, "Pos.East of datatype.cell", east.Name())
	got := make([]float64, 3)
	east.Pack(unsafe.Slice((*byte)(unsafe.Pointer(&got[0])), 24), unsafe.Pointer(&cells[0]), 3, 0)
	require.Equal(t, []float64{0, 10, 20}, got)
	east.Unpack(unsafe.Pointer(&cells[0]), 3, 16, make([]byte, 8))
	require.Zero(t, cells[2].Pos.East)

	id, err := Field(reflect.TypeFor[cell](), "Cells[2].ID")
	require.NoError(t, err)
	require.EqualValues(t, unsafe.Offsetof(cell{}.Cells)+2*unsafe.Sizeof(point{})+16, id.TrueLowerBound())
	require.EqualValues(t, unsafe.Sizeof(cell{}), id.Extent())

	for path, text := range map[string]string{
		"Pos.West":    `field Pos.West of datatype.cell: struct { North float64; East float64 } has no field "West"`,
		"Pos.East.X":  "field Pos.East.X of datatype.cell: float64 is not a struct",
		"Cells[3].ID": "[3]datatype.point has no element 3",
		"Cells[x]":    `"[x]" is no index`,
		"Cells[1":     `"[1" is no index`,
		"Cells[1]x":   `is no index`,
		"Pos[1]":      "has no element 1",
		"Deep":        "Deep lies behind a pointer",
		"Name":        "type string cannot be sent: it is a string",
		"":            `has no field ""`,
	} {
		_, err := Field(reflect.TypeFor[cell](), path)
		require.ErrorContains(t, err, text)
	}
	_ = cells[0].node
}
