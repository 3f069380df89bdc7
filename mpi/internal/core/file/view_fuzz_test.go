package file

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

// FuzzView reads what another rank says of its view: it is refused, or a view that says the same again.
func FuzzView(f *testing.F) {
	encode := func(disp, unit int64, filetype *datatype.Type) []byte {
		b, err := filetype.AppendBinary(binary.AppendVarint(binary.AppendVarint(nil, disp), unit))
		require.NoError(f, err)
		return b
	}
	vector, err := datatype.Vector(3, 2, 5, datatype.Basic(datatype.Int32))
	require.NoError(f, err)
	f.Add(encode(0, 1, datatype.Basic(datatype.Byte)))
	f.Add(encode(1<<40, 4, vector))
	f.Add([]byte{})
	f.Add([]byte{1, 1})
	many, err := datatype.Vector(1<<40, 1, 2, datatype.Basic(datatype.Byte))
	require.NoError(f, err)
	f.Add(encode(0, 1, many))
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := parseView("MPI_File_set_view", b)
		if err != nil {
			return
		}
		require.Positive(t, v.unit)
		require.GreaterOrEqual(t, v.disp, int64(0))
		again, err := v.filetype.AppendBinary(binary.AppendVarint(binary.AppendVarint(nil, v.disp), v.unit))
		require.NoError(t, err)
		w, err := parseView("MPI_File_set_view", again)
		require.NoError(t, err)
		require.Equal(t, v.unit, w.unit)
		require.Equal(t, v.disp, w.disp)
	})
}
