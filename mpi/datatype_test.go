package mpi

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
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

type otherPlace struct {
	North, East float64
	Nr          uint32
}

// The signature of a named type is that of what it is made of, and two types
// have the same one if their elements have the same layout.
func TestSignatures(t *testing.T) {
	require.Equal(t, datatypeOf[float64]().Sig, datatypeOf[celsius]().Sig)
	require.Equal(t, datatypeOf[byte]().Sig, datatypeOf[uint8]().Sig)
	require.Equal(t, datatypeOf[point]().Sig, datatypeOf[place]().Sig)
	require.Equal(t, datatypeOf[complex64]().Sig, datatypeOf[complex64]().Sig)
	require.Equal(t, datatypeOf[int64]().Sig, datatypeOf[int]().Sig)
	require.Equal(t, datatypeOf[uint64]().Sig, datatypeOf[uint]().Sig)

	different := []*core.Type{
		datatypeOf[bool](), datatypeOf[int8](), datatypeOf[uint8](), datatypeOf[int16](), datatypeOf[uint16](),
		datatypeOf[int32](), datatypeOf[uint32](), datatypeOf[float32](), datatypeOf[int64](), datatypeOf[uint64](),
		datatypeOf[float64](), datatypeOf[complex64](), datatypeOf[complex128](), datatypeOf[[1]float64](),
		datatypeOf[[2]float64](), datatypeOf[[2]int64](), datatypeOf[[3]byte](), datatypeOf[point](), datatypeOf[otherPlace](),
		datatypeOf[struct {
			A byte
			B int64
		}](), datatypeOf[struct {
			A int64
			B byte
		}](),
	}
	seen := map[uint32]string{}
	for _, d := range different {
		require.Empty(t, d.Unsendable)
		require.NotZero(t, d.Sig)
		require.NotContains(t, seen, uint32(d.Sig), d.Name)
		seen[uint32(d.Sig)] = d.Name
	}
	require.Equal(t, "float64", core.TypeName(datatypeOf[celsius]().Sig))
	require.Equal(t, "mpi.point", core.TypeName(datatypeOf[point]().Sig))
	require.Contains(t, core.TypeName(core.Compound|12345), "unknown here")
}

type node struct {
	Key  int
	Next *node
}

// Types that cannot be sent are refused with the reason and the place.
func TestRefusedTypes(t *testing.T) {
	for d, text := range map[*core.Type]string{
		datatypeOf[string]():                            "type string cannot be sent: it is a string; only",
		datatypeOf[[]int]():                             "type []int cannot be sent: it is a slice; only",
		datatypeOf[map[int]int]():                       "it is a map",
		datatypeOf[chan int]():                          "it is a chan",
		datatypeOf[func()]():                            "it is a func",
		datatypeOf[any]():                               "type interface {} cannot be sent: it is an interface",
		datatypeOf[*int]():                              "it is a pointer",
		datatypeOf[unsafe.Pointer]():                    "it is a pointer",
		datatypeOf[uintptr]():                           "it is a uintptr",
		datatypeOf[node]():                              "type mpi.node cannot be sent: Next is a pointer; only",
		datatypeOf[[3]struct{ In struct{ S []int } }](): "[].In.S is a slice",
		datatypeOf[struct{ Names [4]string }]():         "Names[] is a string",
		datatypeOf[struct{}]():                          "type struct {} cannot be sent: it has no size",
		datatypeOf[[0]int]():                            "it has no size",
		datatypeOf[[1 << 40]struct{}]():                 "it has no size",
		datatypeOf[[65536]byte]():                       "type [65536]uint8 cannot be sent: an element has 65536 bytes, the limit is 65535",
	} {
		require.Contains(t, d.Unsendable, text)
	}
	require.Empty(t, datatypeOf[[65535]byte]().Unsendable)
}

// A view is the memory itself, not a copy.
func TestViewIsTheMemoryItself(t *testing.T) {
	v := []point{{1, 2, 3}, {4, 5, 6}}
	e := view(v)
	require.Equal(t, 2, e.Count)
	require.Len(t, e.Bytes(), 2*int(unsafe.Sizeof(point{})))
	clear(e.Bytes()[:8])
	require.Zero(t, v[0].X)
	cast[point](e.Bytes())[1].ID = 9
	require.EqualValues(t, 9, v[1].ID)
	require.Empty(t, view[int](nil).Bytes())
	require.True(t, strings.HasPrefix(e.Type.Name, "mpi."))
}
