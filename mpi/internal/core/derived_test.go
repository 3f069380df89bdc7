package core_test

import (
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func must(t *testing.T) func(made *core.Type, err error) *core.Type {
	return func(made *core.Type, err error) *core.Type {
		t.Helper()
		require.NoError(t, err)
		return made
	}
}

// atBottom is memory whose datatype has its address (MPI_BOTTOM). It must not move.
var atBottom = make([]float64, 4)

// A datatype may have absolute addresses. Then the buffer has none.
func TestAbsoluteAddresses(t *testing.T) {
	clear(atBottom)
	address := int64(uintptr(unsafe.Pointer(&atBottom[0])))
	float64s := core.Basic(datatype.Float64)
	apart := must(t)(datatype.Hindexed([]int64{1, 1}, []int64{address + 24, address}, float64s))
	whole := must(t)(datatype.Hindexed([]int64{2}, []int64{address + 8}, float64s))
	job(t, 1, func(world core.View) {
		in := []float64{1, 2}
		_, err := world.Sendrecv("MPI_Sendrecv", core.Of(float64s, in), 0, 0, core.Buffer{Count: 1, Type: apart}, 0, 0)
		require.NoError(t, err)
		require.Equal(t, []float64{2, 0, 0, 1}, atBottom)
		_, err = world.Sendrecv("MPI_Sendrecv", core.Buffer{Count: 1, Type: apart}, 0, 0, core.Buffer{Count: 1, Type: whole}, 0, 0)
		require.NoError(t, err)
		require.Equal(t, []float64{2, 1, 2, 1}, atBottom)
		_, err = world.Recv("MPI_Recv", core.Buffer{Count: 1, Type: float64s}, 0, 0)
		require.ErrorIs(t, err, rpi.ErrBuffer)
		_, err = world.Recv("MPI_Recv", core.Buffer{Addr: unsafe.Pointer(&in[0]), Count: -1, Type: float64s}, 0, 0)
		require.ErrorIs(t, err, rpi.ErrCount)
		_, err = world.Recv("MPI_Recv", core.Buffer{Count: 1 << 62, Type: apart}, 0, 0)
		require.ErrorIs(t, err, rpi.ErrCount)
	})
	runtime.KeepAlive(atBottom)
}

// A message that is too long leaves all of a buffer with gaps as it was. Basic elements can be counted where elements cannot.
func TestMessagesThatDoNotFitDerivedTypes(t *testing.T) {
	pair := must(t)(datatype.Struct([]int64{1, 1}, []int64{0, 8}, []*core.Type{core.Basic(datatype.Int32), core.Basic(datatype.Float64)}))
	job(t, 1, func(world core.View) {
		out, in := make([]byte, 48), make([]byte, 32)
		in[0], in[31] = 7, 7
		send, err := world.Isend("MPI_Isend", rpi.Standard, core.Buffer{Addr: unsafe.Pointer(&out[0]), Count: 3, Type: pair}, 0, 0)
		require.NoError(t, err)
		status, err := world.Recv("MPI_Recv", core.Buffer{Addr: unsafe.Pointer(&in[0]), Count: 2, Type: pair}, 0, 0)
		require.ErrorIs(t, err, rpi.ErrTruncate)
		require.Equal(t, 36, status.Bytes)
		require.Equal(t, []byte{7, 7}, []byte{in[0], in[31]})
		_, err = send.Wait(t.Context())
		require.NoError(t, err)
		one := []int32{5}
		status, err = world.Sendrecv("MPI_Sendrecv", core.Of(core.Basic(datatype.Int32), one), 0, 0, core.Buffer{Addr: unsafe.Pointer(&in[0]), Count: 2, Type: pair}, 0, 0)
		require.NoError(t, err)
		require.Equal(t, core.Undefined, status.Count)
		require.Equal(t, 1, status.Elements(pair))
		require.EqualValues(t, 5, in[0])
	})
}

// A reduction works on elements as they lie in memory, and does not touch what lies between them: here the columns of a
// matrix, of which the elements of one lie between those of the other, and single ones with a gap.
func TestReductionsOfElementsWithGaps(t *testing.T) {
	float64s := core.Basic(datatype.Float64)
	column := must(t)(datatype.Resized(must(t)(datatype.Vector(3, 1, 4, float64s)), 0, 8))
	sparse := must(t)(datatype.Resized(float64s, -8, 16))
	for _, test := range []struct {
		kind   *core.Type
		first  int // where the elements begin
		places []int
	}{
		{column, 0, []int{0, 1, 4, 5, 8, 9}},
		{sparse, 1, []int{1, 3}},
	} {
		job(t, 3, func(world core.View) {
			in, out := make([]float64, 12), make([]float64, 12)
			for i := range in {
				in[i], out[i] = float64(i+100*world.Rank()), -1
			}
			size, address := core.Slot(test.kind)
			add := func(left, right []byte) { // takes elements one by one
				for ; len(left) > 0; left, right = left[size:], right[size:] {
					for disp := range test.kind.Pieces(1, 0, test.kind.Size()) {
						at := int64(address) + disp
						*(*float64)(unsafe.Pointer(&left[at])) += *(*float64)(unsafe.Pointer(&right[at]))
					}
				}
			}
			from := core.Buffer{Addr: unsafe.Pointer(&in[test.first]), Count: 2, Type: test.kind}
			to := core.Buffer{Addr: unsafe.Pointer(&out[test.first]), Count: 2, Type: test.kind}
			want := make([]float64, 12)
			for i := range want {
				want[i] = -1
			}
			for _, i := range test.places {
				want[i] = float64(3*i + 300)
			}
			_, err := world.Allreduce(core.Blocking, from, to, core.Op{Combine: add})
			require.NoError(t, err)
			require.Equal(t, want, out)
			// In place.
			_, err = world.Allreduce(core.Blocking, from, from, core.Op{Combine: add})
			require.NoError(t, err)
			for i := range want {
				if want[i] < 0 {
					want[i] = float64(i + 100*world.Rank())
				}
			}
			require.Equal(t, want, in)
		})
	}
}
