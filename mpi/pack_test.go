package mpi_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

// external is the message of m with the first byte of each number first.
func (m memory) external() []byte {
	message := m.message()
	for at := 0; at < len(message); {
		for _, k := range m.kinds {
			parts := 1
			if k == datatype.Complex128 {
				parts = 2
			}
			for range parts {
				end := at + int(k.Size())/parts
				if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
					slices.Reverse(message[at:end])
				}
				at = end
			}
		}
	}
	return message
}

// Packed Data is the message that would be sent, behind what is there already. It is unpacked into memory of any datatype
// with the same kinds, of which nothing else is touched, and what follows remains.
func TestRandomDatatypesArePacked(t *testing.T) {
	first, n := derivedSeeds()
	for seed := first; seed < first+10*n; seed++ {
		r := rand.New(rand.NewPCG(seed, 0))
		kinds := kindsOf(r)
		count := r.IntN(1 + r.IntN(50))
		out, in := spread(r, kinds).memory(r, count), spread(r, kinds).memory(r, count)
		name := fmt.Sprintf("seed %d: %s", seed, out.Name())
		for _, form := range []struct {
			pack   func([]byte) ([]byte, error)
			unpack func([]byte) ([]byte, error)
			want   []byte
			length int
		}{
			{out.data().Pack, in.data().Unpack, out.message(), in.data().Len()},
			{out.data().PackExternal, in.data().UnpackExternal, out.external(), in.data().ExternalLen()},
		} {
			packed, err := form.pack([]byte("before"))
			require.NoError(t, err, name)
			require.True(t, bytes.Equal(append([]byte("before"), form.want...), packed), name)
			require.Equal(t, len(form.want), form.length, name)
			for i := range in.bytes {
				in.bytes[i]++
			}
			want := in.after(out.message())
			rest, err := form.unpack(append(packed, "behind"...)[len("before"):])
			require.NoError(t, err, name)
			require.Equal(t, "behind", string(rest), name)
			require.True(t, bytes.Equal(want, in.bytes), name)
		}
	}
}

// Packed Data is sent as Bytes, and received as the numbers that it has; a message that is received as Bytes is unpacked.
func TestPackedDataIsAMessage(t *testing.T) {
	m := numbered(3, 3)
	ranks(t, 1, func(t *testing.T, world *mpi.Comm) {
		packed, err := m.Columns(1, 1).Pack(nil)
		require.NoError(t, err)
		packed, err = m.Columns(0, 1).Pack(packed)
		require.NoError(t, err)
		got := make([]int, 6)
		_, err = mpi.SendrecvData(world, mpi.Bytes(packed), 0, 0, mpi.Elements(got), 0, 0)
		require.NoError(t, err)
		require.Equal(t, []int{1, 4, 7, 0, 3, 6}, got)

		raw := make([]byte, 6*8)
		_, err = mpi.SendrecvData(world, mpi.Elements(got), 0, 0, mpi.Bytes(raw), 0, 0)
		require.NoError(t, err)
		other := numbered(3, 3)
		rest, err := other.Columns(2, 1).Unpack(raw)
		require.NoError(t, err)
		rest, err = other.Columns(1, 1).Unpack(rest)
		require.NoError(t, err)
		require.Empty(t, rest)
		require.Equal(t, []int{0, 0, 1, 3, 3, 4, 6, 6, 7}, other.Cells)
	})
}

func TestPackingWhatIsNotThere(t *testing.T) {
	column := numbered(3, 3).Columns(0, 1)
	some := []byte("some")
	for _, unpack := range []func([]byte) ([]byte, error){column.Unpack, column.UnpackExternal} {
		cells := numbered(3, 3).Cells
		rest, err := unpack(make([]byte, 23))
		require.ErrorIs(t, err, mpi.ErrTruncate)
		require.ErrorContains(t, err, "24 bytes")
		require.ErrorContains(t, err, "there are 23")
		require.Len(t, rest, 23)
		require.Equal(t, sequence(0, 9), cells)
	}
	wrong := mpi.Strided([]int{1}, 2, 1, 1)
	for op, call := range map[string]func([]byte) ([]byte, error){
		"Pack": wrong.Pack, "Unpack": wrong.Unpack, "PackExternal": wrong.PackExternal, "UnpackExternal": wrong.UnpackExternal,
	} {
		left, err := call(some)
		require.ErrorIs(t, err, mpi.ErrArg)
		require.ErrorContains(t, err, "mpi.Data."+op+": invalid argument: strided: 2 blocks")
		require.Equal(t, some, left)
	}
	require.Zero(t, wrong.ExternalLen())
	var nothing mpi.Data
	for _, call := range []func([]byte) ([]byte, error){nothing.Pack, nothing.Unpack, nothing.PackExternal, nothing.UnpackExternal} {
		left, err := call(some)
		require.NoError(t, err)
		require.Equal(t, some, left)
	}
}

// A long of C has 32 bits in external32.
func TestNumbersThatDoNotFitIntoExternal32(t *testing.T) {
	out := memory{derived{Type: datatype.Basic(datatype.Long)}, binary.NativeEndian.AppendUint64(nil, 1<<40), 0, 1}
	require.Equal(t, 4, out.data().ExternalLen())
	packed, err := out.data().PackExternal([]byte("before"))
	require.ErrorIs(t, err, mpi.ErrConversion)
	require.ErrorContains(t, err, "a long of 1099511627776 does not fit")
	require.Equal(t, "before", string(packed))
}

// Several things make one message: the sender packs them, and the receiver takes them out one after the other.
func ExampleData_Pack() {
	const tag = 1
	err := mpi.RunLocal(2, func(world *mpi.Comm) error {
		m := mpi.Matrix[float64]{Cells: []float64{1, 2, 3, 4, 5, 6}, Width: 3}
		if world.Rank() == 0 {
			packed, err := mpi.Elements([]int{m.Width}).Pack(nil)
			if err != nil {
				return err
			}
			if packed, err = m.Columns(1, 1).Pack(packed); err != nil {
				return err
			}
			return mpi.SendData(world, mpi.Bytes(packed), 1, tag)
		}
		packed := make([]byte, 100)
		status, err := mpi.RecvData(world, mpi.Bytes(packed), 0, tag)
		if err != nil {
			return err
		}
		width, column := make([]int, 1), make([]float64, 2)
		rest, err := mpi.Elements(width).Unpack(packed[:status.Bytes])
		if err != nil {
			return err
		}
		if _, err = mpi.Elements(column).Unpack(rest); err != nil {
			return err
		}
		fmt.Println(width, column)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [3] [2 5]
}
